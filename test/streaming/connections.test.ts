import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { tickHeartbeat } from '../../server/streaming/connections/heartbeat.ts';
import { StreamConnection, type StreamUser } from '../../server/streaming/connections/connection.ts';
import { slotCount, streamHub } from '../../server/streaming/connections/hub.ts';
import { startServer, type TestServer } from '../server.ts';
import { portOf, requestStream, TestEventSource, TestSocket } from '../streams.ts';

/** Requests a WebSocket that is refused, and returns the response. */
async function refusedUpgrade(server: TestServer, query: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${await portOf(server)}/api/v1/streaming${query}`, { headers });
  socket.on('error', () => {});
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  const chunks = (await response.toArray()) as Buffer[];
  return { status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() };
}

async function readText(response: IncomingMessage): Promise<string> {
  return Buffer.concat((await response.toArray()) as Buffer[]).toString();
}

test('STR-01: a WebSocket takes its token from the header, the query or the protocol, in this order', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const nobody = { token: undefined as unknown as string };
  const byHeader = await TestSocket.open(server, alice, 'stream=user&access_token=wrong');
  const byQuery = await TestSocket.open(server, nobody, `stream=user&access_token=${alice.token}`);
  const byProtocol = await TestSocket.open(server, nobody, 'stream=user', { protocols: [alice.token ?? ''] });
  expect(byProtocol.socket.protocol).toBe(alice.token);
  await alice.post('/api/v1/statuses', { status: 'Hello' });
  for (const socket of [byHeader, byQuery, byProtocol]) {
    expect(await socket.take()).toMatchObject([{ stream: ['user'], event: 'update' }]);
    socket.close();
  }
});

test('STR-01: a ping of the client is answered', async () => {
  await using server = await startServer();
  const socket = await TestSocket.open(server, await server.user('alice'), '');
  socket.send({ type: 'ping' });
  expect(await socket.take()).toEqual([{ event: 'pong' }]);
  socket.close();
});

test('STR-01: an upgrade without a valid token is refused with the reason in a header', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const missing = await refusedUpgrade(server, '?stream=public');
  expect(missing).toMatchObject({ status: 401, text: '', headers: { 'x-error-message': 'Missing access token' } });
  expect(missing.headers['access-control-allow-origin']).toBe('*');
  const unknown = await refusedUpgrade(server, '?access_token=unknown');
  expect(unknown).toMatchObject({ status: 401, text: '', headers: { 'x-error-message': 'Invalid access token' } });
  const ofApp = await refusedUpgrade(server, `?access_token=${(await server.appToken('read')).token}`);
  expect(ofApp).toMatchObject({ status: 401, headers: { 'x-error-message': 'Invalid access token' } });
  const writer = await server.withScopes(alice, 'write');
  const narrow = await refusedUpgrade(server, '', { authorization: `Bearer ${writer.token}` });
  expect(narrow.headers['x-error-message']).toBe('Access token does not have the required scopes');
  const pending = await server.user('pending', { confirmed: false });
  const unconfirmed = await refusedUpgrade(server, '', { authorization: `Bearer ${pending.token}` });
  expect(unconfirmed).toMatchObject({ status: 403, text: '' });
  const elsewhere = new WebSocket(`ws://127.0.0.1:${await portOf(server)}/api/v1/accounts/lookup?acct=alice`);
  elsewhere.on('error', () => {});
  const [, response] = (await once(elsewhere, 'unexpected-response')) as [unknown, { statusCode: number }];
  expect(response.statusCode).toBe(200);
});

test('STR-01: the texts of errors are English, also for readers of German', async () => {
  await using server = await startServer();
  const anna = await server.user('anna');
  await server.db.updateTable('users').set({ locale: 'de' }).where('id', '=', anna.userId).execute();
  const headers = { 'accept-language': 'de' };
  const missing = await refusedUpgrade(server, '?stream=public', headers);
  expect(missing.headers['x-error-message']).toBe('Missing access token');
  const narrow = await server.withScopes(anna, 'write');
  const refused = await refusedUpgrade(server, '', { ...headers, authorization: `Bearer ${narrow.token}` });
  expect(refused.headers['x-error-message']).toBe('Access token does not have the required scopes');
  const socket = await TestSocket.open(server, anna, 'stream=no-such-stream', { headers });
  socket.send({ type: 'subscribe', stream: 'list', list: '1' });
  expect(await socket.take()).toEqual([
    { error: 'Unknown stream type', status: 400 },
    { error: 'Not authorized to stream this list', status: 401 },
  ]);
  socket.close();
});

