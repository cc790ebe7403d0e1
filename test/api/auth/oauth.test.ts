import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { markSuspended } from '../../../server/accounts/lifecycle/index.ts';
import { authenticate, revokeTokens } from '../../../server/oauth/index.ts';
import { formActionSourceOf } from '../../../server/pages/render/layout.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { changeUserRole, disableUser, enableUser } from '../../../server/moderation/index.ts';
import { requestPasswordReset } from '../../../server/users/sign-in/index.ts';
import { userAccessChanged } from '../../../server/users/index.ts';
import { Browser } from '../../browser.ts';
import { Client, form, multipart, startServer, type TestServer } from '../../server.ts';
import { standardRoles } from '../../../server/users/access/index.ts';
import { writable } from '../../writable.ts';

const anyScopePath = '/api/v1/emails/check_confirmation';
/** A route that every user with the read scope may call. */
const readPath = '/api/v1/accounts/lookup?acct=alice';
const oob = 'urn:ietf:wg:oauth:2.0:oob';
const elk = 'https://elk.test/api/home.test/oauth?origin=https%3A%2F%2Felk.test';

interface App {
  client_id: string;
  client_secret: string;
}

async function register(server: TestServer, change: Record<string, unknown> = {}): Promise<App> {
  const { json } = await server.anonymous.post('/api/v1/apps', {
    client_name: 'Elk',
    redirect_uris: [elk, oob, 'icecubesapp://'],
    scopes: 'read write follow push',
    ...change,
  });
  return { client_id: json.client_id, client_secret: json.client_secret };
}

const authorizePath = (app: App, change: Record<string, string> = {}): string =>
  `/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: app.client_id,
    redirect_uri: elk,
    scope: 'read write follow push',
    ...change,
  }).toString()}`;

/** Signs in, authorizes the app, and returns the authorization code that the app receives. */
async function requestCode(server: TestServer, app: App, change: Record<string, string> = {}): Promise<string> {
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open(authorizePath(app, change));
  const location = await browser.submit('/oauth/authorize', { decision: 'allow' });
  return new URL(location, 'https://fieldfare.test').searchParams.get('code') ?? '';
}

const exchange = (server: TestServer, app: App, code: string, change: object = {}) =>
  server.anonymous.post('/oauth/token', {
    ...app,
    grant_type: 'authorization_code',
    redirect_uri: elk,
    code,
    ...change,
  });

test('OAU-01: an app that the user authorizes gets a token by code and PKCE', async () => {
  await using server = await startServer();
  await server.user('alice');
  const app = await register(server);
  const verifier = 'v'.repeat(50);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const browser = new Browser(server);
  const state = 'a+b&c=ä"<';
  const path = authorizePath(app, { state, code_challenge: challenge, code_challenge_method: 'S256' });
  expect(await browser.open(path)).toMatch(/^\/auth\/sign_in\?return_to=/);
  expect(await browser.submit('/auth/sign_in', { email: 'alice', password: 'wrong password' })).toBe('/auth/sign_in');
  expect(browser.status).toBe(422);
  // clients.md 21: signing in keeps the whole request, even after a wrong password.
  expect(await browser.submit('/auth/sign_in', { email: 'ALICE@mail.test', password: 'correct horse battery' })).toBe(
    path,
  );
  expect(browser.text).toContain('Allow <em>Elk</em> to use your account?');
  expect(browser.response?.headers['content-security-policy']).toContain("form-action 'self' https://elk.test;");

  const location = new URL(await browser.submit('/oauth/authorize', { decision: 'allow' }));
  expect(location.href.startsWith(`${elk}&code=`)).toBe(true);
  expect(location.searchParams.get('state')).toBe(state);
  expect(location.searchParams.get('origin')).toBe('https://elk.test');
  const code = location.searchParams.get('code') ?? '';

  expect((await exchange(server, app, code)).json.error).toBe('invalid_grant');
  expect((await exchange(server, app, code, { code_verifier: 'w'.repeat(50) })).json.error).toBe('invalid_grant');
  const token = await exchange(server, app, code, { code_verifier: verifier });
  expect(token.status).toBe(200);
  expect(token.headers['access-control-allow-origin']).toBe('*');
  expect(token.json).toMatchObject({ token_type: 'Bearer', scope: 'read write follow push' });
  expect(token.json.created_at).toBe(Math.floor(server.clock.now().getTime() / 1000));
  expect((await new Client(server.http, token.json.access_token).get(readPath)).json.username).toBe('alice');
});

