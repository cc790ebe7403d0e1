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
    const sent = request({ agent, port, path, host: '127.0.0.1', headers: { accept } }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.once('end', () =>
        resolve({ status: answer.statusCode, headers: answer.headers, text: Buffer.concat(pieces).toString() }),
      );
    });
    sent.once('error', reject).end();
  });
}

test('a server that stops answers what it was asked, and refuses the rest in its own shape', async () => {
  await using server = await startServer();
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  server.http.addHook('onRequest', async (incoming) => {
    if (incoming.url !== '/api/v1/instance') return;
    asked.resolve();
    await answered.promise;
  });
  await server.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.http.server.address() as AddressInfo;
  const connections = [1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
  const [first, second] = connections as [Agent, Agent];
  const early = get(first, port, '/api/v1/instance');
  await asked.promise;
  // Sent on a connection on which another request is still being answered.
  const late = get(first, port, '/api/v1/instance/rules');
  const closed = server.http.close();
  answered.resolve();
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
