import { sql } from 'kysely';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { accountChanged } from '../../server/accounts/index.ts';
import type { App } from '../../server/platform/app.ts';
import { listenerApplicationName } from '../../server/platform/database/channel-listener.ts';
import { PostgresBus } from '../../server/platform/bus/postgres-bus.ts';
import { CommitUnknown } from '../../server/platform/wire/database-unavailable.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { DatabaseProxy } from '../database-proxy.ts';
import { startServer } from '../server.ts';

/** Creates a bus on the database of an App that listens through a proxy; `gap` resolves at the next reported gap. */
function createBus(app: App, proxy: DatabaseProxy) {
  const { database = '' } = app.pool.options;
  const times = { checkMs: 50, responseMs: 3_000, retryMs: 20 };
  const bus = new PostgresBus({
    pool: app.pool,
    connection: { ...proxy.connection, database },
    onError: () => {},
    timeouts: times,
  });
  onTestFinished(() => bus.close());
  let waiting = Promise.withResolvers<void>();
  bus.onGap(() => {
    waiting.resolve();
    waiting = Promise.withResolvers();
  });
  return { bus, gap: () => waiting.promise };
}

async function countListeners(app: App): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name = ${listenerApplicationName}`.execute(app.db);
  return rows[0]?.count ?? 0;
}

/** A session whose connection broke exists until PostgreSQL notices. */
async function waitForListeners(app: App, expected: number): Promise<void> {
  await expect.poll(() => countListeners(app)).toBe(expected);
}

test('a process listens on one connection, however often it breaks or falls silent', async () => {
  await using proxy = await DatabaseProxy.start();
  await using server = await startServer();
  const { bus, gap } = createBus(server.app, proxy);
  await bus.start();
  for (let broken = 0; broken < 10; broken += 1) {
    const reported = gap();
    proxy.closeConnections();
    await reported;
  }
  for (const fail of [() => proxy.goSilent(), () => proxy.refuse()]) {
    const reported = gap();
    const before = proxy.accepted;
    fail();
    // A new connection was tried and failed.
    await expect.poll(() => proxy.accepted).toBeGreaterThanOrEqual(before + 2);
    expect(bus.isInterrupted).toBe(true);
    proxy.recover();
    await reported;
    expect(bus.isInterrupted).toBe(false);
  }
  await waitForListeners(server.app, 1);
  const received = new Set<unknown>();
  bus.subscribe('things', (value) => received.add(value));
  // A message is lost if a slow answer made the bus connect again.
  await expect
    .poll(async () => {
      await sql`select pg_notify('fieldfare', '["other", [["things", 7]]]')`.execute(server.app.db);
      return [...received];
    })
    .toEqual([7]);
  await waitForListeners(server.app, 1);
  await bus.close();
  await waitForListeners(server.app, 0);
});

test('a process that could not publish a message makes the others clear their caches', async () => {
  await using proxy = await DatabaseProxy.start();
  await using disconnected = await startServer({ connection: proxy.connection });
  const { database = '' } = disconnected.app.pool.options;
  await using direct = await DatabaseProxy.start();
  const one = createBus(disconnected.app, direct);
  await one.bus.start();
  const other = new PostgresBus({
    pool: disconnected.app.pool,
    connection: { ...direct.connection, database },
    onError: () => {},
  });
  await other.start();
  onTestFinished(() => other.close());
  const cleared = Promise.withResolvers<void>();
  other.onGap(cleared.resolve);
  proxy.refuse();
  const before = proxy.accepted;
  one.bus.publish('things', 1);
  await expect.poll(() => proxy.accepted).toBeGreaterThan(before);
  proxy.recover();
  await cleared.promise;
});

test('after a gap no cached value is used: a token revoked in the meantime is refused', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(200);
  await sql`update oauth_tokens set revoked_at = now()`.execute(server.db);
  expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(200);
  (server.app.bus as PostgresBus).reportGap();
  expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(401);
});

test('after a commit whose answer was lost no cached value is used, although its events were not published', async () => {
  await using proxy = await DatabaseProxy.start();
  await using server = await startServer({ connection: proxy.connection });
  const alice = await server.user('alice');
  const readName = async (): Promise<string> =>
    (await alice.get(`/api/v1/accounts/${alice.id}`, { allowServerError: true })).json.display_name;
  expect(await readName()).toBe('');
  const committed = transaction(server.app, async ({ db, emit }) => {
    await sql`update accounts set display_name = 'Alice B.' where id = ${alice.id}::bigint`.execute(db);
    emit(accountChanged({ accountId: alice.id }));
    proxy.dropAnswers();
  });
  committed.catch(() => {});
  const direct = new pg.Client({ ...inject('connection'), database: server.app.pool.options.database });
  await direct.connect();
  await expect
    .poll(async () => (await direct.query('select 1 from accounts where display_name = $1', ['Alice B.'])).rowCount)
    .toBe(1);
  await direct.end();
  proxy.closeConnections();
  await expect(committed).rejects.toThrow(CommitUnknown);
  expect(await readName()).toBe('Alice B.');
});
