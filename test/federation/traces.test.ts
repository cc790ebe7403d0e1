import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Collector, type ReceivedSpan } from '../collector.ts';
import { Network } from '../network.ts';
import { startServer, type TestServer } from '../server.ts';
import { postStatus, resolveAccountOn } from './two-servers.ts';

const settingsOf = ({ endpoint }: Collector, others: Record<string, string> = {}): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  ...others,
});

/** Makes servers send all spans that they recorded. */
const flush = async (...servers: readonly TestServer[]): Promise<void> => {
  for (const { app } of servers) await app.tracing?.close();
};

/** Returns the names from a span up to the start of its trace. */
function ancestry(trace: readonly ReceivedSpan[], name: string): string[] {
  const names: string[] = [];
  let span = trace.find((each) => each.name === name);
  while (span !== undefined) {
    names.push(span.name);
    const { parentSpanId } = span;
    span = trace.find(({ spanId }) => spanId === parentSpanId);
  }
  return names;
}

test('one trace leads from a post by its statements and jobs to the delivery; the receiver starts its own', async () => {
  await using collector = await Collector.start();
  await using network = new Network();
  const headers: Record<string, string>[] = [];
  const a = await network.start('a.test', { settings: settingsOf(collector, { OTEL_SERVICE_NAME: 'sender' }) });
  const b = await network.start('b.test', {
    settings: settingsOf(collector, {
      OTEL_SERVICE_NAME: 'receiver',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    }),
  });
  const alice = await a.user('alice');
  const bob = await b.user('bob');
  const aliceOnB = await resolveAccountOn(b, 'alice@a.test');
  await bob.post(`/api/v1/accounts/${aliceOnB}/follow`);
  await network.drain();

  const { request } = a.app.outgoing;
  Object.assign(a.app.outgoing, {
    request: (url: string, options: { headers?: Record<string, string> }) => {
      headers.push(options.headers ?? {});
      return request(url, options);
    },
  });
  await postStatus(alice, { status: 'a secret that nobody traces' });
  await network.drain();
  await flush(a, b);

  const sent = collector.traceOf('POST /api/v1/statuses');
  expect(new Set(sent.map(({ service }) => service))).toEqual(new Set(['sender']));
  expect(sent.find(({ name }) => name === 'POST /api/v1/statuses')).toMatchObject({
    parentSpanId: undefined,
    isFailed: false,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/api/v1/statuses',
      'http.response.status_code': 200,
    },
  });
  const storing = ['transaction', 'POST /api/v1/statuses'];
  expect(ancestry(sent, 'INSERT jobs')).toEqual(['INSERT jobs', ...storing]);
  const delivering = ['transaction', 'status.deliver_create default', ...storing];
  expect(ancestry(sent, 'INSERT activities')).toEqual(['INSERT activities', ...delivering]);
  const post = sent.find(({ name }) => name === 'POST');
  expect(post?.attributes).toEqual({
    'http.request.method': 'POST',
    'server.address': 'b.test',
    'http.response.status_code': 202,
  });
  expect(ancestry(sent, 'POST')).toEqual(['POST', 'deliver activity', ...delivering]);

  const received = collector.traceOf('process activity', 'receiver');
  expect(new Set(received.map(({ service }) => service))).toEqual(new Set(['receiver']));
  expect(ancestry(received, 'process activity').at(-1)).toMatch(/^POST .*\/inbox$/u);

  expect(headers.length).toBeGreaterThan(0);
  expect(headers.flatMap((each) => Object.keys(each)).filter((name) => /trace|baggage|b3/iu.test(name))).toEqual([]);
  expect(collector.requests.map(({ url }) => url)).not.toContain(undefined);
  expect(new Set(collector.requests.map(({ token }) => token))).toEqual(new Set([undefined, 'Bearer abc']));
  const text = collector.requests.map(({ body }) => body).join('\n');
  expect(text).toContain('deployment.environment.name');
  // Neither texts nor names, tokens or addresses of people.
  for (const secret of ['a secret that nobody traces', 'alice', 'bob', alice.token, bob.token, '127.0.0.1"'])
    expect(text).not.toContain(secret);
});

