import { expect, test } from 'vitest';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { createUser } from '../../../server/users/sign-up/index.ts';
import { createSignInLink } from '../../../server/users/sign-in-links/index.ts';
import { startSession } from '../../../server/users/sign-in/index.ts';
import { Browser, unescapeHtml } from '../../browser.ts';
import type { IdentityProvider } from '../../identity-provider.ts';
import { alice, isSignedIn, signUp, start } from '../../provider-scene.ts';
import { password, setUpTotp } from '../../second-factors.ts';
import { form, type TestServer } from '../../server.ts';

const town = '/auth/providers/town';
const linked = '/settings/linked_sign_ins';
const api = '/api/v1/fieldfare/linked_sign_ins';
const link = `${linked}/town/link`;

async function signedIn(server: TestServer, username: string): Promise<Browser> {
  const browser = new Browser(server);
  await browser.signIn(username);
  expect(isSignedIn(browser)).toBe(true);
  return browser;
}

/** Begins to link an account at the provider. Returns the path of the callback. */
async function beginLink(
  provider: IdentityProvider,
  browser: Browser,
  fields = { current_password: password },
): Promise<string> {
  await browser.open(linked);
  await browser.submit(link, fields);
  const [, url = ''] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(browser.text) ?? [];
  provider.cookies.clear();
  const { pathname, search } = new URL(await provider.visit(unescapeHtml(url)));
  return pathname + search;
}

test('a user links an account at a provider, signs in with it, and unlinks it', async () => {
  await using scene = await start();
  const { server, provider } = scene;
  const user = await server.user('alice');
  const browser = await signedIn(server, 'alice');
  await browser.open('/settings');
  expect(browser.text).toContain(`href="${linked}"`);
  await browser.open(linked);
  await browser.submit(link, { current_password: 'wrong' });
  expect([browser.status, browser.text.includes('is wrong')]).toEqual([422, true]);
  provider.person = alice;
  await browser.open(await beginLink(provider, browser));
  expect([browser.path, browser.status]).toEqual([linked, 200]);
  expect(browser.text).toContain('<bdi>alice@town.test</bdi>');
  expect(browser.text).not.toContain(link);
  await server.drain();
  expect(server.outbox.map(({ to }) => to)).toEqual(['alice@mail.test']);

  const other = new Browser(server);
  await provider.signIn(other, alice);
  expect([other.path, isSignedIn(other)]).toEqual(['/', true]);
  const { json } = await user.get(api);
  expect(json).toMatchObject([
    { issuer: 'https://id.test', provider: 'town', label: 'Town ID', email: 'alice@town.test' },
  ]);
  expect((await user.get('/api/v1/fieldfare/account_security')).json).toMatchObject({
    has_password: true,
    linked_sign_ins_count: 1,
    has_sign_in_providers: true,
  });
  await browser.open(linked);
  await browser.submit(`${linked}/${json[0].id}/unlink`);
  expect([browser.path, browser.text.includes(link)]).toEqual([linked, true]);
  await provider.signIn(other, alice);
  expect(other.path).toContain(`${town}/sign_up`);
  await server.drain();
  // Beside a mail about the sign-in, in either order.
  expect(server.outbox.map(({ text }) => text).join('\n')).toContain('no longer linked to @alice@fieldfare.test');
});

test('a user unlinks only own accounts by the API, with a token for everything', async () => {
  await using scene = await start({ LINK_BY_EMAIL: 'on' });
  const { server, provider } = scene;
  const user = await server.user('alice', { email: 'alice@town.test' });
  await provider.signIn(new Browser(server), alice);
  const { json } = await user.get(api);
  const path = `${api}/${json[0].id}`;
  const bob = await server.user('bob');
  expect((await bob.get(api)).json).toEqual([]);
  expect((await bob.delete(path)).status).toBe(404);
  expect((await server.anonymous.get(api)).status).toBe(401);
  expect((await server.anonymous.delete(path)).status).toBe(401);
  const limited = await server.withScopes(user, 'read:accounts write:accounts');
  expect([(await limited.get(api)).status, (await limited.delete(path)).status]).toEqual([403, 403]);
  expect((await user.delete(path)).status).toBe(200);
  expect((await user.delete(path)).status).toBe(404);
  expect((await user.get(api)).json).toEqual([]);
  await server.drain();
});

