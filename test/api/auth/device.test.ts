import { expect, test } from 'vitest';
import { disableUser } from '../../../server/moderation/index.ts';
import { revokeTokens } from '../../../server/oauth/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { Browser } from '../../browser.ts';
import { curlCommandsOf, runCurl } from '../../curl.ts';
import { Client, form, startServer, type TestResponse, type TestServer } from '../../server.ts';

const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
/** A route that every user with the read scope may call. */
const readPath = '/api/v1/accounts/verify_credentials';

interface App {
  readonly client_id: string;
  readonly client_secret: string;
}

interface Codes {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri_complete: string;
}

async function register(server: TestServer): Promise<App> {
  const { json } = await server.anonymous.post('/api/v1/apps', {
    client_name: 'Television <1>',
    redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
    scopes: 'read write:statuses',
    website: 'https://tv.test',
  });
  return { client_id: json.client_id, client_secret: json.client_secret };
}

async function requestCodes(server: TestServer, app: App): Promise<Codes> {
  const { status, json } = await server.anonymous.post('/oauth/device_authorization', { ...app, scope: 'read' });
  expect(status).toBe(200);
  return json as Codes;
}

const poll = (server: TestServer, app: App, deviceCode: string): Promise<TestResponse> =>
  server.anonymous.post('/oauth/token', { ...app, grant_type: grantType, device_code: deviceCode });

async function pollError(server: TestServer, app: App, deviceCode: string): Promise<unknown> {
  const { status, json } = await poll(server, app, deviceCode);
  expect([status, typeof json.error_description], JSON.stringify(json)).toEqual([400, 'string']);
  return json.error;
}

/** Opens the page for a code in a signed-in browser. */
async function openDevicePage(server: TestServer, code: string, name = 'alice'): Promise<Browser> {
  const browser = new Browser(server);
  await browser.signIn(name);
  await browser.open(`/device?user_code=${encodeURIComponent(code)}`);
  return browser;
}

async function decide(server: TestServer, code: string, decision: 'allow' | 'deny'): Promise<Browser> {
  const browser = await openDevicePage(server, code);
  await browser.submit('/device', { decision });
  return browser;
}

test('OAU-01: a device gets a token once its user has entered the code and allowed it (RFC 8628)', async () => {
  await using server = await startServer();
  await server.user('alice');
  const app = await register(server);
  const issued = await server.anonymous.post('/oauth/device_authorization', form({ ...app, scope: 'read' }));
  expect(issued.headers['cache-control']).toContain('no-store');
  expect(issued.json).toEqual({
    device_code: expect.stringMatching(/^[\w-]{43}$/),
    user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
    verification_uri: 'https://fieldfare.test/device',
    verification_uri_complete: `https://fieldfare.test/device?user_code=${issued.json.user_code}`,
    expires_in: 900,
    interval: 5,
  });
  const { device_code: deviceCode, user_code: userCode } = issued.json as Codes;
  expect(await pollError(server, app, deviceCode)).toBe('authorization_pending');

  const browser = new Browser(server);
  expect(await browser.open('/device')).toMatch(/^\/auth\/sign_in\?return_to=%2Fdevice$/);
  expect(await browser.submit('/auth/sign_in', { email: 'alice', password: 'correct horse battery' })).toBe('/device');
  expect(browser.text).toContain('Enter the code');
  await browser.open(`/device?user_code=${userCode.replace('-', ' ').toLowerCase()}`);
  expect(browser.text).toContain('Allow <em>Television &lt;1&gt;</em> on a device to use your account?');
  expect(browser.text).toContain('@alice@fieldfare.test');
  expect(browser.text).toContain(`<code class="code">${userCode}</code>`);
  expect(browser.text).toContain('(read)');
  expect(browser.text).not.toContain('write:statuses');
  expect(await browser.submit('/device', { decision: 'allow' })).toBe('/device?done=allowed');
  expect(browser.text).toContain('Go back to your device');

  const token = await poll(server, app, deviceCode);
  expect([token.status, token.json.token_type, token.json.scope]).toEqual([200, 'Bearer', 'read']);
  expect(token.headers['cache-control']).toContain('no-store');
  const device = new Client(server.http, token.json.access_token);
  expect((await device.get(readPath)).json.username).toBe('alice');
  expect((await device.post('/api/v1/statuses', { status: 'x' })).status).toBe(403);
  expect(await pollError(server, app, deviceCode)).toBe('invalid_grant');
  await browser.open('/oauth/authorized_applications');
  expect(browser.text).toContain('Television');
});

