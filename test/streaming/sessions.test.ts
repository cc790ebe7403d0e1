import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { deleteAccount } from '../../server/accounts/lifecycle/index.ts';
import { createHttp } from '../../server/app.ts';
import { revokeApplication } from '../../server/oauth/authorize/index.ts';
import { revokeTokens } from '../../server/oauth/index.ts';
import { disableUser, suspendAccount } from '../../server/moderation/index.ts';
import type { App } from '../../server/platform/app.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import type { ApplicationId } from '../../server/platform/ids.ts';
import { tickHeartbeat } from '../../server/streaming/connections/heartbeat.ts';
import { slotCount, streamHub } from '../../server/streaming/connections/hub.ts';
import { StreamEvent } from '../../server/streaming/connections/stream-event.ts';
import { changePassword } from '../../server/users/sign-in/index.ts';
import { startServer, type TestUser } from '../server.ts';
import { portOf, requestStream, TestEventSource, TestSocket } from '../streams.ts';

const staff = 'system';

const firstApplication = async (app: App): Promise<ApplicationId> =>
  (await app.db.selectFrom('oauth_applications').select('id').executeTakeFirstOrThrow()).id;

/** What ends the access of a user. */
const endings: readonly [name: string, end: (app: App, user: TestUser) => Promise<unknown>][] = [
  ['all tokens are revoked', (app, { userId }) => transaction(app, (tx) => revokeTokens(tx, { userId }))],
  [
    'the application is revoked',
    async (app, { userId }) => revokeApplication(app, userId, await firstApplication(app)),
  ],
  [
    'the password changes',
    (app, { userId }) =>
      changePassword(app, userId, { origin: {}, current: 'correct horse battery', password: 'another one 12' }),
  ],
  ['staff disable the user', (app, { id }) => disableUser(app, staff, { accountId: id })],
  ['staff suspend the account', (app, { id }) => suspendAccount(app, staff, { accountId: id })],
  ['the account is deleted', (app, { id }) => deleteAccount(app, id)],
];

test.for(endings)('STR-01: streams end when %s', async ([, end]) => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const socket = await TestSocket.open(server, alice, 'stream=user');
  const source = await TestEventSource.open(server, alice, '/user');
  const other = await TestSocket.open(server, bob, 'stream=user');
  await end(server.app, alice);
  expect(await socket.ended).toBe(1008);
  await source.ended;
  await other.flush();
  expect(streamHub(server.app).size).toBe(1);
  expect((await requestStream(server, '/user', alice.token)).statusCode).toBeGreaterThan(400);
  other.close();
});

test('STR-01: the revocation of one token leaves the streams of the others', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const other = await server.withScopes(alice, 'read');
  const [first, second] = [await TestSocket.open(server, alice), await TestSocket.open(server, other)];
  const [connection] = streamHub(server.app).connections();
  const tokenId = connection?.user.tokenId;
  if (tokenId === undefined) throw new Error('there is no connection');
  await transaction(server.app, (tx) => revokeTokens(tx, { tokenId }));
  expect(await first.ended).toBe(1008);
  await second.flush();
  second.close();
});

test('STR-01: a stream whose end was not announced, because the bus was down, ends within 30 seconds', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const socket = await TestSocket.open(server, alice, 'stream=user');
  await server.db.updateTable('oauth_tokens').set({ revoked_at: new Date() }).execute();
  await socket.flush();
  for (let tick = 0; tick < slotCount; tick += 1) await tickHeartbeat(server.app);
  expect(await socket.ended).toBe(1008);
});

