import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { createServer } from '../../server/platform/http/create-server.ts';
import { HttpResponse } from '../../server/platform/http/http-response.ts';
import { fileSchema } from '../../server/platform/http/parse-params.ts';
import { get, post, type Route } from '../../server/platform/http/routes.ts';
import type { ServerOptions } from '../../server/platform/http/server-options.ts';
import { requestTimeouts, type RequestTimeouts } from '../../server/platform/http/slow-requests.ts';
import { multipart, startServer } from '../server.ts';

const common = { summary: 'Test', access: 'anyone', response: Type.Unknown() } as const;
const healthy = get('/api/healthy', { ...common, handle: () => 'fine' });

async function serve(routes: Route[], timeouts: Partial<RequestTimeouts>, parts: Partial<ServerOptions> = {}) {
  const stack = new AsyncDisposableStack();
  const { app } = stack.use(await startServer());
  const http = createServer(
    app,
    { routes: [...routes, healthy], authenticate: async () => undefined, scopeAllows: () => true, ...parts },
    { ...requestTimeouts, ...timeouts },
  );
  stack.defer(() => http.close());
  await http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.server.address() as AddressInfo;
  const open = async (path: string): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
    return socket;
  };
  return { app, http, open, [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose]() };
}

const tooLate = { error: 'The server took too long to respond' };

test('a handler that never ends: the request gets 503, its signal aborts, and others are answered', async () => {
  const aborted = Promise.withResolvers<unknown>();
  const never = get('/api/never', {
    ...common,
    handle: ({ request: { signal } }) => {
      signal.addEventListener('abort', () => aborted.resolve(signal.reason));
      return new Promise(() => {});
    },
  });
  await using server = await serve([never], { responseMs: 3_000 });
  const waiting = server.http.inject('/api/never');
  expect((await server.http.inject('/api/healthy')).statusCode).toBe(200);
  const response = await waiting;
  expect([response.statusCode, response.json(), response.headers['retry-after']]).toEqual([503, tooLate, '10']);
  expect(await aborted.promise).toMatchObject({ status: 503 });
});

test('work that ends after the deadline: its file is closed and its upload is deleted', async () => {
  const released = Promise.withResolvers<void>();
  const stream = new Readable({ read() {} });
  const late = post('/api/late', {
    ...common,
    input: Type.Object({ file: fileSchema() }),
    handle: async () => {
      await released.promise;
      return new HttpResponse({ text: stream });
    },
  });
  await using server = await serve([late], { responseMs: 3_000 });
  const { payload, contentType } = await multipart({ file: new Blob(['bytes']) });
  const headers = { 'content-type': contentType };
  const response = await server.http.inject({ method: 'POST', url: '/api/late', payload, headers });
  expect([response.statusCode, response.json()]).toEqual([503, tooLate]);
  const listUploads = (): string[] => readdirSync(join(server.app.config.dataDir, 'tmp'));
  // The handler still uses it.
  expect(listUploads()).toHaveLength(1);
  released.resolve();
  await expect.poll(() => stream.destroyed).toBe(true);
  expect(listUploads()).toEqual([]);
});

test('blocks of addresses that never load result in 503', async () => {
  await using server = await serve([], { responseMs: 3_000 }, { isAccessDenied: () => new Promise(() => {}) });
  const response = await server.http.inject('/api/healthy');
  expect([response.statusCode, response.json()]).toEqual([503, tooLate]);
});

test('a client that does not read, or a source that does not go on, loses its connection, and others are answered', async () => {
  const streams = {
    endless: new Readable({ highWaterMark: 65_536, read: (size) => void streams.endless.push(Buffer.alloc(size)) }),
    silent: new Readable({ read() {} }),
  };
  const text = 'x'.repeat(50_000_000);
  const routes = [
    get('/api/endless', { ...common, handle: () => new HttpResponse({ text: streams.endless }) }),
    get('/api/silent', { ...common, handle: () => new HttpResponse({ text: streams.silent }) }),
    get('/api/long', { ...common, handle: () => new HttpResponse({ text }) }),
  ];
  await using server = await serve(routes, { stalledMs: 300 });
  const accepted: Socket[] = [];
  server.http.server.on('connection', (socket) => accepted.push(socket));
  const clients = await Promise.all(['/api/endless', '/api/silent', '/api/long'].map(server.open));
  expect((await server.http.inject('/api/healthy')).statusCode).toBe(200);
  await expect.poll(() => [accepted.length, accepted.filter(({ destroyed }) => !destroyed).length]).toEqual([3, 0]);
  await expect.poll(() => [streams.endless.destroyed, streams.silent.destroyed]).toEqual([true, true]);
  for (const client of clients) client.destroy();
});

test('a response that makes progress is sent completely, however long it takes', async () => {
  const text = 'x'.repeat(20_000_000);
  await using server = await serve([get('/api/long', { ...common, handle: () => new HttpResponse({ text }) })], {
    stalledMs: 5_000,
  });
  const socket = await server.open('/api/long');
  let size = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size >= text.length) break;
    await new Promise(setImmediate);
  }
  expect(size).toBeGreaterThanOrEqual(text.length);
});
