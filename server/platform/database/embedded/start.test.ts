import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { currentProcessIdentity } from '../../process-identity.ts';
import { EmbeddedError, findEmbeddedHolder, findRunningEmbedded, startEmbedded, type EmbeddedServer } from './index.ts';
import { findLockHolder, LockHeldError, acquireLock, type Purpose } from './lock.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ff-pg-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const log = pino({ level: 'silent' });
const start = (dataDir: string): Promise<EmbeddedServer> =>
  startEmbedded({ dataDir, log, purpose: 'tests', skipSync: true });

async function query<Row>(server: EmbeddedServer, statement: string): Promise<Row | undefined> {
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  try {
    return (await client.query(statement)).rows[0] as Row;
  } finally {
    await client.end();
  }
}

test('a cluster is created, keeps its data over a restart, and is found while it runs', async () => {
  const dataDir = join(newFolder(), 'postgres');
  const first = await start(dataDir);
  const settings = await query<object>(
    first,
    `select current_setting('server_encoding') as encoding, current_setting('listen_addresses') as addresses,
      (select datlocprovider from pg_database where datname = current_database()) as provider, lower('ÄÖ') as folded`,
  );
  expect(settings).toEqual({ encoding: 'UTF8', addresses: '', provider: 'b', folded: 'äö' });
  await query(first, 'create table kept as select 7 as number');
  expect(findRunningEmbedded(dataDir)?.connectionString).toBe(first.connectionString);
  await expect(start(dataDir)).rejects.toThrow(/already running on .+ \(process \d+\)/);
  await first.stop();
  await first.stop();
  expect(findRunningEmbedded(dataDir)).toBeUndefined();
  expect(findEmbeddedHolder(dataDir)).toBeUndefined();
  const second = await start(dataDir);
  expect(await query(second, 'select number from kept')).toEqual({ number: 7 });
  await second.stop();
});

test('the path of a data folder may be too long for a socket, which other containers see nevertheless', async () => {
  const dataDir = join(newFolder(), 'a'.repeat(100), 'postgres');
  const server = await start(dataDir);
  expect(server.host.length).toBeLessThan(90);
  expect(await query(server, 'select 1 as one')).toEqual({ one: 1 });
  expect(findRunningEmbedded(dataDir)?.host).toBe(server.host);
  const lock = `${dataDir}.lock`;
  const own = readFileSync(lock, 'utf8');
  writeFileSync(lock, JSON.stringify({ ...currentProcessIdentity(), purpose: 'server', processIds: 'pid:[1]' }));
  await expect(start(dataDir)).rejects.toThrow('in another container');
  writeFileSync(lock, own);
  await server.stop();
  expect(existsSync(dirname(server.host))).toBe(false);
  expect(existsSync(`${dataDir}-socket`)).toBe(true);
});

test('a server that exits by itself is noticed', async () => {
  const dataDir = join(newFolder(), 'postgres');
  const server = await start(dataDir);
  process.kill(Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGQUIT');
  expect(await server.crashed).toMatch(/^PostgreSQL ended unexpectedly/);
});

test('a stale pid file that names another process, as after a power failure, does not prevent a start', async () => {
  const dataDir = join(newFolder(), 'postgres');
  await (await start(dataDir)).stop();
  const host = `${dataDir}-socket`;
  writeFileSync(join(dataDir, 'postmaster.pid'), `${process.pid}\n${dataDir}\n1\n5432\n${host}\n\n1 1\nready   \n`);
  const server = await start(dataDir);
  expect(await query(server, 'select 1 as one')).toEqual({ one: 1 });
  await server.stop();
});

test('a folder that is not a cluster is refused', async () => {
  const dataDir = newFolder();
  await expect(start(dataDir)).rejects.toThrow(EmbeddedError);
});

test('a lock has one holder, can be released, and is taken over from a dead process', async () => {
  const path = join(newFolder(), 'lock');
  const acquire = (purpose: Purpose, isUsed = false) => acquireLock(path, purpose, async () => isUsed);
  const release = await acquire('server');
  expect(findLockHolder(path)).toMatchObject({ ...currentProcessIdentity(), purpose: 'server' });
  await expect(acquire('command')).rejects.toThrow(LockHeldError);
  release();
  expect(findLockHolder(path)).toBeUndefined();
  // A service in a container may read another boot id than a command beside it.
  const { pid, started } = currentProcessIdentity();
  const elsewhere = started.replace(/^\S+ /, '00000000-0000-4000-8000-000000000000 ');
  writeFileSync(path, JSON.stringify({ pid, started: elsewhere, purpose: 'server' }));
  await expect(acquire('command')).rejects.toThrow(LockHeldError);
  // The process id is in use, but by another process: the holder of the lock is dead.
  writeFileSync(path, JSON.stringify({ pid: process.pid, started: 'long ago', purpose: 'server' }));
  expect(findLockHolder(path)).toBeUndefined();
  const again = await acquire('command');
  expect(findLockHolder(path)?.purpose).toBe('command');
  again();
  writeFileSync(path, 'torn');
  (await acquire('server'))();
  // Of another container, where the same process id is another process: only the locked files show whether it runs.
  const holder = { pid, started, purpose: 'server', processIds: 'pid:[1]' };
  writeFileSync(path, JSON.stringify(holder));
  expect(findLockHolder(path)).toBeUndefined();
  await expect(acquire('command', true)).rejects.toThrow('of another container');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(holder);
  utimesSync(path, 0, 0);
  (await acquire('command'))();
  expect(existsSync(path)).toBe(false);
});
