import { sql } from 'kysely';
import { pino, type Logger } from 'pino';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { listenTimeouts } from '../../server/platform/database/channel-listener.ts';
import { poolTimeouts } from '../../server/platform/wire/pool.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { DatabaseUnavailable } from '../../server/platform/wire/database-unavailable.ts';
import { DatabaseProxy } from '../database-proxy.ts';
import { multipart, startServer } from '../server.ts';

const html = { headers: { accept: 'text/html' } };
const allowServerError = { allowServerError: true };

/** A log that records its lines. */
function captureLog(): { lines: string[]; log: Logger } {
  const lines: string[] = [];
  return { lines, log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }) };
}

test('while the database is unreachable requests get 503 with Retry-After, and one short line is logged', async () => {
  await using proxy = await DatabaseProxy.start();
  const { lines, log } = captureLog();
  await using server = await startServer({ connection: proxy.connection, log });
  const alice = await server.user('alice');
  // Nobody is served before the blocks of IP addresses were loaded once.
  expect((await server.anonymous.get('/nowhere')).status).toBe(404);
  proxy.refuse();
  for (const path of ['/api/v1/timelines/public', '/api/v1/timelines/home', '/api/v1/accounts/lookup?acct=bob']) {
    const response = await alice.get(path, allowServerError);
    expect([response.status, response.json, response.headers['retry-after']], path).toEqual([
      503,
      { error: 'The server is temporarily unavailable' },
      '10',
    ]);
  }
  expect((await alice.post('/api/v1/statuses', { status: 'Hello' }, allowServerError)).status).toBe(503);
  const page = await server.anonymous.get('/@alice', { ...html, ...allowServerError });
  expect([page.status, page.headers['content-type'], page.headers['retry-after']]).toEqual([
    503,
    'text/html; charset=utf-8',
    '10',
  ]);
  const signedIn = { accept: 'text/html', cookie: '__Host-session=unknown' };
  expect((await server.anonymous.get('/nowhere', { headers: signedIn, ...allowServerError })).status).toBe(404);
  const ready = await server.anonymous.get('/health/ready', allowServerError);
  expect([ready.status, ready.text, ready.headers['retry-after']]).toEqual([503, 'The database does not answer', '10']);
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ level: 40, msg: 'the database is unavailable' }),
  ]);
  expect(lines.join('')).not.toContain('stack');
  proxy.recover();
  expect((await alice.get('/api/v1/timelines/public')).status).toBe(200);
});

test.each(['57P01', '57P03', '53100', '53300', '08006', '55P03'])(
  'a statement that PostgreSQL refuses with %s results in 503, any other error in 500',
  async (state) => {
    await using server = await startServer();
    const alice = await server.user('alice');
    const fail = (code: string) =>
      sql`create or replace function refuse() returns trigger language plpgsql as
        ${sql.raw(`$$ begin raise exception 'refused' using errcode = '${code}'; end $$`)}`.execute(server.db);
    await fail(state);
    await sql`create trigger refuse before insert on statuses execute function refuse()`.execute(server.db);
    const response = await alice.post('/api/v1/statuses', { status: 'Hello' }, allowServerError);
    expect([response.status, response.headers['retry-after']]).toEqual([503, '10']);
    await fail('22000');
    expect((await alice.post('/api/v1/statuses', { status: 'Hello' }, allowServerError)).status).toBe(500);
  },
);

test('a silent connection is closed and replaced, in transactions too', async () => {
  await using proxy = await DatabaseProxy.start();
  const shortTimeouts = { ...poolTimeouts, responseMs: 3_000 };
  await using server = await startServer({ connection: proxy.connection, poolTimes: shortTimeouts });
  const alice = await server.user('alice');
  await Promise.all([1, 2, 3, 4].map(() => sql`select pg_sleep(0.01)`.execute(server.app.db)));
  proxy.goSilent();
  const inTransaction = transaction(server.app, ({ db }) => sql`select 1`.execute(db));
  await expect(inTransaction).rejects.toThrow(DatabaseUnavailable);
  expect((await alice.get('/api/v1/timelines/public', allowServerError)).status).toBe(503);
  proxy.recover();
  // Idle connections were closed as well.
  expect((await alice.get('/api/v1/timelines/public')).status).toBe(200);
  await transaction(server.app, ({ db }) => sql`select 1`.execute(db));
});