test('OAU-01: the token endpoint accepts forms, multipart, JSON, query parameters and HTTP Basic', async () => {
  await using server = await startServer();
  const app = await register(server);
  const fields = { grant_type: 'client_credentials', scope: 'read', ...app };
  const responses = [
    await server.anonymous.post('/oauth/token', fields),
    await server.anonymous.post('/oauth/token', form(fields)),
    await server.anonymous.post('/oauth/token', await multipart(fields)),
    await server.anonymous.post(`/oauth/token?${new URLSearchParams(fields).toString()}`),
    await server.anonymous.post('/oauth/token', form({ grant_type: 'client_credentials', scope: 'read' }), {
      headers: { authorization: `Basic ${btoa(`${app.client_id}:${app.client_secret}`)}` },
    }),
  ];
  for (const { status, json } of responses) expect([status, json.scope]).toEqual([200, 'read']);
});

test('OAU-01: an invalid token request gets the matching error code and status', async () => {
  await using server = await startServer();
  const app = await register(server);
  const requestToken = async (fields: Record<string, string>) => {
    const { status, json } = await server.anonymous.post('/oauth/token', form(fields));
    expect(json.error_description).toMatch(/\w/);
    return [status, json.error];
  };
  const credentials = { ...app, grant_type: 'client_credentials' };
  expect(await requestToken({})).toEqual([401, 'invalid_client']);
  expect(await requestToken({ ...credentials, client_secret: 'x' })).toEqual([401, 'invalid_client']);
  expect(await requestToken({ ...credentials, client_id: 'x' })).toEqual([401, 'invalid_client']);
  expect(await requestToken({ ...app })).toEqual([400, 'invalid_request']);
  expect(await requestToken({ ...app, grant_type: 'password' })).toEqual([400, 'unsupported_grant_type']);
  expect(await requestToken({ ...app, grant_type: 'authorization_code' })).toEqual([400, 'invalid_request']);
  expect(await requestToken({ ...app, grant_type: 'authorization_code', code: 'x' })).toEqual([400, 'invalid_request']);
  expect(await requestToken({ ...credentials, scope: 'read admin:write' })).toEqual([400, 'invalid_scope']);
  expect(await requestToken({ ...credentials, scope: 'everything' })).toEqual([400, 'invalid_scope']);
  const wrongCode = { ...app, grant_type: 'authorization_code', code: 'x', redirect_uri: elk };
  expect(await requestToken(wrongCode)).toEqual([400, 'invalid_grant']);
});

test('OAU-01: a code works once; reusing it revokes its token', async () => {
  await using server = await startServer();
  await server.user('alice');
  const app = await register(server);
  const code = await requestCode(server, app);
  const token = await exchange(server, app, code);
  const client = new Client(server.http, token.json.access_token);
  expect((await client.get(anyScopePath)).status).toBe(200);
  expect((await exchange(server, app, code)).json.error).toBe('invalid_grant');
  const refused = await client.get(anyScopePath);
  expect([refused.status, refused.json.error]).toEqual([401, 'The access token was revoked']);
});

