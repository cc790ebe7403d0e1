import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { fileSchema } from '../../server/platform/http/params.ts';
import { post } from '../../server/platform/http/routes.ts';
import { createServer } from '../../server/platform/http/server.ts';
import type { RequestTimes } from '../../server/platform/http/slow-requests.ts';
import { startServer } from '../server.ts';

/** A second stands for a minute and more. */
const times: RequestTimes = { headers: 300, whole: 400, slowBody: 5_000, idle: 300, slowest: 8_000, unread: 400 };

const common = {
  access: 'anyone',
  input: Type.Object({ file: Type.Optional(fileSchema()) }),
  response: Type.Object({ size: Type.Integer() }),
} as const;

const routes = [
  post('/api/large', {
    ...common,
    summary: 'Large',
    bodyLimit: 10_000_000,
    slowBody: true,
    handle: ({ input }) => ({ size: input.file?.size ?? 0 }),
  }),
  post('/api/usual', { ...common, summary: 'Usual', handle: ({ input }) => ({ size: input.file?.size ?? 0 }) }),
];

async function listen() {
  const stack = new AsyncDisposableStack();
  const server = stack.use(await startServer());
  const http = createServer(server.app, { routes, allows: () => true }, times);
  stack.defer(() => http.close());
  await http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.server.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose]() };
}

const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
const tail = '\r\n--x--\r\n';

interface Sent {
  readonly path: string;
  readonly pieces: number;
  /** Bytes. */
  readonly piece: number;
  /** Milliseconds. */
  readonly every: number;
}

/** Sends a file slowly; gives what came back. */
async function send(port: number, { path, pieces, piece, every }: Sent): Promise<string> {
  const socket = await open(port);
  const answer = textOf(socket);
  const length = head.length + pieces * piece + tail.length;
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: ${length}\r\n\r\n${head}`,
  );
  for (let count = 0; count < pieces && !socket.destroyed; count += 1) {
    socket.write('y'.repeat(piece));
    await pause(every);
  }
  if (!socket.destroyed) socket.write(tail);
  return answer;
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

async function textOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  await once(socket, 'close');
  return text;
}

test('MED-01: a large upload takes as long as a slow line needs, and no other request does', async () => {
  await using server = await listen();
  const slow = { pieces: 12, piece: 2_000, every: 80 };
  const [large, usual] = await Promise.all([
    send(server.port, { path: '/api/large', ...slow }),
    send(server.port, { path: '/api/usual', ...slow }),
  ]);
  expect(large).toMatch(/^HTTP\/1.1 200 .*"size":24000\}$/s);
  expect(usual).toMatch(/^HTTP\/1.1 408 /);
});

test('who stops in the middle of an upload, or drips it, is refused', async () => {
  await using server = await listen();
  const answers = await Promise.all([
    send(server.port, { path: '/api/large', pieces: 2, piece: 2_000, every: 900 }),
    send(server.port, { path: '/api/large', pieces: 30, piece: 1, every: 50 }),
  ]);
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 408 /);
});