test('an account at the provider belongs to one user, and a user has one there', async () => {
  await using scene = await start();
  const { server, provider } = scene;
  await server.user('bob');
  await server.user('carol');
  provider.person = alice;
  const bob = await signedIn(server, 'bob');
  await bob.open(await beginLink(provider, bob));
  const carol = await signedIn(server, 'carol');
  await carol.open(await beginLink(provider, carol));
  expect([carol.status, carol.text.includes('is linked to another account here')]).toEqual([422, true]);
  // Two windows that link two accounts of the provider.
  provider.person = { ...alice, sub: 'person-2' };
  const first = await beginLink(provider, carol);
  provider.person = { ...alice, sub: 'person-3' };
  const second = await beginLink(provider, carol);
  await carol.open(first);
  expect(carol.path).toBe(linked);
  await carol.open(second);
  expect(carol.status).toBe(422);
  await server.drain();
});

test('a link that one user began is not completed by another one in the same browser, or without a session', async () => {
  await using scene = await start();
  const { server, provider } = scene;
  const bob = await server.user('bob');
  await server.user('carol');
  provider.person = alice;
  const browser = await signedIn(server, 'bob');
  const callback = await beginLink(provider, browser);
  await browser.open('/auth/sign_in?force=1');
  await browser.submit('/auth/sign_in', { email: 'carol', password });
  await browser.open(callback);
  expect([browser.status, browser.text.includes('took too long')]).toEqual([422, true]);
  const other = new Browser(server);
  await other.open(callback);
  expect([other.status, isSignedIn(other)]).toEqual([422, false]);
  expect(await server.db.selectFrom('identities').selectAll().execute()).toEqual([]);
  // Another site cannot begin it.
  expect((await browser.send(link, { current_password: password })).status).toBe(422);
  expect((await bob.get(api)).json).toEqual([]);
  await server.drain();
});

test('a provider that does not answer is no reason to lose the session', async () => {
  await using scene = await start();
  const { server, provider } = scene;
  await server.user('bob');
  const browser = await signedIn(server, 'bob');
  provider.isUp = false;
  await browser.open(linked);
  await browser.submit(link, { current_password: password });
  expect([browser.status, isSignedIn(browser)]).toEqual([503, true]);
  expect((await browser.send(`${linked}/other/link`, browser.hiddenFields('/auth/sign_out'))).status).toBe(404);
});

test('without a password, a sign-in with the provider confirms changes for ten minutes', async () => {
  await using scene = await start();
  const { server, provider } = scene;
  const browser = await signUp(scene);
  await browser.open(linked);
  const [, unlink = ''] = new RegExp(`action="(${linked}/\\d+/unlink)"`).exec(browser.text) ?? [];
  await browser.submit(unlink);
  expect([browser.status, browser.text.includes('the only way to sign in')]).toEqual([422, true]);
  await browser.open('/auth/edit');
  expect(browser.text).not.toContain('current_password');
  server.clock.advance(601);
  await browser.open('/auth/edit');
  expect(browser.text).toContain('You have no password here.');
  expect(browser.text).toContain('/auth/sign_in?force=1&amp;return_to=%2Fauth%2Fedit');
  for (const current_password of ['', '!']) {
    await browser.submit('/auth/edit/password', { password: 'a new password', current_password });
    expect([browser.status, browser.text.includes('You have no password here.')]).toEqual([422, true]);
  }
  await provider.signIn(browser, alice, `${town}?return_to=%2Fauth%2Fedit&force=1`);
  expect(browser.path).toBe('/auth/edit');
  await browser.submit('/auth/edit/password', { password: 'a new password' });
  expect(browser.path).toBe('/auth/edit?done=password');
  const other = new Browser(server);
  await other.signIn('alice', 'a new password');
  expect(isSignedIn(other)).toBe(true);
  // A session of a password confirms nothing.
  await other.open('/auth/edit');
  await other.submit('/auth/edit/email', { email: 'new@mail.test', current_password: '' });
  expect(other.status).toBe(422);
  await other.open(linked);
  await other.submit(unlink);
  expect(other.path).toBe(linked);
  await server.drain();
});