test('requests that share a transaction are in the trace of the first, with links to the others', async () => {
  await using collector = await Collector.start();
  await using server = await startServer({ settings: settingsOf(collector) });
  const alice = await server.user('alice');
  const { id } = await postStatus(alice, { status: 'popular' });
  const users = await Promise.all(['bob', 'carol', 'dave'].map((name) => server.user(name)));
  const replies = await Promise.all(users.map((user) => user.post(`/api/v1/statuses/${id}/favourite`)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  await server.drain();
  await flush(server);
  const requests = collector.spans.filter(({ name }) => name === 'POST /api/v1/statuses/:id/favourite');
  expect(new Set(requests.map(({ traceId }) => traceId)).size).toBe(3);
  const inserts = collector.spans.filter(({ name }) => name === 'INSERT favourites');
  const traces = new Set(requests.map(({ traceId }) => traceId));
  expect(inserts.length).toBeGreaterThan(0);
  for (const { traceId } of inserts) expect(traces).toContain(traceId);
  const shared = collector.spans.filter(({ name }) => name === 'shared work');
  const linked = new Set([...inserts.map(({ traceId }) => traceId), ...shared.flatMap(({ links }) => links)]);
  for (const traceId of traces) expect(linked).toContain(traceId);
});

const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = (flags: string): string => `00-${traceId}-b7ad6b7169203331-${flags}`;

test.each([
  ['off', '127.0.0.1', '203.0.113.5', false],
  ['on', '127.0.0.1', '203.0.113.5', true],
  ['on', '198.51.100.7', '203.0.113.5', false],
  ['on', '127.0.0.1', undefined, false],
])(
  'with TRACEPARENT_FROM_PROXIES %s, the header from %s for %s is used: %s',
  async (setting, remoteAddress, client, isUsed) => {
    await using collector = await Collector.start();
    await using server = await startServer({ settings: settingsOf(collector, { TRACEPARENT_FROM_PROXIES: setting }) });
    const headers = { traceparent: traceparent('01'), ...(client !== undefined && { 'x-forwarded-for': client }) };
    await server.http.inject({ url: '/api/v2/instance', remoteAddress, headers });
    await server.http.inject({
      url: '/api/v2/instance',
      remoteAddress,
      headers: { ...headers, traceparent: 'nonsense' },
    });
    await flush(server);
    const requests = collector.spans.filter(({ name }) => name === 'GET /api/v2/instance');
    expect(requests.map((span) => span.traceId === traceId)).toEqual([isUsed, false]);
  },
);

test('the sampler decides for a request and for all that it causes', async () => {
  await using collector = await Collector.start();
  await using server = await startServer({
    settings: settingsOf(collector, {
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
      TRACEPARENT_FROM_PROXIES: 'on',
    }),
  });
  const alice = await server.user('alice');
  await postStatus(alice, { status: 'not recorded' });
  await server.drain();
  const headers = { 'x-forwarded-for': '203.0.113.5', traceparent: traceparent('01') };
  await server.http.inject({ url: '/api/v2/instance', headers });
  await server.http.inject({ url: '/api/v2/instance', headers: { ...headers, traceparent: traceparent('00') } });
  await flush(server);
  expect(new Set(collector.spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
});

test('a failed request is a failed span without its message', async () => {
  await using collector = await Collector.start();
  await using server = await startServer({ settings: settingsOf(collector) });
  await server.db.schema.alterTable('custom_emojis').renameTo('hidden').execute();
  expect((await server.http.inject('/api/v1/custom_emojis')).statusCode).toBe(500);
  await server.db.schema.alterTable('hidden').renameTo('custom_emojis').execute();
  await flush(server);
  const trace = collector.traceOf('GET /api/v1/custom_emojis');
  expect(trace.find(({ name }) => name === 'GET /api/v1/custom_emojis')).toMatchObject({
    isFailed: true,
    attributes: { 'http.response.status_code': 500, 'error.type': '500' },
  });
  expect(trace.find(({ name }) => name === 'SELECT custom_emojis')).toMatchObject({
    isFailed: true,
    attributes: { 'error.type': '42P01' },
  });
  expect(collector.requests.map(({ body }) => body).join('')).not.toContain('does not exist');
});

test.each(['refuses traces', 'is silent', 'is gone'])('a collector that %s costs one log line', async (failure) => {
  await using collector = await Collector.start();
  collector.status = failure === 'is silent' ? undefined : 400;
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  await using server = await startServer({ settings: settingsOf(collector), log });
  if (failure === 'is gone') await collector.stop();
  const alice = await server.user('alice');
  const users = Array.from({ length: 700 }, () => alice.get('/api/v1/accounts/verify_credentials'));
  expect(new Set((await Promise.all(users)).map(({ status }) => status))).toEqual(new Set([200]));
  const countMessages = (): number =>
    lines.filter((line) => (JSON.parse(line) as { msg: string }).msg.includes('OTEL_EXPORTER_OTLP_ENDPOINT')).length;
  await expect.poll(countMessages).toBe(1);
  await flush(server);
  expect(countMessages()).toBe(1);
});

test('without a collector, nothing is recorded or stored', async () => {
  await using server = await startServer();
  expect(server.app.tracing).toBeUndefined();
  const alice = await server.user('alice');
  await postStatus(alice, { status: 'hello' });
  const jobs = await server.db.selectFrom('jobs').select('trace_parent').execute();
  expect(jobs.length).toBeGreaterThan(0);
  expect(jobs.filter(({ trace_parent }) => trace_parent !== null)).toEqual([]);
  await server.drain();
});