const countSessions = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and application_name like 'fieldfare %'`;

const quickSuspicion = { ...poolTimeouts, suspicionMs: 200, probeMs: 1_500 };

test('connections that fall silent while new ones work are replaced long before their timeout', async () => {
  await using proxy = await DatabaseProxy.start();
  const { lines, log } = captureLog();
  await using server = await startServer({ connection: proxy.connection, poolTimes: quickSuspicion, log });
  const alice = await server.user('alice');
  await Promise.all([1, 2, 3, 4].map(() => sql`select pg_sleep(0.01)`.execute(server.app.db)));
  const locker = await server.pool.connect();
  await locker.query('select pg_advisory_lock(1)');
  const large = sql`select pg_advisory_xact_lock(1), repeat('x', 50_000_000)`.execute(server.app.db);
  const inTransaction = transaction(server.app, async ({ db }) => {
    await sql`select 1`.execute(db);
    proxy.goSilent();
    proxy.recover();
    await locker.query('select pg_advisory_unlock(1)');
    locker.release();
    await sql`select 2`.execute(db);
  });
  await Promise.all([
    expect(large).rejects.toEqual(new DatabaseUnavailable(new Error('The connection to the database is silent'))),
    expect(inTransaction).rejects.toThrow(DatabaseUnavailable),
  ]);
  // Idle connections were closed as well.
  expect((await alice.get('/api/v1/timelines/public')).status).toBe(200);
  await transaction(server.app, ({ db }) => sql`select 1`.execute(db));
  expect(lines).toEqual([]);
});

test('with the usual timeouts, a silent connection is replaced within ten seconds', () => {
  const { suspicionMs, probeMs } = poolTimeouts;
  // Checks happen four times in that period; another one passes before the connection is closed.
  expect(suspicionMs + suspicionMs / 4 + 2 * probeMs + suspicionMs / 4).toBeLessThanOrEqual(10_000);
  const { checkMs, responseMs, retryMs } = listenTimeouts;
  expect(checkMs + responseMs + retryMs).toBeLessThan(10_000);
});

test('a statement that works, waits for a lock or sends a large answer is not taken for a silent connection', async () => {
  await using server = await startServer({ poolTimes: quickSuspicion });
  const locker = await server.pool.connect();
  await locker.query('begin; lock table accounts in access exclusive mode');
  const [{ rows: before }, slow, locked] = [
    await server.pool.query<{ count: number }>(countSessions),
    sql`select pg_sleep(3)`.execute(server.app.db),
    sql`select count(*) from accounts`.execute(server.app.db),
  ];
  const large = sql<{ length: number }>`select repeat('x', 30_000_000) as text`.execute(server.app.db);
  await Promise.all([slow, large]);
  await locker.query('rollback');
  await locked;
  const { rows: after } = await server.pool.query<{ count: number }>(countSessions);
  expect(after[0]?.count).toBeGreaterThanOrEqual(before[0]?.count ?? 0);
  locker.release();
});

test('while no new connection works, a late statement is given its full time', async () => {
  await using proxy = await DatabaseProxy.start();
  const poolTimes = { ...quickSuspicion, probeMs: 100, responseMs: 3_000 };
  await using server = await startServer({ connection: proxy.connection, poolTimes });
  await sql`select 1`.execute(server.app.db);
  proxy.goSilent();
  const pending = sql`select 1`.execute(server.app.db);
  await expect(pending).rejects.toThrow('Query read timeout');
  proxy.recover();
});

test('a full disk results in 503 and is logged in one line', async () => {
  const { lines, log } = captureLog();
  await using server = await startServer({ log });
  const alice = await server.user('alice');
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  server.app.storage.put = server.app.storage.putFile = () => Promise.reject(full);
  const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const response = await alice.post('/api/v1/media', await multipart({ file: new Blob([image]) }), allowServerError);
    expect([response.status, response.headers['retry-after']]).toEqual([503, '10']);
  }
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['the disk is full']);
});

test('an App closes while PostgreSQL is silent and a statement is pending', async () => {
  await using proxy = await DatabaseProxy.start();
  const server = await startServer({ connection: proxy.connection, poolTimes: { ...poolTimeouts, closeMs: 300 } });
  await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.01)`.execute(server.app.db)));
  proxy.goSilent();
  server.expectNoDatabase();
  const pending = sql`select 1`.execute(server.app.db);
  await Promise.all([expect(pending).rejects.toThrow(DatabaseUnavailable), server[Symbol.asyncDispose]()]);
});