test('OAU-01: two concurrent exchanges of one code leave no valid token', async () => {
  await using server = await startServer();
  await server.user('alice');
  const app = await register(server);
  const code = await requestCode(server, app);
  const both = await Promise.all([exchange(server, app, code), exchange(server, app, code)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  const token = both.find(({ status }) => status === 200)?.json.access_token as string;
  expect((await new Client(server.http, token).get(anyScopePath)).status).toBe(401);
});

test('OAU-01: a code is bound to its app and redirect URI, and expires after ten minutes', async () => {
  await using server = await startServer();
  await server.user('alice');
  const [app, other] = [await register(server), await register(server)];
  const code = await requestCode(server, app);
  expect((await exchange(server, other, code)).json.error).toBe('invalid_grant');
  expect((await exchange(server, app, code, { redirect_uri: oob })).json.error).toBe('invalid_grant');
  expect((await exchange(server, app, code, { code_verifier: 'never announced' })).json.error).toBe('invalid_grant');
  server.clock.advance(601);
  expect((await exchange(server, app, code)).json.error).toBe('invalid_grant');
});

test('OAU-01: an out-of-band code is shown on a page (clients.md 20)', async () => {
  await using server = await startServer();
  await server.user('alice');
  const app = await register(server);
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open(authorizePath(app, { redirect_uri: oob }));
  const path = await browser.submit('/oauth/authorize', { decision: 'allow' });
  expect(path).toMatch(/^\/oauth\/authorize\/native\?code=/);
  const code = /<code[^>]*>([^<]+)<\/code>/.exec(browser.text)?.[1] ?? '';
  const token = await exchange(server, app, code, { redirect_uri: oob });
  expect(token.json.scope).toBe('read write follow push');
});

test('OAU-01: redirects to custom schemes work, and the policy of the page allows them', async () => {
  await using server = await startServer();
  await server.user('alice');
  const app = await register(server);
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open(authorizePath(app, { redirect_uri: 'icecubesapp://' }));
  expect(browser.response?.headers['content-security-policy']).toContain("form-action 'self' icecubesapp:;");
  expect(await browser.submit('/oauth/authorize', { decision: 'allow' })).toMatch(/^icecubesapp:\/\/\?code=[\w-]{43}$/);
});

test('OAU-01: a redirect URI that the app did not register is 400, without a redirect', async () => {
  await using server = await startServer();
  await server.user('alice');
  const app = await register(server);
  const browser = new Browser(server);
  await browser.signIn('alice');
  for (const uri of ['https://evil.test/', `${elk}&x=1`, elk.toUpperCase(), 'https://elk.test/', `${elk}#x`]) {
    expect(await browser.open(authorizePath(app, { redirect_uri: uri }))).toMatch(/^\/oauth\/authorize/);
    expect(browser.status).toBe(400);
    expect(browser.text).toContain('invalid_redirect_uri');
  }
  await browser.open(authorizePath(app));
  const fields = { ...browser.hiddenFields('/oauth/authorize'), redirect_uri: 'https://evil.test/', decision: 'allow' };
  const response = await browser.send('/oauth/authorize', fields);
  expect([response.status, response.headers['location']]).toEqual([400, undefined]);
  await browser.open(authorizePath(app, { client_id: 'unknown' }));
  expect([browser.status, browser.text.includes('invalid_client')]).toEqual([401, true]);
});

test('OAU-01: a forbidden redirect URI is refused even if registered, and cannot inject into the page policy', async () => {
  await using server = await startServer();
  await server.user('alice');
  const app = await register(server);
  const browser = new Browser(server);
  await browser.signIn('alice');
  const forbidden = ['https://x;sandbox/cb', 'https://x,sandbox/cb', 'javascript:alert(1)', 'file:///etc/passwd'];
  await transaction(server.app, async ({ db }) => {
    await writable(db).updateTable('oauth_applications').set({ redirect_uris: forbidden }).execute();
  });
  for (const uri of forbidden) {
    await browser.open(authorizePath(app, { redirect_uri: uri }));
    expect([browser.status, browser.text.includes('invalid_redirect_uri')], uri).toEqual([400, true]);
    expect(browser.response?.headers['content-security-policy']).not.toMatch(/sandbox|javascript|file/);
  }
  expect(formActionSourceOf('https://x;sandbox/cb')).toBeUndefined();
  expect(formActionSourceOf('https://user@app.test:8443/cb;sandbox')).toBe('https://app.test:8443');
  expect(formActionSourceOf('com.app.test:/cb;sandbox')).toBe('com.app.test:');
});

test('OAU-01: errors of an authorization request are redirected to the app once the user has signed in', async () => {
  await using server = await startServer();
  await server.user('alice');
  const app = await register(server);
  const invalid: [Record<string, string>, string][] = [
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ scope: 'read admin:read' }, 'invalid_scope'],
    [{ code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }, 'invalid_code_challenge_method'],
    [{ code_challenge: 'x'.repeat(43) }, 'invalid_code_challenge_method'],
    [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
  ];
  // Anonymous visitors sign in first: the server is not an open redirector.
  expect(await new Browser(server).open(authorizePath(app, { scope: 'admin:read' }))).toMatch(/^\/auth\/sign_in/);
  const browser = new Browser(server);
  await browser.signIn('alice');
  for (const [change, error] of invalid) {
    const location = new URL(await browser.open(authorizePath(app, { ...change, state: 's' })));
    expect([location.host, location.searchParams.get('error'), location.searchParams.get('state')]).toEqual([
      'elk.test',
      error,
      's',
    ]);
  }
});

test('OAU-01: a user who denies access redirects the app with access_denied', async () => {
  await using server = await startServer();
  await server.user('alice');
  const app = await register(server);
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open(authorizePath(app, { state: 'xyz' }));
  const location = new URL(await browser.submit('/oauth/authorize', { decision: 'deny' }));
  expect(location.searchParams.get('error')).toBe('access_denied');
  expect(location.searchParams.get('state')).toBe('xyz');
  expect(location.searchParams.has('code')).toBe(false);
});

test('OAU-01: force_login requires a new sign-in and keeps the other parameters (clients.md 21)', async () => {
  await using server = await startServer();
  await server.user('alice');
  await server.user('bob');
  const app = await register(server);
  const browser = new Browser(server);
  await browser.signIn('alice');
  const plain = authorizePath(app, { state: 's' });
  expect(await browser.open(`${plain}&force_login=true`)).toMatch(/^\/auth\/sign_in/);
  expect(await browser.submit('/auth/sign_in', { email: 'bob', password: 'correct horse battery' })).toBe(plain);
  expect(browser.text).toContain('@bob@fieldfare.test');
  const location = await browser.submit('/oauth/authorize', { decision: 'allow' });
  const token = await exchange(server, app, new URL(location).searchParams.get('code') ?? '');
  const info = await authenticate(server.app, token.json.access_token as string);
  const bob = await server.app.db.selectFrom('accounts').select('id').where('username', '=', 'bob').executeTakeFirst();
  expect(info?.viewer?.accountId).toBe(bob?.id);
});

test('OAU-02: the consent page describes each scope and marks powerful ones', async () => {
  await using server = await startServer();
  await server.user('alice');
  const app = await register(server, { scopes: 'read:bookmarks write:bookmarks write admin:write:reports' });
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open(authorizePath(app, { scope: 'read:bookmarks write admin:write:reports' }));
  expect(browser.text).toContain('see your bookmarks');
  const items = browser.text.match(/<li[^>]*>.*?<\/li>/gs) ?? [];
  const marked = items.filter((item) => item.includes('powerful')).map((item) => /\(([a-z:]+)\)/.exec(item)?.[1]);
  expect(marked).toEqual(['write', 'admin:write:reports']);
  expect(browser.text).not.toContain('write:bookmarks)');
});

test('OAU-02: a token without the required scope gets 403 insufficient_scope', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const response = await (await server.withScopes(alice, 'write')).get(readPath);
  expect([response.status, response.json.error]).toEqual([403, 'This action is outside the authorized scopes']);
  expect(response.headers['www-authenticate']).toContain('insufficient_scope');
  expect((await (await server.withScopes(alice, 'read:accounts')).get(readPath)).status).toBe(200);
});

