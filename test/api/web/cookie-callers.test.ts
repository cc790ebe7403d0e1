import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { once } from 'node:events';
import { accountSuspended } from '../../../server/accounts/index.ts';
import { disableUser } from '../../../server/moderation/index.ts';
import { revokeTokensAsStaff } from '../../../server/moderation/credentials/index.ts';
import { revokeTokens } from '../../../server/oauth/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { revokeOtherSessions } from '../../../server/users/sessions/index.ts';
import { Browser } from '../../browser.ts';
import { PushClient } from '../../push-client.ts';
import { Client, startServer, type TestServer, type TestUser } from '../../server.ts';
import { portOf, TestSocket } from '../../streams.ts';

const own = 'https://fieldfare.test';
const sessionName = '__Host-session';

/** Signs a user in with a new browser. */
async function signIn(server: TestServer, user: TestUser): Promise<Browser> {
  const browser = new Browser(server);
  await browser.signIn(user.username);
  return browser;
}

/** The header of the client that acts for an account. */
const actingFor = (user: TestUser): Record<string, string> => ({ 'fieldfare-account': user.id });

const home = '/api/v1/timelines/home';

test('OAU-01: the web client calls the API by the cookie of its session, with every scope', async () => {
  await using server = await startServer();
  const alice = await server.user('alice', { role: 'owner' });
  const browser = await signIn(server, alice);
  expect((await browser.fetch('GET', home)).status).toBe(200);
  expect(
    (await browser.fetch('GET', home, undefined, { ...actingFor(alice), 'sec-fetch-site': 'same-origin' })).status,
  ).toBe(200);
  const posted = await browser.fetch('POST', '/api/v1/statuses', { status: 'Hello' }, actingFor(alice));
  expect([posted.status, posted.json.account.id, posted.json.application]).toEqual([200, alice.id, null]);
  expect((await browser.fetch('GET', `/api/v1/statuses/${posted.json.id}`)).json.favourited).toBe(false);
  expect((await browser.fetch('GET', '/api/v1/admin/accounts')).status).toBe(200);
  expect((await browser.fetch('GET', '/api/v1/accounts/verify_credentials')).json.id).toBe(alice.id);
  expect((await browser.fetch('GET', '/api/v1/profile')).status).toBe(200);
});

test('OAU-01: the cookie counts for requests of our own pages only', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const browser = await signIn(server, alice);
  const status = async (method: 'GET' | 'POST', headers: Record<string, string>) => {
    const cookie = browser.cookieHeader;
    const body = method === 'POST' ? { status: 'x' } : undefined;
    const path = method === 'POST' ? '/api/v1/statuses' : home;
    return (await server.anonymous.call(method, path, body, { headers: { cookie, ...headers } })).status;
  };
  const account = actingFor(alice);
  const sameOrigin = { 'sec-fetch-site': 'same-origin' };
  expect(await status('GET', {})).toBe(401);
  expect(await status('GET', sameOrigin)).toBe(200);
  expect(await status('GET', account)).toBe(200);
  expect(await status('GET', { ...account, 'sec-fetch-site': 'cross-site' })).toBe(401);
  expect(await status('GET', { ...sameOrigin, origin: 'https://evil.test' })).toBe(401);
  expect(await status('POST', sameOrigin)).toBe(401);
  expect(await status('POST', { ...sameOrigin, origin: own })).toBe(401);
  expect(await status('POST', account)).toBe(200);
  expect(await status('POST', { ...account, ...sameOrigin, origin: own })).toBe(200);
  expect(await status('POST', { ...account, ...sameOrigin, origin: 'http://localhost:80' })).toBe(200);
  expect(await status('POST', { ...account, ...sameOrigin, origin: 'https://evil.test' })).toBe(401);
  expect(await status('POST', { ...account, 'sec-fetch-site': 'same-site', origin: own })).toBe(401);

  const other = await browser.fetch('GET', '/api/v2/instance', undefined, actingFor(bob));
  expect([other.status, other.json.error]).toEqual([
    409,
    'Another tab of this browser switched to another account. Reload the page to continue with it.',
  ]);
  await server.db.updateTable('users').set({ locale: 'de' }).where('id', '=', alice.userId).execute();
  const german = await signIn(server, alice);
  expect((await german.fetch('POST', '/api/v1/statuses', { status: 'x' }, actingFor(bob))).json.error).toMatch(
    /^Ein anderer/,
  );
  const refused = await german.fetch('PUT', '/api/web/settings', { data: {} }, actingFor(bob));
  expect(refused.status).toBe(409);
  const preflight = await server.anonymous.call('OPTIONS', '/api/v1/statuses', undefined, {
    headers: { origin: 'https://evil.test', 'access-control-request-headers': 'fieldfare-account' },
  });
  expect(preflight.headers['access-control-allow-origin']).toBe('*');
  expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
});