test('STR-01: one WebSocket holds several streams, each once, until it unsubscribes', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const socket = await TestSocket.open(server, alice, 'stream=user');
  await socket.subscribe('user');
  await socket.subscribe('public:local');
  await socket.subscribe('hashtag', { tag: 'Birds' });
  await alice.post('/api/v1/statuses', { status: 'Hello #birds' });
  const streams = (await socket.take()).map(({ stream }) => stream);
  expect(streams.toSorted()).toEqual([['hashtag', 'Birds'], ['public:local'], ['user']]);
  for (const message of [{ stream: 'user' }, { stream: 'hashtag', tag: 'birds' }, { stream: 'direct' }])
    socket.send({ type: 'unsubscribe', ...message });
  await alice.post('/api/v1/statuses', { status: 'Again #birds' });
  expect(await socket.take()).toMatchObject([{ stream: ['public:local'], event: 'update' }]);
  socket.close();
});

test('STR-01: the path of a WebSocket names its first stream, as for server-sent events', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { json: list } = await alice.post('/api/v1/lists', { title: 'Birds' });
  const streams: readonly (readonly [path: string, query: string, stream: readonly string[]])[] = [
    ['/user', '', ['user']],
    ['/user/notification', '', ['user:notification']],
    ['/public', '', ['public']],
    ['/public', 'only_media=true', ['public:media']],
    ['/public/local', '', ['public:local']],
    ['/public/remote', '', ['public:remote']],
    ['/hashtag', 'tag=Birds', ['hashtag', 'Birds']],
    ['/hashtag/local', 'tag=birds', ['hashtag:local', 'birds']],
    ['/list', `list=${list.id}`, ['list', list.id]],
    ['/direct', '', ['direct']],
    ['/', 'stream=user', ['user']],
  ];
  for (const [path, query, [name = '', parameter]] of streams) {
    const socket = await TestSocket.open(server, alice, query, { path });
    const label = JSON.stringify(parameter === undefined ? [name] : [name, parameter]);
    const labels = [...streamHub(server.app).connections()].map(({ subscriptions }) => subscriptions[0]?.label);
    expect(labels.at(-1), `${path}?${query}`).toBe(label);
    socket.close();
  }
  const { id } = (await alice.post('/api/v1/statuses', { status: 'Hello' })).json;
  const socket = await TestSocket.open(server, alice, '', { path: '/user' });
  await alice.delete(`/api/v1/statuses/${id}`);
  expect(await socket.take()).toEqual([{ stream: ['user'], event: 'delete', payload: id }]);
  // The socket is like any other: it opens more streams.
  await socket.subscribe('public:local');
  socket.close();
  const missing = await TestSocket.open(server, alice, '', { path: '/hashtag' });
  expect(await missing.take()).toEqual([{ error: 'Missing tag name parameter', status: 400 }]);
  missing.close();
});

test('STR-01: errors of messages are sent on the WebSocket, which stays open', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id } = (await bob.post('/api/v1/lists', { title: 'Of Bob' })).json;
  const plain = new WebSocket(`ws://127.0.0.1:${await portOf(server)}/api/v1/streaming?access_token=${alice.token}`);
  await once(plain, 'open');
  plain.send(JSON.stringify({ type: 'unsubscribe', stream: 'hashtag' }));
  const [answer] = (await once(plain, 'message')) as [Buffer];
  expect(JSON.parse(answer.toString())).toEqual({ error: 'Error unsubscribing from channel', status: 400 });
  plain.terminate();
  const socket = await TestSocket.open(server, alice, 'stream=no-such-stream');
  for (const message of [
    { type: 'subscribe', stream: 'hashtag' },
    { type: 'subscribe', stream: 'hashtag:local', tag: '' },
    { type: 'subscribe', stream: 'list' },
    { type: 'subscribe', stream: 'list', list: id },
    { type: 'subscribe', stream: 'list', list: '1' },
    { type: 'subscribe', stream: 'list', list: 'one' },
    { type: 'resubscribe', stream: 'user' },
    { type: 'subscribe' },
    ['subscribe', 'user'],
  ]) {
    socket.send(message);
  }
  socket.send('no JSON');
  socket.send('null');
  expect(await socket.take()).toEqual([
    { error: 'Unknown stream type', status: 400 },
    { error: 'Missing tag name parameter', status: 400 },
    { error: 'Missing tag name parameter', status: 400 },
    { error: 'Missing list name parameter', status: 400 },
    { error: 'Not authorized to stream this list', status: 401 },
    { error: 'Not authorized to stream this list', status: 401 },
    { error: 'Not authorized to stream this list', status: 401 },
  ]);
  socket.close();
  const reader = await server.withScopes(alice, 'read:notifications');
  const narrow = await TestSocket.open(server, reader, 'stream=public');
  expect(await narrow.take()).toEqual([{ error: 'Access token does not have the required scopes', status: 401 }]);
  narrow.close();
});

