import { pino } from 'pino';
import { expect, test } from 'vitest';
import { PostgresServer } from '../../bench/cluster/postgres-server.ts';
import { checkReplicas } from '../../server/cli/doctor/check-replicas.ts';
import { parseConfig } from '../../server/platform/config.ts';
import { Replicas } from '../../server/platform/replicas/replicas.ts';
import { openPool } from '../../server/platform/wire/pool.ts';
import { toConnection } from '../../server/platform/wire/primary-client.ts';
import { findFreePort } from '../free-port.ts';
import { requirePooler } from '../programs.ts';
import { ValkeyServer } from '../valkey-server.ts';
import { Installation } from './cli-process.ts';
import { Pooler } from '../../bench/cluster/pooler.ts';
import { startMigratedPostgres } from './migrated-postgres.ts';
import { ReplicatedServer } from './replicated-server.ts';

interface Finding {
  readonly subject: string;
  readonly state: string;
  readonly detail: string;
}

test('doctor and the metrics show how far a replica is behind', async () => {
  await using primary = await startMigratedPostgres();
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
  expect((await diagnose())[0]?.detail).toMatch(/ is \d+\.\d s behind the primary/);

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
  // On a busy machine, the replica may also answer too late. Either message is logged once for each outage.
  const outages = Math.max(1, Math.floor(messages.length / 2));
  expect(messages).toEqual(
    Array.from({ length: outages }, () => ['a replica is not used', 'a replica is used again']).flat(),
  );
});