test('OAU-01: a token in the request outweighs the cookie, and neither secret works as the other', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const browser = await signIn(server, alice);
  const secret = browser.cookies.get(sessionName) ?? '';
  const whoIs = (headers: Record<string, string>, query = '') =>
    browser.fetch('GET', `/api/v1/accounts/verify_credentials${query}`, undefined, headers);
  expect((await whoIs({ authorization: `Bearer ${bob.token}` })).json.id).toBe(bob.id);
  expect((await whoIs({}, `?access_token=${bob.token}`)).json.id).toBe(bob.id);
  expect((await whoIs({ authorization: `Bearer ${bob.token}`, ...actingFor(alice) })).json.id).toBe(bob.id);
  expect((await whoIs({ authorization: 'Bearer wrong' })).status).toBe(401);

  const asBearer = new Client(server.http, secret);
  for (const client of [asBearer, server.anonymous]) {
    expect((await client.get(home)).status).toBe(401);
    expect((await client.get(`${home}?access_token=${secret}`)).status).toBe(401);
  }
  expect((await browser.fetch('GET', home)).status).toBe(200);
  browser.cookies.set(sessionName, bob.token ?? '');
  expect((await browser.fetch('GET', home)).status).toBe(401);
  expect((await browser.fetch('GET', '/api/v2/instance')).status).toBe(200);
  browser.cookies.set(sessionName, '');
  expect((await browser.fetch('GET', home)).status).toBe(401);
});

/** Opens a WebSocket as a page of an origin does. */
const openSocket = async (server: TestServer, browser: Browser, origin: string): Promise<TestSocket> =>
  TestSocket.open(server, { token: undefined }, 'stream=user', { headers: { cookie: browser.cookieHeader, origin } });

/** Returns the status with which a WebSocket is refused. */
async function refusalOfSocket(server: TestServer, headers: Record<string, string>): Promise<number | undefined> {
  const socket = new WebSocket(`ws://127.0.0.1:${await portOf(server)}/api/v1/streaming?stream=user`, { headers });
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode?: number }];
  return response.statusCode;
}

test('OAU-01: a WebSocket of our own pages streams by the cookie, until the session ends', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const [first, second] = [await signIn(server, alice), await signIn(server, alice)];
  const cookie = first.cookieHeader;
  const here = `http://127.0.0.1:${await portOf(server)}`;
  expect(await refusalOfSocket(server, { cookie })).toBe(401);
  expect(await refusalOfSocket(server, { cookie, origin: 'https://evil.test' })).toBe(401);
  expect(await refusalOfSocket(server, { cookie, origin: own.replace('https', 'http') })).toBe(401);

  const [byBase, byHost, ofOther] = [
    await openSocket(server, first, own),
    await openSocket(server, first, here),
    await openSocket(server, second, own),
  ];
  const ofApp = await TestSocket.open(server, alice, 'stream=user');
  await first.fetch('POST', '/api/v1/statuses', { status: 'Hello' }, actingFor(alice));
  for (const socket of [byBase, byHost, ofOther, ofApp])
    expect((await socket.take()).map(({ event }) => event)).toEqual(['update']);

  await first.open('/auth/edit');
  await first.submit('/auth/sign_out');
  expect(await byBase.ended).toBe(await byHost.ended);
  expect(await refusalOfSocket(server, { cookie, origin: own })).toBe(401);
  await second.fetch('POST', '/api/v1/statuses', { status: 'Again' }, actingFor(alice));
  for (const socket of [ofOther, ofApp]) {
    expect((await socket.take()).map(({ event }) => event)).toEqual(['update']);
    socket.close();
  }
});