test('with SIGN_IN=oidc nobody signs in or up with a password or passkey, and the command line still lets people in', async () => {
  await using scene = await start({}, { settings: { SIGN_IN: 'oidc' } });
  const { server, provider } = scene;
  const { userId } = await createUser(server.app, {
    username: 'olga',
    email: 'olga@mail.test',
    password,
    confirmed: true,
    approved: true,
  });
  const browser = new Browser(server);
  await browser.open('/auth/sign_in');
  expect(browser.text).toContain('Sign in with Town ID');
  expect(browser.text).not.toMatch(/type="password"|passkey"|\/auth\/password/);
  await provider.signIn(browser, alice);
  const token = tokenOf(browser);
  const expectRefused = async (path: string, fields: Record<string, string> = {}): Promise<void> => {
    const response = await browser.send(path, { authenticity_token: token, ...fields });
    expect([path, response.status, response.text.includes('only with its providers')]).toEqual([path, 403, true]);
  };
  await expectRefused('/auth/sign_in', { email: 'olga', password });
  await expectRefused('/auth/sign_in/passkey', { credential: '{}' });
  await expectRefused('/auth/sign_up', { username: 'eve', email: 'eve@mail.test', password, agreement: '1' });
  await expectRefused('/auth/password', { email: 'olga@mail.test' });
  await expectRefused('/auth/password/edit', { reset_password_token: 'x', password });
  for (const path of ['/auth/password/new', '/auth/password/edit?reset_password_token=x']) {
    await browser.open(path);
    expect([path, browser.status]).toEqual([path, 403]);
  }
  await browser.open('/auth/sign_up');
  expect(browser.text).toContain('Sign up with Town ID');
  expect(browser.text).not.toContain('name="password"');
  const app = await server.appToken();
  const refused = await app.post('/api/v1/accounts', {
    username: 'eve',
    email: 'eve@mail.test',
    password,
    agreement: true,
  });
  expect([refused.status, refused.json.error]).toEqual([403, expect.stringContaining('only with its providers')]);
  expect((await server.anonymous.get('/api/v2/instance')).json.registrations).toMatchObject({
    enabled: true,
    url: 'https://fieldfare.test/auth/sign_up',
  });

  const url = await transaction(server.app, (tx) => createSignInLink(tx, server.app, userId));
  const path = url.replace('https://fieldfare.test', '');
  provider.isUp = false;
  await browser.open(path);
  expect([browser.status, isSignedIn(browser)]).toEqual([200, false]);
  await browser.submit('/auth/sign_in/link');
  expect([browser.path, isSignedIn(browser)]).toEqual(['/', true]);
  await browser.open('/auth/edit');
  expect(browser.text).not.toContain('/auth/edit/password');
  const change = { authenticity_token: tokenOf(browser), password: 'a new password', current_password: password };
  expect((await browser.send('/auth/edit/password', change)).status).toBe(403);
  const thief = new Browser(server);
  await thief.open(path);
  expect([thief.status, isSignedIn(thief)]).toEqual([403, false]);
  // The password confirms changes.
  provider.isUp = true;
  provider.person = { ...alice, sub: 'olga' };
  await browser.open(await beginLink(provider, browser));
  expect(browser.path).toBe(linked);
  const [, unlink = ''] = new RegExp(`action="(${linked}/\\d+/unlink)"`).exec(browser.text) ?? [];
  await browser.submit(unlink);
  expect(browser.status).toBe(422);
  await server.drain();
});

/** Returns the CSRF token of a page. */
function tokenOf(browser: Browser): string {
  const [, token = ''] =
    /name="authenticity_token" value="([^"]+)"/.exec(browser.text) ??
    /name="csrf-token" content="([^"]+)"/.exec(browser.text) ??
    [];
  return token;
}

test('a link to sign in lasts half an hour, asks for the second factor, and ends with the sessions', async () => {
  await using scene = await start();
  const { server } = scene;
  const { userId } = await server.user('alice');
  const create = async (): Promise<string> =>
    (await transaction(server.app, (tx) => createSignInLink(tx, server.app, userId))).replace(
      'https://fieldfare.test',
      '',
    );
  const browser = new Browser(server);
  const open = async (path: string): Promise<number> => {
    await browser.open(path);
    return browser.status;
  };
  const late = await create();
  server.clock.advance(31 * 60);
  expect(await open(late)).toBe(403);
  await server.runSchedule('user.clean_up_sign_ins');
  expect(await server.db.selectFrom('sign_in_links').selectAll().execute()).toEqual([]);
  const owner = await signedIn(server, 'alice');
  await setUpTotp(server, owner);
  await open(await create());
  await browser.submit('/auth/sign_in/link');
  expect([browser.path, isSignedIn(browser)]).toEqual(['/auth/sign_in/second_factor', false]);
  const revoked = await create();
  await owner.open('/settings/sessions');
  await startSession(server.app, userId, {});
  await owner.open('/settings/sessions');
  await owner.submit('/settings/sessions/revoke_others');
  expect(await open(revoked)).toBe(403);
  await server.drain();
});

