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

test('a stopping server completes the requests that it has received, and refuses later ones with 503', async () => {
  await using server = await startServer();
  const requested = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  server.http.addHook('onRequest', async (incoming) => {
    if (incoming.url !== '/api/v1/instance') return;
    requested.resolve();
    await released.promise;
  });
  await server.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.http.server.address() as AddressInfo;
  const connections = [1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
  const [first, second] = connections as [Agent, Agent];
  const early = get(first, port, '/api/v1/instance');
  await requested.promise;
  // Sent on a connection with another pending request.
  const late = get(first, port, '/api/v1/instance/rules');
  const closed = server.http.close();
  released.resolve();
  expect((await early).status).toBe(200);
  const { status, headers, text } = await late;
  expect([status, headers['retry-after'], headers['connection'], JSON.parse(text)]).toEqual([
    503,
    '10',
    'close',
    { error: 'The server is stopping' },
  ]);
  await closed;
  await expect(get(second, port, '/')).rejects.toThrow();
});