test('OAU-01: a session that ends in any way ends for the API at once', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const statusOf = async (browser: Browser) => (await browser.fetch('GET', home)).status;
  const ends: readonly ((own: Browser) => Promise<unknown>)[] = [
    async (browser) => {
      await browser.open('/auth/edit');
      await browser.submit('/auth/sign_out');
    },
    () => revokeOtherSessions(server.app, alice.userId),
    () => alice.delete('/api/v1/fieldfare/sessions'),
    async () => {
      const { json: sessions } = await alice.get('/api/v1/fieldfare/sessions');
      await alice.delete(`/api/v1/fieldfare/sessions/${sessions[0].id}`);
    },
  ];
  for (const end of ends) {
    const browser = await signIn(server, alice);
    const cookies = new Map(browser.cookies);
    expect(await statusOf(browser)).toBe(200);
    await end(browser);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect(await statusOf(browser)).toBe(401);
  }
  const browser = await signIn(server, alice);
  expect(await statusOf(browser)).toBe(200);
  await server.db
    .updateTable('accounts')
    .set({ suspended_at: new Date(0) })
    .where('id', '=', alice.id)
    .execute();
  await transaction(server.app, async ({ emit }) => emit(accountSuspended({ accountId: alice.id })));
  expect(await statusOf(browser)).toBe(403);
  await disableUser(server.app, 'system', { accountId: alice.id });
  expect(await statusOf(browser)).toBe(401);
});

test('OAU-01: a new password ends the sessions of other browsers and the tokens of apps', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const [browser, other] = [await signIn(server, alice), await signIn(server, alice)];
  const old = new Map(browser.cookies);
  for (const each of [browser, other]) expect((await each.fetch('GET', home)).status).toBe(200);
  await browser.open('/auth/edit');
  await browser.submit('/auth/edit/password', {
    current_password: 'correct horse battery',
    password: 'another horse battery',
  });
  expect((await browser.fetch('GET', home)).status).toBe(200);
  expect((await other.fetch('GET', home)).status).toBe(401);
  expect((await alice.get(home)).status).toBe(401);
  browser.cookies.set(sessionName, old.get(sessionName) ?? '');
  expect((await browser.fetch('GET', home)).status).toBe(401);
});

test('OAU-01: revoking the tokens of apps signs no browser out', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const browser = await signIn(server, alice);
  const socket = await openSocket(server, browser, own);
  const push = await PushClient.create('https://push.test/1');
  const subscribed = await browser.fetch(
    'POST',
    '/api/v1/push/subscription',
    { subscription: push.subscription },
    actingFor(alice),
  );
  expect(subscribed.status).toBe(200);
  const own1 = await browser.fetch('PUT', `/api/web/push_subscriptions/${subscribed.json.id}`, {}, actingFor(alice));
  expect(own1.json.endpoint).toBe('https://push.test/1');
  await transaction(server.app, (tx) => revokeTokens(tx, { userId: alice.userId }));
  expect((await alice.get(home)).status).toBe(401);
  expect(await revokeTokensAsStaff(server.app, 'system', { accountId: alice.id })).toBe(0);
  expect((await browser.fetch('GET', home)).status).toBe(200);
  expect((await browser.fetch('GET', '/api/v1/push/subscription')).json.id).toBe(subscribed.json.id);
  await browser.fetch('POST', '/api/v1/statuses', { status: 'Hello' }, actingFor(alice));
  expect((await socket.take()).map(({ event }) => event)).toEqual(['update']);
  socket.close();
  expect((await browser.fetch('DELETE', '/api/v1/push/subscription', {}, actingFor(alice))).status).toBe(200);
  expect((await browser.fetch('GET', '/api/v1/push/subscription')).status).toBe(404);

  const others = await signIn(server, alice);
  expect((await browser.fetch('DELETE', '/api/v1/fieldfare/sessions', {}, actingFor(alice))).status).toBe(200);
  expect((await browser.fetch('GET', home)).status).toBe(200);
  expect((await others.fetch('GET', home)).status).toBe(401);
});

