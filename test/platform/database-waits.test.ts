import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { poolTimeouts, type PoolTimeouts } from '../../server/platform/wire/pool.ts';
import { startServer, type TestServer, type TestUser } from '../server.ts';

const allowServerError = { allowServerError: true };

/** Starts a server with two users whose caches are filled. */
async function start(timeouts: Partial<PoolTimeouts>): Promise<{ server: TestServer; alice: TestUser; bob: TestUser }> {
  const server = await startServer({ poolTimes: { ...poolTimeouts, ...timeouts } });
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  for (const user of [alice, bob]) expect((await user.get('/api/v1/instance/rules')).status).toBe(200);
  return { server, alice, bob };
}

/** Holds every access to a table until `release` is called. */
async function lockTable(server: TestServer, table: string): Promise<{ release: () => Promise<void> }> {
  const client = await server.pool.connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  return {
    release: async () => {
      await client.query('rollback');
      client.release();
    },
  };
}

const home = '/api/v1/timelines/home';

const getStatus = async (user: TestUser, path: string): Promise<number> =>
  (await user.get(path, allowServerError)).status;

/** Asserts that requests hold no connection and that none waits for one. */
async function expectNoWaits({ app: { pool } }: TestServer): Promise<void> {
  await expect.poll(() => [pool.waitingCount, pool.totalCount - pool.idleCount]).toEqual([0, 0]);
}

test.each([
  ['lock_timeout', { lockMs: 3_000 }],
  ['statement_timeout', { statementMs: 3_000 }],
  ['the timeout of responses', { responseMs: 5_000 }],
] as const)('requests that wait for a locked table get 503 by %s, and others are answered', async (_name, timeouts) => {
  const { server, alice, bob } = await start(timeouts);
  await using _server = server;
  const lock = await lockTable(server, 'home_feed');
  // Both share a statement.
  const waiting = Promise.all([getStatus(alice, home), getStatus(bob, home)]);
  expect(await getStatus(bob, '/api/v1/instance/rules')).toBe(200);
  expect(await getStatus(alice, '/api/v1/notifications')).toBe(200);
  expect(await waiting).toEqual([503, 503]);
  await lock.release();
  await expectNoWaits(server);
  expect(await Promise.all([getStatus(alice, home), getStatus(bob, home)])).toEqual([200, 200]);
});

test('a request that gets no connection gets 503, and leaves no place in the queue', async () => {
  const { server, alice } = await start({ connectMs: 3_000 });
  await using _server = server;
  const { pool } = server.app;
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  const waiting = [getStatus(alice, home), getStatus(alice, '/api/v1/notifications')];
  expect(await getStatus(alice, '/api/v1/instance/rules')).toBe(200);
  expect(await Promise.all(waiting)).toEqual([503, 503]);
  expect(pool.waitingCount).toBe(0);
  for (const client of held) client.release();
  expect(await getStatus(alice, home)).toBe(200);
  await expectNoWaits(server);
});

test('callers share the failure of a cache load that never ends, and the next one loads again', async () => {
  const { server, alice, bob } = await start({ lockMs: 3_000 });
  await using _server = server;
  const lock = await lockTable(server, 'announcements');
  const path = '/api/v1/announcements';
  expect(await Promise.all([getStatus(alice, path), getStatus(bob, path)])).toEqual([503, 503]);
  await lock.release();
  expect(await getStatus(alice, path)).toBe(200);
});

test('a post whose transaction waits for a lock gets 503, stores nothing, and the next post succeeds', async () => {
  const { server, alice, bob } = await start({ statementMs: 3_000 });
  await using _server = server;
  const lock = await lockTable(server, 'status_stats');
  const post = async (user: TestUser, status: string) =>
    (await user.post('/api/v1/statuses', { status }, allowServerError)).status;
  expect(await Promise.all([post(alice, 'Held'), post(bob, 'Held as well')])).toEqual([503, 503]);
  expect(await getStatus(alice, home)).toBe(200);
  await lock.release();
  await expectNoWaits(server);
  expect(await post(alice, 'Free')).toBe(200);
  const { rows } = await server.pool.query<{ text: string }>('select text from statuses');
  expect(rows).toEqual([{ text: 'Free' }]);
});

test('a client that leaves while its request waits leaves nothing behind, and another one with it is answered', async () => {
  const { server, alice, bob } = await start({});
  await using _server = server;
  const lock = await lockTable(server, 'home_feed');
  await server.http.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((server.http.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`GET ${home} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${alice.token}\r\n\r\n`);
  const isWaiting = async (): Promise<boolean> => {
    const { rows } = await server.pool.query(`select from pg_locks where not granted`);
    return rows.length > 0;
  };
  await expect.poll(isWaiting).toBe(true);
  const other = getStatus(bob, home);
  socket.destroy();
  await lock.release();
  expect(await other).toBe(200);
  await expectNoWaits(server);
});
