import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { startServer } from '../server.ts';

test('a thousand clients that disconnect leave no open transaction and no busy connection', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (let number = 1; number <= 25; number += 1) await alice.post('/api/v1/statuses', { status: `Post ${number}` });
  await server.drain();
  const before = await alice.get('/api/v1/timelines/home');
  await server.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.http.server.address() as AddressInfo;
  const disconnect = async (): Promise<void> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(`GET /api/v1/timelines/home HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${alice.token}\r\n\r\n`);
    await new Promise(setImmediate);
    socket.destroy();
  };
  for (let round = 0; round < 20; round += 1) await Promise.all(Array.from({ length: 50 }, disconnect));
  const after = await alice.get('/api/v1/timelines/home');
  expect(after.text).toBe(before.text);
  const { pool } = server.app;
  await expect.poll(() => [pool.waitingCount, pool.totalCount - pool.idleCount]).toEqual([0, 0]);
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
  );
  expect(rows[0]?.count).toBe(0);
});