test('STR-01: a binary message closes a WebSocket with code 1003, a long one with 1009', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const [binary, long] = [await TestSocket.open(server, alice), await TestSocket.open(server, alice)];
  binary.socket.send(Buffer.from([1, 2, 3]));
  long.send('x'.repeat(20_000));
  expect(await binary.ended).toBe(1003);
  expect(await long.ended).toBe(1009);
  await expect.poll(() => streamHub(server.app).size).toBe(0);
});

test('STR-01: a connection has at most 100 streams, a user at most 100 connections', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const first = await TestSocket.open(server, alice);
  for (let index = 0; index <= 100; index += 1)
    first.send({ type: 'subscribe', stream: 'hashtag', tag: `tag${index}` });
  expect(await first.take()).toEqual([{ error: 'Too many streams on this connection', status: 429 }]);
  const others = await Promise.all(Array.from({ length: 99 }, () => TestSocket.open(server, alice)));
  const refused = await refusedUpgrade(server, '', { authorization: `Bearer ${alice.token}` });
  expect(refused).toMatchObject({ status: 429, headers: { 'x-error-message': 'Too many open connections' } });
  expect((await requestStream(server, '/user', alice.token)).statusCode).toBe(429);
  (await TestSocket.open(server, bob)).close();
  for (const socket of [first, ...others]) socket.close();
});

test('STR-01: server-sent events begin with a comment and name the event', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const source = await TestEventSource.open(server, alice, '/user');
  expect(source.response.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'private, no-store',
    'transfer-encoding': 'chunked',
    'access-control-allow-origin': '*',
  });
  const status = (await alice.post('/api/v1/statuses', { status: 'Line one\n\nLine two' })).json;
  await once(source.response, 'data');
  expect(source.text).toMatch(/^:\)\n/);
  const [event] = await source.take();
  expect(event).toMatchObject({ event: 'update' });
  expect(JSON.parse(event?.payload ?? '')).toMatchObject({ id: status.id, content: status.content });
  source.close();
  const byQuery = await requestStream(server, `/public?access_token=${alice.token}`);
  expect(byQuery.statusCode).toBe(200);
  byQuery.destroy();
});

test('STR-01: server-sent events reach proxies that speak HTTP/1.0, without chunks, and clients that pipeline', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const request = (version: string): string =>
    `GET /api/v1/streaming/user?access_token=${alice.token} HTTP/${version}\r\nHost: fieldfare.test\r\n\r\n`;
  const health = 'GET /api/v1/streaming/health HTTP/1.1\r\nHost: fieldfare.test\r\n\r\n';
  const texts: string[] = [];
  const sockets = ([request('1.0'), health + request('1.1')] as const).map(async (requests, index) => {
    const socket = connect(await portOf(server), '127.0.0.1');
    texts[index] = '';
    socket.on('data', (chunk: Buffer) => (texts[index] += chunk.toString()));
    socket.write(requests);
    return socket;
  });
  await expect.poll(() => streamHub(server.app).homes.get(alice.id).size).toBe(2);
  await alice.post('/api/v2/filters', { title: 'Quiet', context: ['home'] });
  await expect.poll(() => texts[0]).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n:\)\nevent: filters_changed\ndata: 1\n\n$/s);
  const chunks = '3\r\n:)\n\r\n20\r\nevent: filters_changed\ndata: 1\n\n\r\n';
  await expect.poll(() => texts[1]?.endsWith(`\r\n\r\n${chunks}`)).toBe(true);
  for (const socket of await Promise.all(sockets)) socket.destroy();
});