test('OAU-01: a missing or invalid token is 401, and an app token on a route for users is 422', async () => {
  await using server = await startServer();
  const anonymous = await server.anonymous.get(anyScopePath);
  expect([anonymous.status, anonymous.json.error]).toEqual([401, 'The access token is invalid']);
  expect(anonymous.headers['www-authenticate']).toContain('invalid_token');
  expect((await new Client(server.http, 'nonsense').get(anyScopePath)).status).toBe(401);
  const app = await (await server.appToken()).get(anyScopePath);
  expect([app.status, app.json.error]).toEqual([422, 'This method requires an authenticated user']);
});

test('OAU-01: /oauth/revoke immediately revokes a token, and only one of the same app', async () => {
  await using server = await startServer();
  await server.user('alice');
  const [app, other] = [await register(server), await register(server)];
  const token = (await exchange(server, app, await requestCode(server, app))).json.access_token as string;
  const client = new Client(server.http, token);
  expect((await client.get(anyScopePath)).status).toBe(200);
  const foreign = await server.anonymous.post('/oauth/revoke', { ...other, token });
  expect([foreign.status, foreign.json.error]).toEqual([403, 'unauthorized_client']);
  expect((await server.anonymous.post('/oauth/revoke', { ...app, client_secret: 'x', token })).status).toBe(403);
  expect((await client.get(anyScopePath)).status).toBe(200);
  const own = await server.anonymous.post('/oauth/revoke', form({ ...app, token }));
  expect([own.status, own.text]).toEqual([200, '{}']);
  expect((await client.get(anyScopePath)).status).toBe(401);
  expect((await server.anonymous.post('/oauth/revoke', { ...app, token: 'unknown' })).status).toBe(200);
});