test('OAU-01: a link with the code asks as well, and only a form of this browser decides', async () => {
  await using server = await startServer();
  await server.user('alice');
  const app = await register(server);
  const codes = await requestCodes(server, app);
  const { pathname, search } = new URL(codes.verification_uri_complete);
  const browser = new Browser(server);
  // Signing in on the way keeps the code.
  await browser.open(pathname + search);
  await browser.submit('/auth/sign_in', { email: 'alice', password: 'correct horse battery' });
  expect(browser.text).toContain('Does your device show this code?');
  expect(browser.text).toContain('Whoever sent you a link or a code would get access');
  expect(await pollError(server, app, codes.device_code)).toBe('authorization_pending');

  const fields = { user_code: codes.user_code, decision: 'allow' };
  expect((await browser.send('/device', fields)).status).toBe(422);
  expect((await browser.send('/device', { ...fields, authenticity_token: 'x' })).status).toBe(422);
  const valid = { ...browser.hiddenFields('/device'), decision: 'allow' };
  expect((await browser.send('/device', valid, { 'sec-fetch-site': 'cross-site' })).status).toBe(422);
  const stranger = await new Browser(server).send('/device', valid);
  expect(stranger.status).toBe(422);
  server.clock.advance(5);
  expect(await pollError(server, app, codes.device_code)).toBe('authorization_pending');
  // Also if it was submitted twice. The other decision comes too late.
  for (const _ of [1, 2]) expect((await browser.send('/device', valid)).status).toBe(303);
  expect((await browser.send('/device', { ...valid, decision: 'deny' })).status).toBe(422);
  expect((await poll(server, app, codes.device_code)).status).toBe(200);
});

test('OAU-01: a user who denies access ends the request, and nobody can decide it again', async () => {
  await using server = await startServer();
  await server.user('alice');
  await server.user('bob');
  const app = await register(server);
  const codes = await requestCodes(server, app);
  const [early, browser] = [
    await openDevicePage(server, codes.user_code, 'bob'),
    await decide(server, codes.user_code, 'deny'),
  ];
  expect(browser.path).toBe('/device?done=denied');
  expect(browser.text).toContain('It has no access.');
  for (let round = 0; round < 2; round += 1) {
    expect(await pollError(server, app, codes.device_code)).toBe('access_denied');
  }
  await early.submit('/device', { decision: 'allow' });
  expect([early.status, early.text.includes('was used already')]).toEqual([422, true]);
  expect(await pollError(server, app, codes.device_code)).toBe('access_denied');
});

test('OAU-01: a device that polls too fast has to wait longer each time, but gets its token', async () => {
  await using server = await startServer();
  await server.user('alice');
  const app = await register(server);
  const { device_code: code, user_code: userCode } = await requestCodes(server, app);
  const after = (seconds: number): Promise<unknown> => {
    server.clock.advance(seconds);
    return pollError(server, app, code);
  };
  expect(await after(0)).toBe('authorization_pending');
  expect(await after(4.5)).toBe('authorization_pending');
  expect(await after(2)).toBe('slow_down');
  expect(await after(5)).toBe('slow_down');
  expect(await after(15)).toBe('authorization_pending');
  expect(await after(10)).toBe('slow_down');
  await decide(server, userCode, 'allow');
  expect((await poll(server, app, code)).status).toBe(200);
});

test('OAU-01: the codes expire after 15 minutes and are deleted later', async () => {
  await using server = await startServer();
  await server.user('alice');
  const app = await register(server);
  const [pending, approved] = [await requestCodes(server, app), await requestCodes(server, app)];
  await decide(server, approved.user_code, 'allow');
  server.clock.advance(901);
  for (const { device_code: code } of [pending, approved]) {
    expect(await pollError(server, app, code)).toBe('expired_token');
  }
  const browser = await openDevicePage(server, pending.user_code);
  expect([browser.status, browser.text.includes('has expired')]).toEqual([422, true]);
  await server.runSchedule('oauth.clean_up_device_requests');
  expect(await pollError(server, app, pending.device_code)).toBe('expired_token');
  server.clock.advance(3_600);
  await server.runSchedule('oauth.clean_up_device_requests');
  expect(await pollError(server, app, pending.device_code)).toBe('invalid_grant');
  expect(await server.db.selectFrom('oauth_device_requests').select('user_code').execute()).toEqual([]);
});

test('OAU-01: requests of a device need a known app with its secret, and scopes that it registered', async () => {
  await using server = await startServer();
  await server.user('alice');
  const [app, other] = [await register(server), await register(server)];
  const send = async (fields: object, headers = {}): Promise<unknown[]> => {
    const { status, json } = await server.anonymous.post('/oauth/device_authorization', fields, { headers });
    return [status, json.error];
  };
  expect(await send({})).toEqual([401, 'invalid_client']);
  expect(await send({ client_id: app.client_id })).toEqual([401, 'invalid_client']);
  expect(await send({ ...app, client_secret: 'x' })).toEqual([401, 'invalid_client']);
  expect(await send({ ...app, scope: 'read write' })).toEqual([400, 'invalid_scope']);
  expect(await send({ ...app, scope: 'everything' })).toEqual([400, 'invalid_scope']);
  const basic = { authorization: `Basic ${btoa(`${app.client_id}:${app.client_secret}`)}` };
  expect(await send({}, { ...basic, accept: 'text/html' })).toEqual([200, undefined]);

  const codes = await requestCodes(server, app);
  await decide(server, codes.user_code, 'allow');
  expect(await pollError(server, other, codes.device_code)).toBe('invalid_grant');
  expect(await pollError(server, app, codes.user_code)).toBe('invalid_grant');
  const missing = await server.anonymous.post('/oauth/token', { ...app, grant_type: grantType });
  expect([missing.status, missing.json.error_description]).toEqual([400, 'Missing required parameter: device_code.']);
  expect((await poll(server, { ...app, client_secret: 'x' }, codes.device_code)).status).toBe(401);
  expect((await poll(server, app, codes.device_code)).json.scope).toBe('read');
});

