import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { startServer } from '../server.ts';

interface Received {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

function get(agent: Agent, port: number, path: string, accept = '*/*'): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, port, path, host: '127.0.0.1', headers: { accept } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() }),
      );
    });
    sent.once('error', reject).end();
  });
}

test('a stopping server answers what arrives on open connections, closes those, and opens no streams', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const requested = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let open = 0;
  server.http.addHook('onRequest', async (incoming) => {
    if (incoming.url !== '/api/v1/instance') return;
    open += 1;
    if (open === 2) requested.resolve();
    await released.promise;
  });
  await server.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.http.server.address() as AddressInfo;
  const connections = [1, 2, 3].map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
  const [first, second, third] = connections as [Agent, Agent, Agent];
  const early = [get(first, port, '/api/v1/instance'), get(second, port, '/api/v1/instance')];
  await requested.promise;
  // Sent on connections with another pending request, as by a proxy that does not know yet that the server stops.
  const late = get(first, port, '/api/v1/instance/rules');
  const stream = get(second, port, `/api/v1/streaming/user?access_token=${alice.token}`);
  const closed = server.http.close();
  released.resolve();
  for (const { status } of await Promise.all(early)) expect(status).toBe(200);
  const { status, headers, text } = await late;
  expect([status, headers['connection'], JSON.parse(text)]).toEqual([200, 'close', []]);
  const refused = await stream;
  expect([
    refused.status,
    refused.headers['retry-after'],
    refused.headers['connection'],
    JSON.parse(refused.text),
  ]).toEqual([503, '10', 'close', { error: 'The server is stopping' }]);
  await closed;
  await expect(get(third, port, '/')).rejects.toThrow();
});
