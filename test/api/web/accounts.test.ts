import { expect, test } from 'vitest';
import { disableUser } from '../../../server/moderation/index.ts';
import { Browser, unescapeHtml } from '../../browser.ts';
import { appCode, password, setUpTotp } from '../../second-factors.ts';
import { form, startServer, type TestServer, type TestUser } from '../../server.ts';
import { SoftwareAuthenticator } from '../../software-authenticator.ts';

const session = '/api/web/session';

/** The header of the client that acts for an account. */
const actingFor = (user: TestUser): Record<string, string> => ({ 'fieldfare-account': user.id });

/** Signs a browser in to one more account. */
async function addAccount(browser: Browser, user: TestUser): Promise<void> {
  await browser.open('/auth/sign_in?add=true');
  await browser.submit('/auth/sign_in', { email: user.username, password });
}

/** Returns the names of the accounts in which a browser is signed in, the active one first. */
async function accountsOf(browser: Browser): Promise<string[]> {
  const { status, json } = await browser.fetch('GET', session);
  if (status !== 200) return [];
  const names = (json.accounts as { username: string }[]).map(({ username }) => username);
  expect(json.account.username).toBe(names[0]);
  return names;
}

/** A server with three users, and a browser that is signed in to all, last to carol. */
async function startWithAccounts() {
  const server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  const browser = new Browser(server);
  await browser.signIn('alice');
  await addAccount(browser, bob);
  await addAccount(browser, carol);
  const countSessions = async () => (await server.db.selectFrom('sessions').select('id').execute()).length;
  return {
    server,
    browser,
    alice,
    bob,
    carol,
    countSessions,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test('the session shows its account, all accounts of the browser, the settings and the language', async () => {
  await using scene = await startWithAccounts();
  const { server, browser, carol } = scene;
  const { json, headers } = await browser.fetch('GET', session);
  expect(json.account).toEqual((await carol.get('/api/v1/accounts/verify_credentials')).json);
  expect(json.accounts.map((account: { username: string }) => account.username)).toEqual(['carol', 'bob', 'alice']);
  expect(json.accounts[1]).toEqual((await server.anonymous.get('/api/v1/accounts/lookup?acct=bob')).json);
  expect([json.settings, json.locale]).toEqual([{}, 'en']);
  expect(String(headers['set-cookie'])).toContain('Max-Age=5184000');
  const data = { appearance: { theme: 'dark' } };
  expect((await browser.fetch('PUT', '/api/web/settings', { data }, actingFor(carol))).status).toBe(200);
  expect((await browser.fetch('GET', session)).json.settings).toEqual(data);
  for (const method of ['GET', 'POST'] as const)
    for (const path of method === 'GET' ? [session] : [`${session}/switch`, `${session}/sign_out`])
      expect(
        (await server.anonymous.call(method, path, method === 'GET' ? undefined : { account_id: carol.id })).status,
      ).toBe(401);
});

test('the unread notifications of all accounts of the browser are counted', async () => {
  await using scene = await startWithAccounts();
  const { server, browser, alice, bob, carol } = scene;
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  await server.drain();
  expect((await browser.fetch('GET', `${session}/unread_counts`)).json).toEqual([
    { account_id: carol.id, count: 0 },
    { account_id: bob.id, count: 0 },
    { account_id: alice.id, count: 1 },
  ]);
  expect((await server.anonymous.get(`${session}/unread_counts`)).status).toBe(401);
});

test('the cookie of the other accounts cannot be read by scripts or sent by other sites', async () => {
  await using server = await startServer();
  const [, bob] = [await server.user('alice'), await server.user('bob')];
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open('/auth/sign_in?add=true');
  const fields = browser.hiddenFields('/auth/sign_in');
  const added = await browser.send('/auth/sign_in', { ...fields, email: bob.username, password });
  const cookies = [added.headers['set-cookie'] ?? []].flat().map(String);
  expect(cookies.find((cookie) => cookie.startsWith('__Host-accounts='))).toMatch(
    /^__Host-accounts=[\w-]{43}; Max-Age=5184000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
});

test('a switch makes another account the active one, in pages and in the API', async () => {
  await using scene = await startWithAccounts();
  const { server, browser, alice, bob, carol, countSessions } = scene;
  const switchTo = (id: string, headers = actingFor(carol)) =>
    browser.fetch('POST', `${session}/switch`, { account_id: id }, headers);
  const switched = await switchTo(alice.id);
  expect([switched.status, switched.json]).toEqual([200, { account_id: alice.id }]);
  expect(await accountsOf(browser)).toEqual(['alice', 'carol', 'bob']);
  await browser.open('/settings');
  expect(browser.text).toContain('@alice');
  expect((await browser.fetch('GET', '/api/v1/accounts/verify_credentials')).json.username).toBe('alice');

  // A tab that still shows carol must not act for alice.
  expect((await switchTo(bob.id)).status).toBe(409);
  expect((await browser.fetch('POST', '/api/v1/statuses', { status: 'x' }, actingFor(carol))).status).toBe(409);
  expect((await switchTo(alice.id, actingFor(alice))).json).toEqual({ account_id: alice.id });
  const dave = await server.user('dave');
  expect((await switchTo(dave.id, actingFor(alice))).status).toBe(404);
  expect((await switchTo(bob.id, {})).status).toBe(422);
  expect((await switchTo(bob.id, { ...actingFor(alice), 'sec-fetch-site': 'cross-site' })).status).toBe(422);
  expect(await accountsOf(browser)).toEqual(['alice', 'carol', 'bob']);
  expect(await countSessions()).toBe(3);
});

test('signing out of one account keeps the others, and the next one becomes active', async () => {
  await using scene = await startWithAccounts();
  const { browser, alice, bob, carol, countSessions } = scene;
  const signOut = async (user: TestUser, body: object = {}) => {
    const { status, json } = await browser.fetch('POST', `${session}/sign_out`, body, actingFor(user));
    return [status, json.account_id];
  };
  expect(await signOut(carol, { account_id: bob.id })).toEqual([200, carol.id]);
  expect(await accountsOf(browser)).toEqual(['carol', 'alice']);
  expect(await signOut(carol, { account_id: bob.id })).toEqual([404, undefined]);
  expect(await signOut(carol)).toEqual([200, alice.id]);
  expect(await accountsOf(browser)).toEqual(['alice']);
  expect(await countSessions()).toBe(1);
  expect(await signOut(alice, { account_id: alice.id })).toEqual([200, null]);
  expect((await browser.fetch('GET', session)).status).toBe(401);
  expect([
    await countSessions(),
    browser.cookies.has('__Host-session'),
    browser.cookies.has('__Host-accounts'),
  ]).toEqual([0, false, false]);
});

test('signing out on a page activates the next account', async () => {
  await using scene = await startWithAccounts();
  const { browser } = scene;
  for (const expected of [['bob', 'alice'], ['alice'], []]) {
    await browser.open('/auth/edit');
    await browser.submit('/auth/sign_out');
    expect(browser.path).toBe('/');
    expect(await accountsOf(browser)).toEqual(expected);
  }
});

test('signing in to an account twice replaces its older session, added or not', async () => {
  await using scene = await startWithAccounts();
  const { browser, bob, carol, countSessions } = scene;
  await addAccount(browser, bob);
  expect([await accountsOf(browser), await countSessions()]).toEqual([['bob', 'carol', 'alice'], 3]);
  await addAccount(browser, bob);
  expect([await accountsOf(browser), await countSessions()]).toEqual([['bob', 'carol', 'alice'], 3]);
  await browser.open('/auth/sign_in?force=true');
  await browser.submit('/auth/sign_in', { email: carol.username, password });
  expect([await accountsOf(browser), await countSessions()]).toEqual([['carol', 'alice'], 2]);
  await browser.open('/auth/sign_in?return_to=/about');
  expect(browser.path).toBe('/about');
});

test('an account is added with a second factor, and after a mistake', async () => {
  await using server = await startServer();
  await server.user('alice');
  await server.user('bob');
  const phone = new Browser(server);
  await phone.signIn('bob');
  const { secret } = await setUpTotp(server, phone);
  const browser = new Browser(server);
  await browser.signIn('alice');
  await browser.open('/auth/sign_in?add=true&return_to=/about');
  await browser.submit('/auth/sign_in', { email: 'bob', password: 'wrong' });
  await browser.submit('/auth/sign_in', { email: 'bob', password });
  expect(browser.path).toBe('/auth/sign_in/second_factor?add=true&return_to=%2Fabout');
  await browser.submit('/auth/sign_in/second_factor', { code: '000000' });
  await browser.submit('/auth/sign_in/second_factor', { code: appCode(server, secret, 1) });
  expect(browser.path).toBe('/about');
  expect(await accountsOf(browser)).toEqual(['bob', 'alice']);
});

test('an account is added with a passkey', async () => {
  await using server = await startServer();
  await server.user('alice');
  await server.user('bob');
  const authenticator = new SoftwareAuthenticator();
  const browser = new Browser(server);
  const options = () =>
    JSON.parse(unescapeHtml(/data-options="([^"]*)"/.exec(browser.text)?.[1] ?? '')) as { challenge: string };
  await browser.signIn('bob');
  await browser.open('/settings/passkeys');
  const credential = authenticator.create(options());
  await browser.submit('/settings/passkeys', { credential, name: 'Phone', current_password: password });
  await browser.open('/auth/edit');
  await browser.submit('/auth/sign_out');
  await browser.signIn('alice');
  await browser.open('/auth/sign_in?add=true');
  await browser.submit('/auth/sign_in/passkey', { credential: authenticator.get(options()) });
  expect(await accountsOf(browser)).toEqual(['bob', 'alice']);
});

test('sessions that ended elsewhere are dropped from the browser', async () => {
  await using scene = await startWithAccounts();
  const { server, browser, alice, bob, carol } = scene;
  await disableUser(server.app, 'system', { accountId: bob.id });
  expect(await accountsOf(browser)).toEqual(['carol', 'alice']);
  expect(browser.cookies.get('__Host-accounts')).toHaveLength(43);
  expect((await browser.fetch('POST', `${session}/switch`, { account_id: bob.id }, actingFor(carol))).status).toBe(404);
  await alice.delete('/api/v1/fieldfare/sessions');
  expect(await accountsOf(browser)).toEqual(['carol']);
  expect(browser.cookies.has('__Host-accounts')).toBe(false);
  browser.cookies.set('__Host-accounts', `x.${'y'.repeat(43)}..${'z'.repeat(5_000)}`);
  expect(await accountsOf(browser)).toEqual(['carol']);
});

test('a browser is signed in to at most eleven accounts; the session that was used first ends', async () => {
  await using server = await startServer();
  const browser = new Browser(server);
  const names = Array.from({ length: 12 }, (_, index) => `user${index}`);
  for (const name of names) await addAccount(browser, await server.user(name));
  expect(await accountsOf(browser)).toEqual(names.toReversed().slice(0, 11));
  expect((await server.db.selectFrom('sessions').select('id').execute()).length).toBe(11);
  const queries = async () => server.countWarmQueries(() => browser.fetch('GET', session));
  const many = await queries();
  const single = new Browser(server);
  await single.signIn('user0');
  expect(many).toBeLessThanOrEqual((await server.countWarmQueries(() => single.fetch('GET', session))) + 1);
});

test('a user who may not use the server can switch to another account or sign out', async () => {
  await using scene = await startWithAccounts();
  const { server, browser, bob, carol } = scene;
  await suspend(server, carol);
  expect((await browser.fetch('GET', session)).status).toBe(403);
  const switched = await browser.fetch('POST', `${session}/switch`, { account_id: bob.id }, actingFor(carol));
  expect(switched.json).toEqual({ account_id: bob.id });
  expect((await browser.fetch('GET', session)).json.account.username).toBe('bob');
});

const suspend = (server: TestServer, { id }: TestUser) =>
  server.db
    .updateTable('accounts')
    .set({ suspended_at: new Date(0) })
    .where('id', '=', id)
    .execute();

test('the CSRF token of a page also signs out', async () => {
  await using scene = await startWithAccounts();
  const { server, browser, bob } = scene;
  await browser.open('/auth/edit');
  const [, token = ''] = /<meta name="csrf-token" content="([^"]+)"/.exec(browser.text) ?? [];
  const fields = form({ authenticity_token: token });
  const { json } = await server.anonymous.post(`${session}/sign_out`, fields, {
    headers: { cookie: browser.cookieHeader },
  });
  expect(json).toEqual({ account_id: bob.id, next_path: '/' });
});

test('a session that is used lasts 60 days from its last use', async () => {
  await using server = await startServer();
  await server.user('alice');
  const browser = new Browser(server);
  await browser.signIn('alice');
  const days = 86_400;
  for (let use = 1; use <= 3; use += 1) {
    server.clock.advance(50 * days);
    const { status, headers } = await browser.fetch('GET', session);
    expect(status).toBe(200);
    expect(String(headers['set-cookie'])).toMatch(/session=[^;]{20,};.*Max-Age=5184000;/);
  }
  server.clock.advance(61 * days);
  expect((await browser.fetch('GET', session)).status).toBe(401);
});
