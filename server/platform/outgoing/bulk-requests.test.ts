import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { describeTemporaryFailure } from '../temporary-failures.ts';
import { BulkRequests } from './bulk-requests.ts';
import type { HttpClientSettings } from './http-client.ts';
import { OutgoingError } from './outgoing-error.ts';
import type { Outgoing, OutgoingRequest } from './outgoing.ts';

/** More than start the thread, even if a second ends between them. */
const many = 150;
const log = pino({ level: 'silent' });
const closers: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closers.splice(0)) await close();
});

/** Bulk requests whose client answers 299 without a host, so that the status shows who sent a request. */
function bulkRequests(settings: Partial<HttpClientSettings> = {}) {
  const client: Outgoing = {
    request: async (url) => ({ status: 299, headers: {}, body: Buffer.alloc(0), url }),
    close: async () => undefined,
  };
  const defaults = { allowsPrivate: true, proxy: undefined, userAgent: 'Test', maxSockets: undefined };
  const bulk = new BulkRequests(client, { ...defaults, ...settings }, log);
  closers.push(() => bulk.close());
  return bulk;
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const delivery: OutgoingRequest = {
  method: 'POST',
  ignoreBody: true,
  isIdempotent: true,
  body: Buffer.from('Hello'),
  // Enough on a very busy machine.
  timeoutMs: 300_000,
};
const sendMany = (bulk: BulkRequests, url: string): Promise<number[]> =>
  Promise.all(Array.from({ length: many }, async (_, n) => (await bulk.request(`${url}/${n}`, delivery)).status));

/** Sends as many requests as start the thread. The client answers those before. */
const startThread = (bulk: BulkRequests): Promise<unknown> =>
  Promise.allSettled(Array.from({ length: many }, () => bulk.request('http://127.0.0.1:1/', delivery)));

async function failureOf(request: Promise<unknown>): Promise<unknown> {
  return request.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test('a thread sends what comes after the first requests of a second, with headers and body', async () => {
  const received = new Map<string, string>();
  const origin = await serve((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      received.set(
        String(request.url),
        `${request.headers['user-agent']} ${String(request.headers['x-number'])} ${body}`,
      );
      response.writeHead(202, { 'retry-after': '7' }).end();
    });
  });
  const bulk = bulkRequests();
  expect(await bulk.request(`${origin}/`, delivery)).toMatchObject({ status: 299 });
  const statuses = await sendMany(bulk, origin);
  const byThread = statuses.flatMap((status, n) => (status === 202 ? [`/${n}`] : []));
  expect(byThread.length).toBeGreaterThan(0);
  expect([...received.keys()].toSorted()).toEqual(byThread.toSorted());
  const last = await bulk.request(`${origin}/last`, { ...delivery, headers: { 'x-number': '3' } });
  expect(last).toMatchObject({ status: 202, headers: { 'retry-after': '7' }, url: `${origin}/last` });
  expect(received.get('/last')).toBe('Test 3 Hello');
});

test('errors in the thread are those of the client', async () => {
  const origin = await serve((request) => request.socket.destroy());
  const open = bulkRequests();
  await startThread(open);
  const closed = await failureOf(open.request(origin, delivery));
  expect(closed).toBeInstanceOf(OutgoingError);
  expect(closed).toMatchObject({ reason: 'unreachable', cause: { code: 'UND_ERR_SOCKET' } });
  const late = failureOf(open.request(await serve(() => undefined), { ...delivery, timeoutMs: 1 }));
  expect(await late).toMatchObject({ reason: 'timeout' });
  const strict = bulkRequests({ allowsPrivate: false });
  await startThread(strict);
  expect(await failureOf(strict.request('https://127.0.0.1/', delivery))).toMatchObject({ reason: 'refused' });
  const proxied = bulkRequests({ proxy: 'http://127.0.0.1:1' });
  await startThread(proxied);
  const { cause } = (await failureOf(proxied.request('http://a.test/', delivery))) as Error;
  expect(describeTemporaryFailure(cause)).toBe('the proxy of OUTGOING_PROXY is unavailable');
});

test('a thread without requests ends, and the next requests are sent without it', async () => {
  const origin = await serve((_request, response) => response.writeHead(202).end());
  const bulk = bulkRequests();
  await startThread(bulk);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  expect(await bulk.request(origin, delivery)).toMatchObject({ status: 202 });
  vi.advanceTimersByTime(89_000);
  expect(await bulk.request(origin, delivery)).toMatchObject({ status: 202 });
  vi.advanceTimersByTime(91_000);
  expect(await bulk.request(origin, delivery)).toMatchObject({ status: 299 });
});

test('requests whose thread ends fail, and no host is to blame', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const origin = await serve(() => arrive());
  const bulk = bulkRequests();
  await startThread(bulk);
  const failure = failureOf(bulk.request(origin, delivery));
  await arrived;
  await bulk.close();
  expect(await failure).toEqual(new Error('the thread of bulk requests ended'));
  expect(await failure).not.toBeInstanceOf(OutgoingError);
});

test('after the thread failed, requests are sent without one', async () => {
  const bulk = bulkRequests({ proxy: 'nonsense' });
  await startThread(bulk);
  expect(new Set(await sendMany(bulk, 'http://127.0.0.1:1'))).toEqual(new Set([299]));
});
