import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { OutgoingSockets } from './outgoing-sockets.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(milliseconds = 0): Promise<string> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (_request, response) => {
    setTimeout(() => response.end('ok'), milliseconds);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const open = (maxSockets: number): OutgoingSockets =>
  new OutgoingSockets({
    resolve: (_hostname, callback) => callback(null, []),
    isAllowed: () => true,
    connectTimeoutMs: 30_000,
    maxSockets,
  });

const send = (sockets: OutgoingSockets, origin: string): Promise<string> =>
  sockets.withHost(origin, async (host) => {
    const { body } = await host.next().request({ path: '/', method: 'GET' });
    return body.text();
  });

test('the least recently used idle connections are closed to make room for new ones', async () => {
  const sockets = open(3);
  const origins = await Promise.all(Array.from({ length: 8 }, () => serve()));
  for (const origin of origins) expect(await send(sockets, origin)).toBe('ok');
  await expect.poll(() => sockets.openCount).toBeLessThanOrEqual(3);
  await sockets.close();
  await expect.poll(() => sockets.openCount).toBe(0);
});

test('a connection in use is never closed to make room', async () => {
  const sockets = open(2);
  const origins = await Promise.all(Array.from({ length: 6 }, () => serve(100)));
  expect(await Promise.all(origins.map((origin) => send(sockets, origin)))).toEqual(origins.map(() => 'ok'));
  await sockets.close();
});

test('requests to one host use up to four connections, and keep them', async () => {
  const sockets = open(10);
  const origin = await serve(20);
  let connectCount = 0;
  const sendCounting = (): Promise<string> =>
    sockets.withHost(origin, async (host) => {
      const { body } = await host.next().request({ path: '/', method: 'GET' });
      connectCount = host.connectCount;
      return body.text();
    });
  await sendCounting();
  await sendCounting();
  expect([connectCount, sockets.openCount]).toEqual([1, 1]);
  for (let round = 0; round < 2; round += 1) {
    expect(await Promise.all(Array.from({ length: 9 }, sendCounting))).toEqual(Array.from({ length: 9 }, () => 'ok'));
    expect([connectCount, sockets.openCount]).toEqual([4, 4]);
  }
  await sockets.close();
  await expect.poll(() => sockets.openCount).toBe(0);
});
