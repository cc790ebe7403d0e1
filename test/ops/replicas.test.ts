import { expect, test } from 'vitest';
import { PostgresServer } from '../../bench/cluster/postgres-server.ts';
import { findFreePort } from '../free-port.ts';
import { Installation } from './cli-process.ts';

interface Finding {
  readonly subject: string;
  readonly state: string;
  readonly detail: string;
}

test('doctor and the metrics show how far a replica is behind', async () => {
  await using primary = await PostgresServer.start();
  const port = await findFreePort();
  const metricsPort = await findFreePort();
  await using replica = await primary.startReplica();
  await using installation = new Installation({
    DATABASE_URL: primary.url(),
    DATABASE_REPLICA_URLS: replica.url(),
    BASE_URL: `http://localhost:${port}`,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
  });
  const server = installation.run(['serve']);
  await server.waitForOutput('Fieldfare is ready');
  const diagnose = async (): Promise<Finding[]> => {
    const { stdout, stderr } = await installation.runToEnd('doctor', '--json');
    expect(stderr).toBe('');
    return (JSON.parse(stdout) as Finding[]).filter(({ subject }) => subject === 'replicas');
  };
  const readLag = async (): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const [, seconds = 'none'] =
      new RegExp(`^fieldfare_replica_lag_seconds\\{replica="127.0.0.1:${replica.port}"\\} (.*)$`, 'm').exec(text) ?? [];
    return Number(seconds);
  };
  await expect.poll(readLag).toBe(0);
  expect(await diagnose()).toEqual([
    { subject: 'replicas', state: 'ok', detail: `127.0.0.1:${replica.port} has caught up with the primary` },
  ]);

  await replica.query('select pg_wal_replay_pause()');
  await primary.query('create table planted (); drop table planted');
  await expect.poll(readLag).toBeGreaterThan(0);
  expect((await diagnose())[0]?.detail).toMatch(/ is \d+\.\d s behind the primary$/);

  await replica.query('select pg_wal_replay_resume()');
  await expect.poll(readLag).toBe(0);
  await replica.kill();
  await expect.poll(readLag).toBeNaN();
  expect((await diagnose())[0]).toMatchObject({ state: 'fail', detail: expect.stringContaining('cannot be used') });
  await replica.restart();
  await expect.poll(readLag).toBe(0);
  await expect.poll(() => server.stderr).toContain('is used again');
  const { stderr } = await server.kill('SIGTERM');
  const messages = stderr
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(messages).toEqual(['a replica is not used', 'a replica is used again']);
});

test('addresses of replicas that cannot be right are refused in one line', async () => {
  await using primary = await PostgresServer.start();
  await using other = await PostgresServer.start();
  await using installation = new Installation({ DATABASE_URL: primary.url() });
  const refuse = async (urls: string, settings: Record<string, string> = {}): Promise<string> => {
    const given = { DATABASE_REPLICA_URLS: urls, ...settings };
    const { code, stderr } = await installation.run(['serve'], given).exited;
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    return stderr;
  };
  expect(await refuse('mysql://x')).toContain('DATABASE_REPLICA_URLS must be an address that begins with postgres://');
  expect(await refuse('postgres://x/y, postgres://x/y')).toContain(
    'DATABASE_REPLICA_URLS must not name a replica twice',
  );
  expect(await refuse(primary.url(), { DATABASE_URL: '' })).toContain(
    'DATABASE_REPLICA_URLS must be set together with DATABASE_URL',
  );
  expect(await refuse(primary.url())).toContain(
    `The database at postgres://127.0.0.1:${primary.port}/fieldfare is the primary of DATABASE_URL itself. Check DATABASE_REPLICA_URLS.`,
  );
  expect(await refuse(other.url())).toContain('is not a replica of that of DATABASE_URL');
  expect(await refuse(primary.url().replace('word@', 'wort@'))).toContain('refuses the connection (password');
});