test('STR-01: a client that does not read is disconnected, and delays no one', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const reader = await TestSocket.open(server, bob, 'stream=user');
  const idle = connect(await portOf(server), '127.0.0.1');
  idle.on('error', () => {});
  idle.write(
    'GET /api/v1/streaming?stream=user HTTP/1.1\r\nHost: fieldfare.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer ${alice.token}\r\n\r\n`,
  );
  const source = await TestEventSource.open(server, alice, '/user');
  source.response.pause();
  await expect.poll(() => streamHub(server.app).homes.get(alice.id).size).toBe(2);
  const event = new StreamEvent('update', 'x'.repeat(500_000));
  const sendToAlice = (): number => {
    for (const { connection, label } of streamHub(server.app).homes.get(alice.id)) connection.send(event, label);
    return streamHub(server.app).size;
  };
  await expect.poll(sendToAlice).toBe(1);
  await bob.post('/api/v1/statuses', { status: 'Still here' });
  expect(await reader.take()).toMatchObject([{ event: 'update' }]);
  reader.close();
  idle.destroy();
  source.close();
});

test('STR-01: a failure of the server is an error on the WebSocket, which stays open', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const socket = await TestSocket.open(server, alice, 'stream=user');
  await server.pool.query('alter table lists rename to lost_lists');
  socket.send({ type: 'subscribe', stream: 'list', list: '1' });
  expect(await socket.take()).toEqual([{ error: 'An unexpected error occurred', status: 500 }]);
  await server.pool.query('alter table lost_lists rename to lists');
  socket.send({ type: 'subscribe', stream: 'list', list: '1' });
  expect(await socket.take()).toEqual([{ error: 'Not authorized to stream this list', status: 401 }]);
  socket.close();
});

test('STR-01: streams end with code 1001 when the server stops', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const socket = await TestSocket.open(server, alice, 'stream=user');
  const source = await TestEventSource.open(server, alice, '/user');
  await server.http.close();
  expect(await socket.ended).toBe(1001);
  await source.ended;
  expect(streamHub(server.app).size).toBe(0);
});

test('STR-03: streaming requests that reach the host of the API are redirected to STREAMING_BASE_URL, others are served', async () => {
  await using server = await startServer({ settings: { STREAMING_BASE_URL: 'wss://stream.fieldfare.test' } });
  const alice = await server.user('alice');
  for (const path of ['/user?a=1', '?stream=user', '/nowhere']) {
    const { statusCode, headers } = await requestStream(server, path, undefined, { host: 'fieldfare.test' });
    expect([statusCode, headers.location]).toEqual([301, `https://stream.fieldfare.test/api/v1/streaming${path}`]);
  }
  const upgrade = await requestStream(server, '?stream=user', alice.token, {
    host: 'fieldfare.test',
    connection: 'upgrade',
    upgrade: 'websocket',
  });
  expect([upgrade.statusCode, upgrade.headers.location]).toEqual([
    301,
    'https://stream.fieldfare.test/api/v1/streaming?stream=user',
  ]);
  // Browsers send the cookie of the web client to its own host only.
  const own = { host: 'fieldfare.test', origin: 'https://fieldfare.test' };
  await TestSocket.open(server, alice, 'stream=user', { headers: own });
  const page = await requestStream(server, '/user', alice.token, own);
  expect(page.statusCode).toBe(301);
  for (const host of ['stream.fieldfare.test', '10.0.0.7:4000']) {
    const here = await requestStream(server, '/user', alice.token, { host });
    expect(here.statusCode).toBe(200);
    here.destroy();
  }
});

test('STR-03: a process without the streaming role has no streams; one with only this role has nothing else', async () => {
  await using server = await startServer();
  const statusOf = async (http: ReturnType<typeof createHttp>, url: string): Promise<number> =>
    (await http.inject({ method: 'GET', url })).statusCode;
  const web = createHttp(server.app, undefined, { web: true, streaming: false });
  expect(await statusOf(web, '/api/v1/streaming/user')).toBe(404);
  expect(await statusOf(web, '/api/v1/streaming')).toBe(404);
  expect(await statusOf(web, '/api/v1/instance')).toBe(200);
  const streaming = createHttp(server.app, undefined, { web: false, streaming: true });
  expect(await statusOf(streaming, '/api/v1/streaming/user')).toBe(401);
  expect(await statusOf(streaming, '/health')).toBe(200);
  expect(await statusOf(streaming, '/api/v1/instance')).toBe(404);
});
