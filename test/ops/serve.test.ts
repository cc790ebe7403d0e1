import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFreePort } from '../free-port.ts';
import { Installation, type CliProcess } from './cli-process.ts';
import { migratedInstallation } from './migrated-installation.ts';

async function start(installation: Installation, port: number): Promise<CliProcess> {
  const server = installation.run(['serve'], { PORT: String(port) });
  await server.waitForOutput('Fieldfare is ready');
  return server;
}

/** Lists files and folders in DATA_DIR that other users of the machine may read or enter. */
const listWorldReadable = (dataDir: string): string[] =>
  readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter(
    (name) => (lstatSync(join(dataDir, name)).mode & 0o077) !== 0,
  );

const databasePid = (installation: Installation): number =>
  Number(readFileSync(join(installation.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

test('the first start creates the database and prints how to become the owner; SIGTERM stops it cleanly', async () => {
  await using installation = new Installation({ LOG_LEVEL: 'debug' });
  const port = await findFreePort();
  const umask = process.umask(0);
  const server = await start(installation, port).finally(() => process.umask(umask));
  await server.waitForOutput('become its owner');
  expect(server.stdout).toContain(`http://localhost:${port}`);
  expect(server.stdout).toMatch(/become its owner, open\n {2}http:\/\/localhost:\d+\/\S+/);
  const response = await fetch(`http://127.0.0.1:${port}/health/ready`);
  expect([response.status, await response.text()]).toEqual([200, 'OK']);
  expect(server.stdout).toContain(`mail is written to ${join(installation.dataDir, 'mail')}`);
  for (const step of ['/auth/sign_up', 'Connect an app', 'docs/operations.md', '/api/docs']) {
    expect(server.stdout).toContain(step);
  }
  expect(listWorldReadable(installation.dataDir)).toEqual([]);
  const { code, stdout, stderr } = await server.kill('SIGTERM');
  expect(code).toBe(0);
  expect(stdout).toContain('Stopped');
  expect(stderr).not.toContain('FATAL:  terminating connection');
  expect(existsSync(join(installation.dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  expect(existsSync(join(installation.dataDir, 'postgres.lock'))).toBe(false);
  await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
});

test('SIGTERM to npm reaches the server that npm started', async () => {
  await using installation = await migratedInstallation();
  const port = await findFreePort();
  const npm = installation.npmStart({ PORT: String(port) });
  await npm.waitForOutput('Fieldfare is ready');
  const { stdout } = await npm.kill('SIGTERM');
  expect(stdout).toContain('Stopped');
  expect(existsSync(join(installation.dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
});

test('after kill -9 of the server, or of the database too, the next start keeps all acknowledged data', async () => {
  await using installation = await migratedInstallation();
  const port = await findFreePort();
  for (const alsoDatabase of [false, true]) {
    const server = await start(installation, port);
    const name = alsoDatabase ? 'second' : 'first';
    const created = await installation.runToEnd(
      'account',
      'create',
      name,
      '--email',
      `${name}@mail.test`,
      '--confirmed',
    );
    expect(created.code, created.stderr).toBe(0);
    const postgres = databasePid(installation);
    server.child.kill('SIGKILL');
    if (alsoDatabase) process.kill(postgres, 'SIGKILL');
    await server.exited;
  }
  const server = await start(installation, port);
  const { stdout } = await installation.runToEnd('account', 'list', '--json');
  expect((JSON.parse(stdout) as { username: string }[]).map(({ username }) => username)).toEqual(['second', 'first']);
  await server.kill('SIGINT');
});

test('PostgreSQL is restarted when it is killed, and requests get 503 until then', async () => {
  await using installation = await migratedInstallation({ RATE_LIMITS: 'off' });
  const port = await findFreePort();
  const server = await start(installation, port);
  expect(
    (await installation.runToEnd('account', 'create', 'alice', '--email', 'alice@mail.test', '--confirmed')).code,
  ).toBe(0);
  const statuses = new Set<number>();
  for (const [at, signal] of (['SIGKILL', 'SIGQUIT'] as const).entries()) {
    process.kill(databasePid(installation), signal);
    const lookUp = async (): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}/api/v1/accounts/lookup?acct=alice`)).status;
    const isRestarted = (): boolean => server.stderr.split('PostgreSQL was restarted').length === at + 2;
    for (let status = 0; status !== 200 || !isRestarted();) statuses.add((status = await lookUp()));
  }
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(server.stderr).toContain('PostgreSQL ended unexpectedly; restarting it');
  expect((await server.kill('SIGTERM')).code).toBe(0);
  expect(existsSync(join(installation.dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  expect(existsSync(join(installation.dataDir, 'postgres.lock'))).toBe(false);
});

test('a second start on the same data folder fails with exit code 1 and does no harm', async () => {
  await using installation = await migratedInstallation();
  const port = await findFreePort();
  const server = await start(installation, port);
  const second = await installation.run(['serve'], { PORT: String(await findFreePort()) }).exited;
  expect(second.code).toBe(1);
  expect(second.stderr).toBe(
    `fieldfare: Fieldfare is already running on ${installation.dataDir} (process ${server.child.pid}).\n`,
  );
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  await server.kill('SIGTERM');
});

test.skipIf(process.getuid?.() !== 0)(
  'a command in another container on the same data folder fails while the server runs, and works after it was killed',
  async () => {
    await using installation = await migratedInstallation();
    const port = await findFreePort();
    const server = installation.runInContainer(['serve'], { PORT: String(port) });
    await server.waitForOutput('Fieldfare is ready');
    for (const command of [['account', 'list'], ['serve']]) {
      const { code, stderr } = await installation.runInContainer(command).exited;
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('in another container. Run commands in that container'),
      ]);
    }
    expect((await installation.runToEnd('account', 'list')).stderr).toContain('in another container');
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);

    await server.kill('SIGKILL');
    const { code, stdout } = await installation.runInContainer(['account', 'list']).exited;
    expect([code, stdout]).toEqual([0, expect.stringContaining('There are no accounts yet.')]);
  },
);

test('a port in use is reported in one line, and the database is stopped', async () => {
  await using installation = await migratedInstallation();
  const blocker = createServer();
  const port = await findFreePort();
  await new Promise<void>((resolve) => blocker.listen(port, '127.0.0.1', resolve));
  try {
    const { code, stderr } = await installation.run(['serve'], { PORT: String(port) }).exited;
    expect(code).toBe(1);
    expect(stderr).toBe(
      `fieldfare: Port ${port} of 127.0.0.1 is used by another program. Stop it, or choose another PORT.\n`,
    );
    expect(existsSync(join(installation.dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  } finally {
    await new Promise((resolve) => blocker.close(resolve));
  }
});

test('invalid settings are all reported together, and nothing is started', async () => {
  await using installation = new Installation({ PORT: 'http', LOG_LEVEL: 'loud', REGISTRATIONS: 'maybe' });
  const { code, stdout, stderr } = await installation.run(['serve']).exited;
  expect(code).toBe(1);
  expect(stdout).toBe('');
  const lines = stderr.trim().split('\n');
  expect(lines).toHaveLength(3);
  for (const name of ['PORT', 'LOG_LEVEL', 'REGISTRATIONS'])
    expect(lines.some((line) => line.startsWith(`fieldfare: ${name} must be`))).toBe(true);
  expect(existsSync(installation.dataDir)).toBe(false);
});

test('serve and every other command fail with one line if DATA_DIR cannot be created', async () => {
  await using installation = new Installation();
  const file = join(installation.folder, 'file');
  writeFileSync(file, '');
  const database = { DATABASE_URL: 'postgres://127.0.0.1:1/fieldfare' };
  for (const settings of [{ DATA_DIR: join(file, 'data') }, { DATA_DIR: '/proc/fieldfare/data', ...database }]) {
    for (const command of [['serve'], ['db', 'status']]) {
      const { code, stdout, stderr } = await installation.run(command, settings).exited;
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^fieldfare: The folder \S+ cannot be created \(.+\)\. Set DATA_DIR to .+\n$/);
      expect(stderr).toContain(settings.DATA_DIR);
    }
  }
});

test('an unreachable DATABASE_URL is reported without its password', async () => {
  await using installation = new Installation({ DATABASE_URL: 'postgres://someone:secret@127.0.0.1:1/fieldfare' });
  const { code, stderr } = await installation.run(['serve']).exited;
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^fieldfare: The database at postgres:\/\/127\.0\.0\.1:1\/fieldfare cannot be reached \(.+\)\. Check DATABASE_URL\.\n$/,
  );
  expect(stderr).not.toContain('secret');
});

test('a cluster of another version, or a folder that is not a database, is refused', async () => {
  await using installation = new Installation();
  mkdirSync(join(installation.dataDir, 'postgres'), { recursive: true });
  expect((await installation.runToEnd('account', 'list')).stderr).toContain('is not a database');
  writeFileSync(join(installation.dataDir, 'postgres', 'PG_VERSION'), '14\n');
  const { code, stderr } = await installation.run(['serve']).exited;
  expect(code).toBe(1);
  expect(stderr).toContain('was created by PostgreSQL 14, and this is PostgreSQL 18. Run: fieldfare db upgrade');
});

test('a worker process listens on no port', async () => {
  await using installation = await migratedInstallation();
  const port = await findFreePort();
  const worker = installation.run(['serve', '--roles', 'worker'], { PORT: String(port) });
  await worker.waitForOutput('running jobs');
  await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
  expect((await worker.kill('SIGTERM')).code).toBe(0);
});
