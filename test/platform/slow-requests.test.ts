import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { fileSchema } from '../../server/platform/http/parse-params.ts';
import { post } from '../../server/platform/http/routes.ts';
import { createServer } from '../../server/platform/http/create-server.ts';
import type { RequestTimeouts } from '../../server/platform/http/slow-requests.ts';
import { startServer } from '../server.ts';

/** Longer than a busy machine needs; a test shortens the time that it is about. */
const requestTimeouts: RequestTimeouts = {
  headersMs: 60_000,
  requestMs: 60_000,
  slowBodyMs: 60_000,
  idleMs: 60_000,
  minBitsPerSecond: 8_000,
  unreadBodyMs: 60_000,
};

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
    allowSlowBody: true,
    handle: ({ input }) => ({ size: input.file?.size ?? 0 }),
  }),
  post('/api/usual', { ...common, summary: 'Usual', handle: ({ input }) => ({ size: input.file?.size ?? 0 }) }),
];

async function listen(timeouts: RequestTimeouts) {
  const stack = new AsyncDisposableStack();
  const server = stack.use(await startServer());
  const http = createServer(
    server.app,
    { routes, authenticate: async () => undefined, scopeAllows: () => true },
    timeouts,
  );
  stack.defer(() => http.close());
  await http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.server.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose]() };
}

const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
const tail = '\r\n--x--\r\n';

interface RequestChunks {
  readonly path: string;
  /** Bytes. */
  readonly piece: number;
  /** Milliseconds between two pieces. */
  readonly every?: number;
  /** Returns whether another piece is sent. */
  readonly more: (pieces: number) => boolean;
  /** The body ends after the last piece; without it, the client stops in the middle. */
  readonly ends: boolean;
}

/** Sends a file slowly. Returns the response, and how many bytes of the file were sent before it came. */
async function send(port: number, { path, piece, every = 20, more, ends }: RequestChunks) {
  const socket = await open(port);
  const answered = new AbortController();
  const answer = readText(socket).finally(() => answered.abort());
  const chunk = (text: string): void =>
    void (socket.destroyed || socket.write(`${text.length.toString(16)}\r\n${text}\r\n`));
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: multipart/form-data; boundary=x\r\ntransfer-encoding: chunked\r\n\r\n`,
  );
  chunk(head);
  let pieces = 0;
  for (; more(pieces) && !answered.signal.aborted; pieces += 1) {
    chunk('y'.repeat(piece));
    await pause(every);
  }
  if (ends) {
    chunk(tail);
    if (!socket.destroyed) socket.write('0\r\n\r\n');
  }
  return { answer: await answer, bytes: pieces * piece };
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

async function readText(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  await once(socket, 'close');
  return text;
}

test('MED-01: a large upload takes as long as a slow line needs, and no other request does', async () => {
  await using server = await listen({ ...requestTimeouts, requestMs: 400 });
  let isRefused = false;
  const usual = send(server.port, { path: '/api/usual', piece: 2_000, more: () => true, ends: true });
  const large = send(server.port, { path: '/api/large', piece: 2_000, more: () => !isRefused, ends: true });
  expect((await usual).answer).toMatch(/^HTTP\/1.1 408 /);
  isRefused = true;
  const { answer, bytes } = await large;
  expect(answer).toMatch(/^HTTP\/1.1 200 /);
  expect(answer).toContain(`"size":${bytes}}`);
});

test('who stops in the middle of an upload, or drips it, is refused', async () => {
  await using server = await listen({ ...requestTimeouts, idleMs: 300 });
  const path = '/api/large';
  const sent = await Promise.all([
    send(server.port, { path, piece: 2_000, more: (pieces) => pieces < 2, ends: false }),
    send(server.port, { path, piece: 1, every: 50, more: () => true, ends: true }),
  ]);
  for (const { answer } of sent) expect(answer).toMatch(/^HTTP\/1.1 408 /);
});