test('OAU-01: of simultaneous polls after the approval exactly one gets a token', async () => {
  await using server = await startServer();
  await server.user('alice');
  const app = await register(server);
  const codes = await requestCodes(server, app);
  await decide(server, codes.user_code, 'allow');
  const responses = await Promise.all(Array.from({ length: 4 }, () => poll(server, app, codes.device_code)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
});

test('OAU-03: unconfirmed and disabled users cannot connect a device', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await server.user('newcomer', { confirmed: false });
  const app = await register(server);
  const codes = await requestCodes(server, app);
  const newcomer = await openDevicePage(server, codes.user_code, 'newcomer');
  expect(newcomer.path).toMatch(/^\/auth\/setup/);
  await newcomer.open('/oauth/authorized_applications');
  const token = { authenticity_token: newcomer.hiddenFields('/auth/sign_out')['authenticity_token'] ?? '' };
  const refused = await newcomer.send('/device', { ...token, user_code: codes.user_code, decision: 'allow' });
  expect(refused.headers['location']).toBe('/auth/setup');
  expect(await pollError(server, app, codes.device_code)).toBe('authorization_pending');

  const browser = await openDevicePage(server, codes.user_code);
  await disableUser(server.app, 'system', { accountId: alice.id });
  await browser.submit('/device', { decision: 'allow' });
  // The session is gone, and with it the token of the form.
  expect(browser.path).toBe('/auth/sign_in');
  server.clock.advance(5);
  expect(await pollError(server, app, codes.device_code)).toBe('authorization_pending');
});

test('OAU-01: a new password or a revoked app also deletes approvals that were not exchanged', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const app = await register(server);
  const first = await requestCodes(server, app);
  await decide(server, first.user_code, 'allow');
  await transaction(server.app, (tx) => revokeTokens(tx, { userId: alice.userId }));
  expect(await pollError(server, app, first.device_code)).toBe('invalid_grant');

  const second = await requestCodes(server, app);
  const browser = await decide(server, second.user_code, 'allow');
  const token = (await poll(server, app, second.device_code)).json.access_token as string;
  const third = await requestCodes(server, app);
  await decide(server, third.user_code, 'allow');
  await browser.open('/oauth/authorized_applications');
  const action = /action="(\/oauth\/authorized_applications\/\d+\/revoke)"/.exec(browser.text)?.[1] ?? '';
  await browser.submit(action);
  expect((await new Client(server.http, token).get(readPath)).status).toBe(401);
  expect(await pollError(server, app, third.device_code)).toBe('invalid_grant');
});

test('OAU-01: user codes cannot be guessed in bulk, and codes cannot be requested in bulk', async () => {
  await using server = await startServer({ settings: { RATE_LIMITS: 'on' } });
  await server.user('alice');
  const app = await register(server);
  const codes = await requestCodes(server, app);
  const browser = new Browser(server);
  await browser.signIn('alice');
  const statuses: number[] = [];
  for (let round = 0; round < 21; round += 1) {
    await browser.open('/device?user_code=BBBB-BBBB');
    statuses.push(browser.status);
  }
  expect(new Set(statuses.slice(0, 20))).toEqual(new Set([422]));
  expect(statuses.at(-1)).toBe(429);
  expect(browser.response?.headers['x-ratelimit-remaining']).toBe('0');
  expect(browser.response?.headers['content-type']).toContain('text/html');
  // The right code does not pass either, as a page or as a decision.
  await browser.open(`/device?user_code=${codes.user_code}`);
  expect(browser.status).toBe(429);
  await browser.open('/device');
  const token = browser.hiddenFields('/auth/sign_out');
  expect((await browser.send('/device', { ...token, user_code: codes.user_code, decision: 'allow' })).status).toBe(429);

  const requested: number[] = [];
  for (let round = 0; round < 25; round += 1) {
    requested.push((await server.anonymous.post('/oauth/device_authorization', { ...app })).status);
  }
  expect([requested[0], requested.at(-1)]).toEqual([200, 429]);
});

test('OAU-01: the commands of docs/device-authorization.md work', async () => {
  await using server = await startServer();
  await server.user('alice');
  const app = await register(server);
  const variables = { CLIENT_ID: app.client_id, CLIENT_SECRET: app.client_secret };
  const [request = '', exchange = ''] = curlCommandsOf('docs/device-authorization.md');
  const { json } = await runCurl(server.anonymous, request, variables);
  await decide(server, json.user_code, 'allow');
  const token = await runCurl(server.anonymous, exchange, { ...variables, DEVICE_CODE: json.device_code });
  expect([token.status, token.json.scope]).toEqual([200, 'read write:statuses']);
});