test('OAU-01: revoking the access of an app on the page takes effect immediately', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  expect((await alice.get(anyScopePath)).status).toBe(200);
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open('/oauth/authorized_applications');
  expect(browser.text).toContain('Test app');
  const action = /action="(\/oauth\/authorized_applications\/\d+\/revoke)"/.exec(browser.text)?.[1] ?? '';
  await browser.submit(action);
  expect(browser.text).toContain('No app has access to your account.');
  expect((await alice.get(anyScopePath)).status).toBe(401);
  expect((await bob.get(anyScopePath)).status).toBe(200);
});

test('OAU-01: users can revoke only their own authorizations, by POST and by DELETE', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await server.user('bob');
  const { applicationId } = (await authenticate(server.app, alice.token ?? '')) ?? {};
  const browser = new Browser(server);
  await browser.signIn('bob');
  const fields = browser.hiddenFields('/auth/sign_out');
  for (const path of [
    `/oauth/authorized_applications/${applicationId}/revoke`,
    '/oauth/authorized_applications/1/revoke',
  ]) {
    expect((await browser.send(path, fields)).status).toBe(303);
  }
  expect((await browser.send(`/oauth/authorized_applications/${applicationId}`, fields, {}, 'DELETE')).status).toBe(
    303,
  );
  expect((await alice.get(anyScopePath)).status).toBe(200);
  const own = new Browser(server);
  await own.signIn('alice');
  const response = await own.send(
    `/oauth/authorized_applications/${applicationId}`,
    own.hiddenFields('/auth/sign_out'),
    {},
    'DELETE',
  );
  expect(response.status).toBe(303);
  expect((await alice.get(anyScopePath)).status).toBe(401);
});

test('OAU-01: DELETE on the consent page denies access, and the code page escapes HTML', async () => {
  await using server = await startServer();
  await server.user('alice');
  const app = await register(server);
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open(authorizePath(app));
  const denied = await browser.send('/oauth/authorize', browser.hiddenFields('/oauth/authorize'), {}, 'DELETE');
  expect(new URL(String(denied.headers['location'])).searchParams.get('error')).toBe('access_denied');
  await browser.open('/oauth/authorize/native?code=%3Cb%3Ex');
  expect(browser.text).toContain('&lt;b&gt;x');
});

test('OAU-01: a password reset revokes every token and session', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const browser = new Browser(server);
  await browser.signIn('alice');
  expect((await alice.get(anyScopePath)).status).toBe(200);
  await requestPasswordReset(server.app, 'Alice@mail.test');
  await server.drain();
  const link = /https:\/\/fieldfare\.test(\/auth\/password\/edit\S+)/.exec(server.outbox.at(-1)?.text ?? '')?.[1] ?? '';
  const otherBrowser = new Browser(server);
  await otherBrowser.open(link);
  await otherBrowser.submit('/auth/password/edit', { password: 'short' });
  expect(otherBrowser.status).toBe(422);
  await otherBrowser.submit('/auth/password/edit', { password: 'a better password' });
  expect(otherBrowser.text).toContain('Your password was changed');
  expect((await alice.get(anyScopePath)).status).toBe(401);
  await browser.open('/auth/edit');
  expect(browser.path).toMatch(/^\/auth\/sign_in/);
  await otherBrowser.open(link);
  expect(otherBrowser.status).toBe(422);
  await browser.signIn('alice', 'a better password');
  expect(browser.path).toBe('/');
});