test('STR-01: requests for server-sent events are refused in the words of Mastodon', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id } = (await bob.post('/api/v1/lists', { title: 'Of Bob' })).json;
  const writer = await server.withScopes(alice, 'write');
  const notified = await server.withScopes(alice, 'read:notifications');
  const reader = await server.withScopes(alice, 'read:statuses');
  const cases: [string, string | undefined, number, string][] = [
    ['/user', undefined, 401, 'Missing access token'],
    ['/user', 'unknown', 401, 'Invalid access token'],
    ['/user', (await server.appToken('read')).token, 401, 'Invalid access token'],
    ['/public', writer.token, 401, 'Access token does not have the required scopes'],
    ['/user', notified.token, 401, 'Access token does not have the required scopes'],
    ['/user/notification', reader.token, 401, 'Access token does not have the required scopes'],
    ['/list', alice.token, 400, 'Missing list name parameter'],
    [`/list?list=${id}`, alice.token, 401, 'Not authorized to stream this list'],
    ['/hashtag', alice.token, 400, 'Missing tag name parameter'],
    ['/hashtag/local', alice.token, 400, 'Missing tag name parameter'],
    ['/nowhere', alice.token, 400, 'Unknown channel requested'],
    ['', alice.token, 400, 'Unknown channel requested'],
  ];
  for (const [path, token, status, error] of cases) {
    const response = await requestStream(server, path, token);
    const body: unknown = JSON.parse(await readText(response));
    expect([path, response.statusCode, body]).toEqual([path, status, { error }]);
    expect(response.headers['access-control-allow-origin']).toBe('*');
  }
});

test('STR-01: the health of streaming needs no token', async () => {
  await using server = await startServer();
  const response = await requestStream(server, '/health');
  expect([response.statusCode, response.headers['content-type'], await readText(response)]).toEqual([
    200,
    'text/plain; charset=utf-8',
    'OK',
  ]);
});

/** A connection whose check takes a millisecond. */
class SlowToCheck extends StreamConnection {
  override readonly closed = Promise.resolve();
  readonly #onCheck: () => void;

  constructor(user: StreamUser, onCheck: () => void) {
    super(user);
    this.#onCheck = onCheck;
  }

  override send(): void {}
  override end(): void {}
  override heartbeat(): void {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    this.#onCheck();
  }
}

test('STR-01: the checks of very many connections leave turns for other work', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const socket = await TestSocket.open(server, alice);
  const hub = streamHub(server.app);
  const [open] = [...hub.connections()];
  let checks = 0;
  const perSecond = 96;
  for (let count = 0; count < perSecond * slotCount; count += 1) {
    hub.add(new SlowToCheck((open as StreamConnection).user, () => (checks += 1)));
  }
  let checksBeforeOtherWork = 0;
  const ticked = tickHeartbeat(server.app);
  setImmediate(() => (checksBeforeOtherWork = checks));
  await ticked;
  expect(checks).toBe(2 * perSecond);
  expect(checksBeforeOtherWork).toBeLessThan(perSecond);
  await Promise.all(hub.endWhere(() => true, 'stopping'));
  socket.close();
});

test('STR-01: a WebSocket is pinged every 30 seconds and closed if it does not answer; events get a comment every 15', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const source = await TestEventSource.open(server, alice, '/user');
  const alive = await TestSocket.open(server, alice);
  const silent = await TestSocket.open(server, alice);
  const pinged = once(alive.socket, 'ping');
  silent.socket.pause();
  const runTicks = async (count: number): Promise<void> => {
    for (let tick = 0; tick < count; tick += 1) await tickHeartbeat(server.app);
  };
  await runTicks(slotCount);
  await pinged;
  await alive.flush();
  const beats = (): number => source.text.split(':thump').length - 1;
  while (beats() < 2) await once(source.response, 'data');
  expect(streamHub(server.app).size).toBe(3);
  await runTicks(slotCount);
  expect(streamHub(server.app).size).toBe(2);
  await alive.flush();
  source.close();
  alive.close();
  silent.close();
});