test('addresses of replicas that cannot be right are refused in one line', async () => {
  await using primary = await startMigratedPostgres();
  // A cluster of its own.
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

const outages = [
  { outage: 'dies', begin: (replica: PostgresServer) => replica.kill() },
  { outage: 'falls silent', begin: async (replica: PostgresServer) => replica.freeze() },
];

test.for(outages)(
  'no request fails when a replica $outage under load, and it is used again when it is back',
  async ({ begin }) => {
    await using replicated = await ReplicatedServer.start();
    const { server, replica, replicaServer } = replicated;
    const alice = await server.user('alice');
    const { id } = (await alice.post('/api/v1/statuses', { status: 'First' })).json;
    await server.drain();
    await replicated.catchUp();
    const answered = new Map<string, number>();
    const stop = new AbortController();
    const load = Array.from({ length: 8 }, async (_, at) => {
      for (let count = 0; !stop.signal.aborted; count += 1) {
        // An address of its own, so that no cache answers.
        const maxId = BigInt(id) + BigInt(1 + at + 8 * count);
        const { status, json } = await server.anonymous.get(`/api/v1/timelines/public?local=true&max_id=${maxId}`);
        const result = `${status} ${json.length}`;
        answered.set(result, (answered.get(result) ?? 0) + 1);
      }
    });
    const countAnswers = (): number => answered.get('200 1') ?? 0;
    const waitForAnswers = async (): Promise<void> => {
      const before = countAnswers();
      await expect.poll(countAnswers).toBeGreaterThan(before + 20);
    };
    await waitForAnswers();
    expect(await replicated.countReads()).toBeGreaterThan(0);
    await begin(replicaServer);
    await expect.poll(() => replica.problem).toBeDefined();
    await waitForAnswers();
    // A silent one ends here.
    await replicaServer.kill();
    await replicaServer.restart();
    await expect.poll(() => replica.problem).toBeUndefined();
    const before = await replicated.countReads();
    await expect.poll(() => replicated.countReads()).toBeGreaterThan(before);
    await waitForAnswers();
    stop.abort();
    await Promise.all(load);
    expect([...answered.keys()]).toEqual(['200 1']);
  },
);

test.for([{ through: 'Valkey' }, { through: 'Valkey and poolers' }])(
  'what is written through one process is read through another one, which uses a replica ($through)',
  async ({ through }, context) => {
    const hasPooler = through !== 'Valkey';
    if (hasPooler) requirePooler(context);
    await using valkey = new ValkeyServer();
    await valkey.start();
    await using primary = await startMigratedPostgres();
    await using replica = await primary.startReplica();
    await using poolers = new AsyncDisposableStack();
    const pooled = async (server: PostgresServer): Promise<string> =>
      hasPooler ? server.url(poolers.use(await Pooler.start(server.port)).port) : server.url();
    await using installation = new Installation({
      DATABASE_URL: await pooled(primary),
      ...(hasPooler && { DATABASE_DIRECT_URL: primary.url() }),
      DATABASE_REPLICA_URLS: await pooled(replica),
      VALKEY_URL: valkey.url,
      RATE_LIMITS: 'off',
      BASE_URL: 'http://localhost:3000',
    });
    const start = async (): Promise<{ port: number; metricsPort: number }> => {
      const [port, metricsPort] = [await findFreePort(), await findFreePort()];
      const server = installation.run(['serve'], { PORT: String(port), METRICS_PORT: String(metricsPort) });
      await server.waitForOutput('Fieldfare is ready');
      return { port, metricsPort };
    };
    const [writer, reader] = [await start(), await start()];
    const options = ['--email', 'alice@mail.test', '--confirmed', '--approved', '--scopes', 'read write'];
    const created = await installation.runToEnd('account', 'create', 'alice', ...options, '--json');
    const { access_token: token } = JSON.parse(created.stdout.trim().split('\n').at(-1) ?? '') as {
      access_token: string;
    };
    const call = async ({ port }: { port: number }, method: string, path: string, body?: object): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    const { id: accountId } = (await (await call(writer, 'GET', '/api/v1/accounts/verify_credentials')).json()) as {
      id: string;
    };
    const listIds = async (): Promise<string[]> => {
      const response = await call(reader, 'GET', `/api/v1/accounts/${accountId}/statuses?limit=40`);
      return ((await response.json()) as { id: string }[]).map(({ id }) => id);
    };
    const countReplicaReads = async (): Promise<number> => {
      const text = await (await fetch(`http://127.0.0.1:${reader.metricsPort}/metrics`)).text();
      const [, count = '0'] = /^fieldfare_replica_reads_total\{database="127[^}]*\} (\d+)$/m.exec(text) ?? [];
      return Number(count);
    };
    await expect.poll(async () => (await listIds()) && (await countReplicaReads())).toBeGreaterThan(0);

    await replica.query('select pg_wal_replay_pause()');
    const posted: string[] = [];
    for (let at = 0; at < 10; at += 1) {
      const response = await call(writer, 'POST', '/api/v1/statuses', { status: `Post ${at}` });
      posted.unshift(((await response.json()) as { id: string }).id);
      expect(await listIds()).toEqual(posted);
    }
    for (const id of posted) {
      await call(writer, 'DELETE', `/api/v1/statuses/${id}`);
      expect((await fetch(`http://127.0.0.1:${reader.port}/api/v1/statuses/${id}`)).status).toBe(404);
    }

    await replica.query('select pg_wal_replay_resume()');
    const before = await countReplicaReads();
    await expect.poll(async () => (await listIds()) && (await countReplicaReads())).toBeGreaterThan(before);
    expect(await listIds()).toEqual([]);
    if (!hasPooler) {
      // Nothing tells the reader of writes now, so it asks the primary.
      await valkey.stop();
      await replica.query('select pg_wal_replay_pause()');
      const { id } = (await (await call(writer, 'POST', '/api/v1/statuses', { status: 'Unannounced' })).json()) as {
        id: string;
      };
      expect(await listIds()).toEqual([id]);
    }
  },
);

/** The replicas of an App whose primary is `primary`, with what they report. */
function watchReplica(primary: PostgresServer, replica: PostgresServer) {
  const pool = openPool({ connectionString: primary.url() }, 2);
  const connections = [{ connectionString: replica.url() }];
  const log = pino({ level: 'silent' });
  const replicas = new Replicas({ connections, pool, poolSize: 2, isPooled: false, log });
  replicas.start();
  return {
    pool,
    replicas,
    async [Symbol.asyncDispose]() {
      await replicas.close();
      await pool.end();
    },
  };
}

test('a replica that received more than the one that was promoted is not used: it has another history', async () => {
  await using primary = await startMigratedPostgres();
  await using promoted = await primary.startReplica();
  await using replica = await primary.startReplica();
  const countReplayed = async (): Promise<number> =>
    (await replica.query(`select 1 from pg_tables where tablename = 'planted'`)).length;
  await promoted.query(`alter system set primary_conninfo = ''`, 'postgres');
  await promoted.query('select pg_reload_conf()', 'postgres');
  await expect.poll(() => promoted.query('select pid from pg_stat_wal_receiver')).toEqual([]);
  await primary.query('create table planted as select repeat(md5(n::text), 30) from generate_series(1, 5000) n');
  await expect.poll(countReplayed).toBe(1);
  await primary.kill();
  await promoted.promote();
  await using watched = watchReplica(promoted, replica);
  await expect.poll(() => watched.replicas.all[0]?.problem).toContain('it is ahead of the primary');
  expect(watched.replicas.find(-Infinity)).toBeUndefined();

  // All servers are named as replicas, so that the settings are the same after a failover.
  const settings = {
    DATABASE_URL: primary.url(primary.port, promoted.port),
    DATABASE_REPLICA_URLS: [promoted, replica].map((server) => server.url()).join(','),
  };
  const { pool } = watched;
  const directConnection = toConnection(settings.DATABASE_URL);
  expect(await checkReplicas({ config: parseConfig(settings), pool, directConnection })).toMatchObject([
    { state: 'ok', detail: `127.0.0.1:${promoted.port} is the primary now, and is not used as a replica` },
    { state: 'fail', detail: expect.stringContaining('it is ahead of the primary') },
  ]);
});

test('a replica has caught up when the primary began a segment of its log and writes nothing', async () => {
  await using primary = await startMigratedPostgres();
  await using replica = await primary.startReplica();
  await using watched = watchReplica(primary, replica);
  const readEnd = async (): Promise<unknown[]> => primary.query('select pg_current_wal_insert_lsn()::text');
  const catchUpAfterSwitch = async (): Promise<boolean> => {
    await primary.query('checkpoint');
    await primary.query('select pg_switch_wal()');
    const end = JSON.stringify(await readEnd());
    const { writes } = watched.replicas;
    writes.record();
    await expect.poll(() => watched.replicas.find(writes.neededBy(undefined))).toBe(watched.replicas.all[0]);
    return JSON.stringify(await readEnd()) === end;
  };
  // PostgreSQL may write something by itself meanwhile.
  await expect.poll(catchUpAfterSwitch).toBe(true);
});
