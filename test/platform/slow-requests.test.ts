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

/** Longer than a busy machine needs; each test shortens the timeout that it covers. */
const requestTimeouts: RequestTimeouts = {
  headersMs: 60_000,
  requestMs: 60_000,
  slowBodyMs: 60_000,
  idleMs: 60_000,
  minBitsPerSecond: 8_000,
  unreadBodyMs: 60_000,
  responseMs: 60_000,
  stalledMs: 60_000,
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
  /** Bytes per chunk. */
  readonly chunkBytes: number;
  /** Milliseconds between two chunks. */
  readonly pauseMs?: number;
  /** Returns whether to send another chunk. */
  readonly sendsMore: (chunkCount: number) => boolean;
  /** Whether the body is completed after the last chunk; otherwise the client stops in the middle. */
  readonly ends: boolean;
}

/** Sends a file slowly. Returns the response, and the number of bytes sent before it arrived. */
async function send(port: number, { path, chunkBytes, pauseMs = 20, sendsMore, ends }: RequestChunks) {
  const socket = await open(port);
  const responded = new AbortController();
  const response = readText(socket).finally(() => responded.abort());
  const chunk = (text: string): void =>
    void (socket.destroyed || socket.write(`${text.length.toString(16)}\r\n${text}\r\n`));
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: multipart/form-data; boundary=x\r\ntransfer-encoding: chunked\r\n\r\n`,
  );
  chunk(head);
  let chunkCount = 0;
  for (; sendsMore(chunkCount) && !responded.signal.aborted; chunkCount += 1) {
    chunk('y'.repeat(chunkBytes));
    await pause(pauseMs);
  }
  if (ends) {
    chunk(tail);
    if (!socket.destroyed) socket.write('0\r\n\r\n');
  }
  return { response: await response, bytes: chunkCount * chunkBytes };
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Reads until the socket closes. A write after the server closed it fails, which must not lose the response. */
function readText(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  return new Promise((resolve) => socket.once('close', () => resolve(text)));
}

test('MED-01: only large uploads may take as long as a slow connection needs', async () => {
  await using server = await listen({ ...requestTimeouts, requestMs: 3_000 });
  let isRefused = false;
  const usual = send(server.port, { path: '/api/usual', chunkBytes: 2_000, sendsMore: () => true, ends: true });
  const large = send(server.port, { path: '/api/large', chunkBytes: 2_000, sendsMore: () => !isRefused, ends: true });
  expect((await usual).response).toMatch(/^HTTP\/1.1 408 /);
  isRefused = true;
  const { response, bytes } = await large;
  expect(response).toMatch(/^HTTP\/1.1 200 /);
  expect(response).toContain(`"size":${bytes}}`);
});

test('an upload that stalls or drips is refused', async () => {
  await using server = await listen({ ...requestTimeouts, idleMs: 300 });
  const path = '/api/large';
  const sent = await Promise.all([
    send(server.port, { path, chunkBytes: 2_000, sendsMore: (chunkCount) => chunkCount < 2, ends: false }),
    send(server.port, { path, chunkBytes: 1, pauseMs: 50, sendsMore: () => true, ends: true }),
  ]);
  for (const { response } of sent) expect(response).toMatch(/^HTTP\/1.1 408 /);
});