test('OAU-01: the token of a session is no app that the user authorized, and creates no webhooks', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const browser = await signIn(server, alice);
  await browser.open('/oauth/authorized_applications');
  expect(browser.text.match(/<h2/g)).toHaveLength(1);
  const refused = await browser.fetch(
    'POST',
    '/api/v1/fieldfare/webhooks',
    { url: 'https://hook.test/', events: ['status.created'] },
    actingFor(alice),
  );
  expect([refused.status, refused.json.error]).toEqual([403, 'Only apps can create webhooks: use an access token']);
});

test('OAU-01: a session stays valid while the API is used, and expires after 60 days without use', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const browser = await signIn(server, alice);
  const day = 86_400;
  for (let days = 0; days < 180; days += 45) {
    server.clock.advance(45 * day);
    expect((await browser.fetch('GET', home)).status).toBe(200);
    await server.waitForStatements();
    await server.runSchedule('user.clean_up_sessions');
  }
  await browser.open('/auth/edit');
  expect(browser.path).toBe('/auth/edit');
  server.clock.advance(60 * day + 1);
  expect((await browser.fetch('GET', home)).status).toBe(401);
  await server.runSchedule('user.clean_up_sessions');
  expect((await server.pool.query('select from oauth_tokens where session_id is not null')).rowCount).toBe(0);
});

test('OAU-01: the migration creates tokens for the sessions that exist', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const browser = await signIn(server, alice);
  await server.pool.query('delete from oauth_tokens where session_id is not null');
  expect((await browser.fetch('GET', home)).status).toBe(401);
  const path = '../../../server/platform/database/migrations/0136-session-tokens.sql';
  const migration = readFileSync(new URL(path, import.meta.url), 'utf8');
  await server.pool.query(migration.slice(migration.indexOf('insert into oauth_tokens')));
  expect((await browser.fetch('GET', home)).status).toBe(200);
  expect((await browser.fetch('POST', '/api/v1/statuses', { status: 'Hello' }, actingFor(alice))).status).toBe(200);
});

test('OAU-03: a browser of a user who may not use the server yet is refused like an app', async () => {
  await using server = await startServer();
  const bob = await server.user('bob', { confirmed: false });
  const browser = await signIn(server, bob);
  const refused = await browser.fetch('GET', home);
  expect([refused.status, refused.json.error]).toEqual([403, (await bob.get(home)).json.error]);
});

test('requests without a cookie or with a token cost no more than before', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const browser = await signIn(server, alice);
  const cost = (run: () => Promise<unknown>) => server.countWarmQueries(run);
  const preferences = '/api/v1/preferences';
  const byToken = await cost(() => alice.get(preferences));
  expect(await cost(() => browser.fetch('GET', preferences))).toBe(byToken);
  expect(await cost(() => browser.fetch('GET', preferences, undefined, { 'sec-fetch-site': 'cross-site' }))).toBe(0);
  expect(await cost(() => browser.fetch('GET', preferences, undefined, { authorization: 'Bearer wrong' }))).toBe(
    await cost(() => server.anonymous.get(preferences, { headers: { authorization: 'Bearer wrong' } })),
  );
});