test('a sign-out leads to that of the provider, if the session began there', async () => {
  await using scene = await start();
  const { server, provider } = scene;
  const browser = await signUp(scene);
  await browser.open('/auth/edit');
  await browser.submit('/auth/sign_out');
  expect([browser.path, isSignedIn(browser)]).toEqual(['/auth/providers/town/signed_out', false]);
  expect(browser.text).toContain('href="https://id.test/session/end?client_id=fieldfare"');
  await provider.signIn(browser, alice);
  await browser.open('/auth/edit');
  const [, token = ''] = /name="csrf-token" content="([^"]+)"/.exec(browser.text) ?? [];
  const { json } = await browser.fetch('POST', '/api/web/session/sign_out', {}, { 'x-csrf-token': token });
  expect(json).toEqual({ account_id: null, next_path: '/auth/providers/town/signed_out' });
  await server.user('bob');
  const other = await signedIn(server, 'bob');
  await other.open('/auth/edit');
  await other.submit('/auth/sign_out');
  expect(other.path).toBe('/');
  await server.drain();
});

test('a provider ends sessions by a logout token: one of its own, or all of a person', async () => {
  await using scene = await start();
  const { server, provider } = scene;
  const first = await signUp(scene);
  const second = new Browser(server);
  await provider.signIn(second, alice);
  await server.user('bob');
  const bob = await signedIn(server, 'bob');
  const isActive = async (browser: Browser): Promise<boolean> =>
    (await browser.fetch('GET', '/api/web/session')).status === 200;
  const log = async (token: string): Promise<number> =>
    (await server.anonymous.call('POST', `${town}/logout`, form({ logout_token: token }))).status;
  const sessions = await server.db
    .selectFrom('sessions')
    .select(['issuer_session_id', 'issuer'])
    .where('issuer', 'is not', null)
    .orderBy('id')
    .execute();
  const [sid] = sessions.map(({ issuer_session_id: id }) => id);
  expect(sid).toMatch(/.+/);
  const sub = alice.sub;
  const invalid = [
    '',
    'x.y.z',
    await provider.logoutToken({ sub, nonce: 'x' }),
    await provider.logoutToken({ sub, events: {} }),
    await provider.logoutToken({}),
    `${(await provider.logoutToken({ sub })).slice(0, -8)}AAAAAAAA`,
  ];
  for (const token of invalid) expect([token, await log(token)]).toEqual([token, 400]);
  expect(await Promise.all([first, second, bob].map(isActive))).toEqual([true, true, true]);
  expect(await log(await provider.logoutToken({ sid, sub }))).toBe(200);
  expect(await Promise.all([first, second, bob].map(isActive))).toEqual([false, true, true]);
  expect(await log(await provider.logoutToken({ sub: 'stranger' }))).toBe(200);
  expect(await log(await provider.logoutToken({ sub }))).toBe(200);
  expect(await Promise.all([first, second, bob].map(isActive))).toEqual([false, false, true]);
  expect(
    (await server.anonymous.call('POST', '/auth/providers/other/logout', form({ logout_token: 'x' }))).status,
  ).toBe(404);
  provider.isUp = false;
  await server.drain();
});

test('a deleted account leaves nothing of its linked sign-ins, and the person can sign up again', async () => {
  await using scene = await start();
  const { server, provider } = scene;
  const browser = await signUp(scene);
  await browser.open('/settings/delete');
  await browser.submit('/settings/delete');
  expect([browser.path, isSignedIn(browser)]).toEqual(['/', false]);
  expect(await server.db.selectFrom('identities').selectAll().execute()).toEqual([]);
  await provider.signIn(browser, alice);
  await browser.submit(`${town}/sign_up`, { username: 'alice2', email: 'alice@town.test', agreement: '1' });
  expect([browser.path, isSignedIn(browser)]).toEqual(['/', true]);
  await server.drain();
});
