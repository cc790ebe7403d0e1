import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { App } from '../../server/platform/app.ts';
import { listenerApplicationName } from '../../server/platform/database/channel-listener.ts';
import { PostgresBus } from '../../server/platform/bus/postgres-bus.ts';
import { DatabaseProxy } from '../database-proxy.ts';
import { startServer } from '../server.ts';

/** A bus on the database of an App, which listens through a proxy; `gap` resolves when it next reports one. */
function createBus(app: App, proxy: DatabaseProxy) {
  const { database = '' } = app.pool.options;
  const times = { checkMs: 50, responseMs: 1_000, retryMs: 20 };
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

/** A session whose connection was cut is there until PostgreSQL notices. */
async function waitForListeners(app: App, wanted: number): Promise<void> {
  while ((await countListeners(app)) !== wanted) await new Promise((resolve) => setImmediate(resolve));
}

test('however often its connection breaks or falls silent, a process listens on one connection', async () => {
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
    // It was tried again, and failed.
    while (proxy.accepted < before + 2) await new Promise((resolve) => setImmediate(resolve));
    proxy.recover();
    await reported;
  }
  await waitForListeners(server.app, 1);
  const heard = Promise.withResolvers<unknown>();
  bus.subscribe('things', heard.resolve);
  await sql`select pg_notify('fieldfare', '["other", [["things", 7]]]')`.execute(server.app.db);
  expect(await heard.promise).toBe(7);
  expect(await countListeners(server.app)).toBe(1);
  await bus.close();
  await waitForListeners(server.app, 0);
});

test('what one process could not tell the others makes them drop what they cached', async () => {
  await using proxy = await DatabaseProxy.start();
  await using cutOff = await startServer({ connection: proxy.connection });
  const { database = '' } = cutOff.app.pool.options;
  await using direct = await DatabaseProxy.start();
  const one = createBus(cutOff.app, direct);
  await one.bus.start();
  const other = new PostgresBus({
    pool: cutOff.app.pool,
    connection: { ...direct.connection, database },
    onError: () => {},
  });
  await other.start();
  onTestFinished(() => other.close());
  const told = Promise.withResolvers<void>();
  other.onGap(told.resolve);
  proxy.refuse();
  const before = proxy.accepted;
  one.bus.publish('things', 1);
  while (proxy.accepted === before) await new Promise((resolve) => setImmediate(resolve));
  proxy.recover();
  await told.promise;
});

test('after a gap nothing that was cached is served: a token revoked meanwhile is refused', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(200);
  await sql`update oauth_tokens set revoked_at = now()`.execute(server.db);
  expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(200);
  (server.app.bus as PostgresBus).reportGap();
  expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(401);
});
