import { expect, test } from 'vitest';
import { revokeTokens } from '../../../server/oauth/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { TokenId, UserId } from '../../../server/platform/ids.ts';
import { startServer, type TestServer } from '../../server.ts';

const day = 86_400;
const cleanUp = (server: TestServer) => server.runSchedule('oauth.clean_up_tokens');

async function register(server: TestServer) {
  const { json } = await server.anonymous.post('/api/v1/apps', {
    client_name: 'Elk',
    redirect_uris: 'https://elk.test/',
    scopes: 'read write',
  });
  return json as { id: string; client_id: string; client_secret: string };
}

async function appTokenOf(
  server: TestServer,
  { client_id, client_secret }: { client_id: string; client_secret: string },
) {
  const { json } = await server.anonymous.post('/oauth/token', {
    grant_type: 'client_credentials',
    client_id,
    client_secret,
  });
  return json.access_token as string;
}

const verify = (server: TestServer, token: string) =>
  server.anonymous.get('/api/v1/apps/verify_credentials', { headers: { authorization: `Bearer ${token}` } });

async function applicationIds(server: TestServer): Promise<string[]> {
  const { rows } = await server.pool.query<{ id: string }>('select id::text from oauth_applications order by id');
  return rows.map(({ id }) => id);
}

test('APP-02: a revoked token is revoked for a week, and unknown afterwards', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { rows } = await server.pool.query<{ id: TokenId }>('select id from oauth_tokens');
  await transaction(server.app, (tx) => revokeTokens(tx, { userId: alice.userId as UserId }));
  const answer = async () => (await alice.get('/api/v1/accounts/verify_credentials')).json.error;
  await server.pool.query('update oauth_tokens set revoked_at = $1', [server.clock.now()]);
  server.clock.advance(6 * day);
  await cleanUp(server);
  expect(await answer()).toBe('The access token was revoked');
  server.clock.advance(2 * day);
  await cleanUp(server);
  expect(rows).toHaveLength(1);
  expect((await server.pool.query('select from oauth_tokens')).rowCount).toBe(0);
  expect(await answer()).toBe('The access token is invalid');
});

test('APP-02: a token without a user is deleted when it was not used for 30 days; one of a user stays', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const app = await register(server);
  const [used, unused] = [await appTokenOf(server, app), await appTokenOf(server, app)];
  server.clock.advance(20 * day);
  expect((await verify(server, used)).status).toBe(200);
  server.clock.advance(20 * day);
  await cleanUp(server);
  expect((await verify(server, used)).status).toBe(200);
  expect((await verify(server, unused)).status).toBe(401);
  server.clock.advance(1_000 * day);
  await cleanUp(server);
  expect((await server.pool.query('select from oauth_tokens where user_id is null')).rowCount).toBe(0);
  expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(200);
  // The app gets a new one with its secret, unless it was deleted too.
  const renewed = await register(server);
  expect((await verify(server, await appTokenOf(server, renewed))).status).toBe(200);
});

test('APP-02: an app that nobody authorized is deleted after 90 days; one that a user authorized stays without its tokens', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const [testApp] = await applicationIds(server);
  const [unused, asking] = [await register(server), await register(server)];
  server.clock.advance(80 * day);
  await cleanUp(server);
  expect(await applicationIds(server)).toEqual([testApp, unused.id, asking.id].toSorted());
  await appTokenOf(server, asking);
  await transaction(server.app, (tx) => revokeTokens(tx, { userId: alice.userId as UserId }));
  server.clock.advance(20 * day);
  const young = await register(server);
  await cleanUp(server);
  expect(await applicationIds(server)).toEqual([testApp, asking.id, young.id].toSorted());
  server.clock.advance(40 * day);
  await cleanUp(server);
  expect(await applicationIds(server)).toEqual([testApp, young.id].toSorted());
});

test('APP-02: a waiting authorization keeps an old app', async () => {
  await using server = await startServer();
  const app = await register(server);
  server.clock.advance(89 * day);
  const device = await server.anonymous.post('/oauth/device_authorization', {
    client_id: app.client_id,
    client_secret: app.client_secret,
    scope: 'read',
  });
  expect(device.status, device.text).toBe(200);
  server.clock.advance(2 * day);
  await cleanUp(server);
  expect(await applicationIds(server)).toEqual([app.id]);
  await server.runSchedule('oauth.clean_up_device_requests');
  await cleanUp(server);
  expect(await applicationIds(server)).toEqual([]);
});
