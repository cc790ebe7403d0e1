import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

const searchPath = '/api/v2/search?q=heron&type=statuses';

/** Makes every search for posts hang until the returned function is called. */
async function blockSearches(server: TestServer): Promise<() => Promise<void>> {
  const client = await server.pool.connect();
  await client.query('begin; lock table status_search in access exclusive mode');
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

const countHanging = async (server: TestServer): Promise<number> => {
  const { rows } = await server.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_locks where relation = 'status_search'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows[0]?.count ?? 0;
};

/** Sends a search over a connection that can be closed. */
async function openSearch(server: TestServer, user: TestUser): Promise<Socket> {
  const { port } = server.http.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.write(`GET ${searchPath} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${user.token}\r\n\r\n`);
  return socket;
}

test('SRC-01: while searches hang, others are served, further searches wait, and the newest beyond a limit is refused', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { json } = await alice.post('/api/v1/statuses', { status: 'a heron' });
  await server.drain();
  const unblock = await blockSearches(server);
  const running = [alice.get(searchPath), bob.get(searchPath)];
  await expect.poll(() => countHanging(server)).toBe(2);
  const answers: unknown[] = [];
  const waiting = Array.from({ length: 97 }, async () => {
    const response = await alice.get(searchPath, { allowServerError: true });
    answers.push([response.status, response.json.error, response.headers['retry-after']]);
    return response;
  });
  await expect.poll(() => answers).toEqual([[503, 'Too many searches are running; try again in a few seconds', '5']]);
  for (const path of ['/api/v1/timelines/home', '/api/v1/timelines/public'])
    expect((await alice.get(path)).json).toMatchObject([{ id: json.id }]);
  expect(await countHanging(server)).toBe(2);
  await unblock();
  const statuses = (await Promise.all([...running, ...waiting])).map(({ status }) => status);
  expect([
    statuses.filter((status) => status === 200).length,
    statuses.filter((status) => status === 503).length,
  ]).toEqual([98, 1]);
});

test('SRC-01: sixteen connections that search for everything at once are all served, and another account before most of them', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const unblock = await blockSearches(server);
  const ended: string[] = [];
  const search = async (user: TestUser, name: string): Promise<void> => {
    const { status } = await user.get('/api/v2/search?q=heron', { allowServerError: true });
    ended.push(`${name} ${status}`);
  };
  const searches = Array.from({ length: 16 }, () => search(alice, 'alice'));
  await expect.poll(() => countHanging(server)).toBeGreaterThan(0);
  searches.push(search(bob, 'bob'));
  await expect.poll(() => countHanging(server)).toBe(2);
  await unblock();
  await Promise.all(searches);
  expect(ended.toSorted()).toEqual([...Array.from({ length: 16 }, () => 'alice 200'), 'bob 200']);
  expect(ended.indexOf('bob 200')).toBeLessThan(8);
});

test('SRC-01: a search that takes too long is cancelled with 503', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const unblock = await blockSearches(server);
  const response = await alice.get(searchPath, { allowServerError: true });
  expect([response.status, response.json, response.headers['retry-after']]).toEqual([
    503,
    { error: 'This search takes too long; try fewer or rarer words' },
    '5',
  ]);
  expect(await countHanging(server)).toBe(0);
  await unblock();
});

test('SRC-01: a search ends when its client disconnects, and so does one that waits for its turn', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  await server.http.listen({ port: 0, host: '127.0.0.1' });
  const unblock = await blockSearches(server);
  const running = [await openSearch(server, alice), await openSearch(server, bob)];
  await expect.poll(() => countHanging(server)).toBe(2);
  const waiting = await openSearch(server, carol);
  waiting.destroy();
  for (const socket of running) socket.destroy();
  await expect.poll(() => countHanging(server)).toBe(0);
  const next = carol.get(searchPath);
  await expect.poll(() => countHanging(server)).toBe(1);
  await unblock();
  expect((await next).status).toBe(200);
  const { pool } = server.app;
  await expect.poll(() => [pool.waitingCount, pool.totalCount - pool.idleCount]).toEqual([0, 0]);
});