test('OAU-03: unconfirmed, pending, disabled and suspended users get the matching 403', async () => {
  await using server = await startServer();
  const refusal = async (client: Client) => {
    const { status, json } = await client.get(readPath);
    return `${status} ${json.error ?? ''}`;
  };
  const unconfirmed = await server.user('newcomer', { confirmed: false });
  expect(await refusal(unconfirmed)).toBe('403 Your login is missing a confirmed e-mail address');
  expect((await unconfirmed.get(anyScopePath)).status).toBe(200);
  const pending = await server.user('waiting', { approved: false });
  expect(await refusal(pending)).toBe('403 Your login is currently pending approval');
  const alice = await server.user('alice');
  expect((await alice.get(readPath)).status).toBe(200);
  await disableUser(server.app, 'system', { accountId: alice.id });
  expect(await refusal(alice)).toBe('403 Your login is currently disabled');
  await enableUser(server.app, 'system', { accountId: alice.id });
  expect((await alice.get(readPath)).status).toBe(200);
  await transaction(server.app, (tx) => markSuspended(tx, server.app, alice.id));
  expect(await refusal(alice)).toBe('403 Your login is currently disabled');
});

test('OAU-01: a revocation or role change during the read of a token is not lost', async () => {
  await using server = await startServer();
  const alice = await server.user('alice', { role: 'moderator' });
  const token = alice.token ?? '';
  const before = await authenticate(server.app, token);
  expect(before?.viewer?.roleId).toBe('1');
  await changeUserRole(server.app, 'system', { accountId: alice.id, roleId: standardRoles.admin });
  expect((await authenticate(server.app, token))?.viewer?.roleId).toBe('2');
  await transaction(server.app, async ({ emit }) =>
    emit(userAccessChanged({ userId: alice.userId, accountId: alice.id })),
  );
  const reading = Promise.resolve(authenticate(server.app, token));
  await transaction(server.app, (tx) => revokeTokens(tx, { tokenId: before!.tokenId }));
  await reading.catch(() => undefined);
  await expect(authenticate(server.app, token)).rejects.toThrow('The access token was revoked');
});

test('OAU-01: a cached token is authenticated without a query, and its last use is stored once a day', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  expect(await server.countWarmQueries(async () => authenticate(server.app, alice.token ?? ''))).toBe(0);
  server.clock.advance(86_400);
  await authenticate(server.app, alice.token ?? '');
  await expect
    .poll(async () => {
      const row = await server.app.db.selectFrom('oauth_tokens').select('last_used_at').executeTakeFirstOrThrow();
      return row.last_used_at?.getTime();
    })
    .toBe(server.clock.now().getTime());
});

test('OAU-01: tokens, secrets, codes, sessions and passwords are never stored in plain text', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const app = await register(server);
  const browser = new Browser(server);
  await browser.signIn('alice');
  const code = await requestCode(server, app);
  const secrets = [
    alice.token ?? '',
    app.client_secret,
    code,
    [...browser.cookies.values()].at(-1) ?? '',
    'correct horse',
  ];
  for (const table of ['oauth_tokens', 'oauth_grants', 'oauth_applications', 'sessions', 'users', 'jobs'] as const) {
    const stored = JSON.stringify(await server.app.db.selectFrom(table).selectAll().execute());
    for (const secret of secrets) expect(stored).not.toContain(secret);
  }
});

test('OAU-01: userinfo describes the user, and the metadata document describes the server', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const profile = await server.withScopes(alice, 'profile');
  for (const response of [await profile.get('/oauth/userinfo'), await profile.post('/oauth/userinfo')]) {
    expect(response.json).toMatchObject({
      iss: 'https://fieldfare.test/',
      sub: 'https://fieldfare.test/users/alice',
      preferred_username: 'alice',
      profile: 'https://fieldfare.test/@alice',
    });
  }
  expect((await (await server.withScopes(alice, 'read')).get('/oauth/userinfo')).status).toBe(403);
  expect((await server.anonymous.get('/oauth/userinfo')).status).toBe(401);
  const { json } = await server.anonymous.get('/.well-known/oauth-authorization-server');
  expect(json).toMatchObject({
    issuer: 'https://fieldfare.test/',
    token_endpoint: 'https://fieldfare.test/oauth/token',
    code_challenge_methods_supported: ['S256'],
    device_authorization_endpoint: 'https://fieldfare.test/oauth/device_authorization',
    grant_types_supported: ['authorization_code', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code'],
  });
  expect(json.scopes_supported).toEqual(
    expect.arrayContaining(['read:bookmarks', 'write:bookmarks', 'admin:read', 'push']),
  );
});
