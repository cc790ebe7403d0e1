import { expect, test, vi } from 'vitest';
import { createApplication } from '../../../server/oauth/index.ts';
import type { UserId } from '../../../server/platform/ids.ts';
import { approveSignUp } from '../../../server/moderation/index.ts';
import { standardRoles } from '../../../server/users/access/roles.ts';
import { createInvite } from '../../../server/users/invites/index.ts';
import { Browser } from '../../browser.ts';
import { IdentityProvider, type Person } from '../../identity-provider.ts';
import { alice, isSignedIn, signUp, signUpPath, start } from '../../provider-scene.ts';
import { appCode, setUpTotp } from '../../second-factors.ts';
import type { TestServer } from '../../server.ts';

const town = '/auth/providers/town';
const findUsers = (server: TestServer) =>
  server.db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.id', 'users.email', 'users.approved', 'users.confirmed_at', 'users.password_hash'])
    .select(['accounts.username', 'accounts.display_name', 'accounts.activated'])
    .orderBy('users.id')
    .execute();

test('a person signs up with a provider, without a password, and signs in with it from then on', async () => {
  await using scene = await start();
  const { provider, server } = scene;
  const browser = new Browser(server);
  await browser.open('/auth/sign_in');
  expect(browser.text).toContain(`<a class="button" href="${town}">Sign in with Town ID</a>`);
  await browser.open('/auth/sign_up');
  expect(browser.text).toContain(`<a class="button" href="${town}">Sign up with Town ID</a>`);

  await provider.signIn(browser, alice);
  expect([browser.status, isSignedIn(browser)]).toEqual([200, false]);
  expect(browser.text).toContain('value="alice_a"');
  expect(browser.text).toContain('value="alice@town.test"');
  expect(browser.text).toContain('Town ID has confirmed this address');
  expect(browser.text).not.toContain('type="password"');
  const fields = { username: 'alice', email: 'alice@town.test' };
  await browser.submit(signUpPath, fields);
  expect([browser.status, isSignedIn(browser)]).toEqual([422, false]);
  expect(browser.text).toContain('You need to agree to the rules.');
  await browser.submit(signUpPath, { ...fields, agreement: '1' });
  expect([browser.path, isSignedIn(browser)]).toEqual(['/', true]);
  expect(await findUsers(server)).toMatchObject([
    {
      username: 'alice',
      display_name: 'Alice Árnadóttir',
      email: 'alice@town.test',
      activated: true,
      password_hash: '!',
    },
  ]);
  await server.drain();
  expect(server.outbox).toEqual([]);

  const other = new Browser(server);
  await provider.signIn(other, { ...alice, preferred_username: 'renamed' });
  expect([other.path, isSignedIn(other)]).toEqual(['/', true]);
  expect(await findUsers(server)).toHaveLength(1);
  for (const password of ['', '!']) {
    const attacker = new Browser(server);
    await attacker.signIn('alice', password);
    expect([attacker.status, isSignedIn(attacker)]).toEqual([422, false]);
  }
  // The second sign-in came from another browser.
  await server.drain();
  expect(provider.requests.map(({ path }) => path)).toContain('/token');
  expect(provider.requests.every(({ trusted }) => trusted)).toBe(true);
});

test('the form of a sign-up shows every wrong field, and the username and address may be others than those of the provider', async () => {
  await using scene = await start();
  const { server } = scene;
  await server.user('alice', { email: 'alice@town.test' });
  const browser = await signUp(scene);
  expect(browser.status).toBe(422);
  expect(browser.text.match(/is already taken|has already been taken/g)).toHaveLength(2);
  await browser.submit(signUpPath, { username: 'alice2', email: 'other@mail.test', agreement: '1' });
  expect([browser.path, isSignedIn(browser)]).toEqual(['/auth/setup', true]);
  const [, user] = await findUsers(server);
  expect(user).toMatchObject({ username: 'alice2', email: 'other@mail.test', confirmed_at: null });
  await server.drain();
  expect(server.outbox).toMatchObject([{ to: 'other@mail.test' }]);
});

test.each<[why: string, settings: Record<string, string>, claims: object, isConfirmed: boolean]>([
  ['the provider did not verify', {}, { email_verified: false }, false],
  ['of a provider that says nothing about it', {}, { email_verified: undefined }, false],
  ['that the operator vouches for', { VERIFIED_EMAILS: 'on' }, { email_verified: undefined }, true],
  ['verified in the form of a text', {}, { email_verified: 'true' }, true],
])('an address %s: confirmed by a mail or not', async (_why, settings, claims, isConfirmed) => {
  await using scene = await start(settings);
  await signUp(scene, { ...alice, ...claims });
  const [user] = await findUsers(scene.server);
  expect([user?.confirmed_at !== null, user?.activated]).toEqual([isConfirmed, isConfirmed]);
  await scene.server.drain();
  expect(scene.server.outbox).toHaveLength(isConfirmed ? 0 : 1);
});

test('sign-ups with a provider follow the registrations of the site, or those of the provider', async () => {
  await using ofSite = await start({}, { settings: { REGISTRATIONS: 'approval' } });
  const { server, provider } = ofSite;
  const ada = await server.user('ada', { role: 'admin' });
  const browser = await signUp(ofSite);
  expect([browser.status, browser.text.includes('can&#39;t be blank')]).toEqual([422, true]);
  await browser.submit(signUpPath, {
    username: 'alice',
    email: 'alice@town.test',
    agreement: '1',
    reason: 'I live here',
  });
  expect([browser.path, browser.text.includes('Waiting for approval')]).toEqual(['/auth/setup', true]);
  await server.drain();
  expect(server.outbox).toMatchObject([{ to: 'ada@mail.test' }]);
  const { account_id: accountId } = await server.db
    .selectFrom('users')
    .select('account_id')
    .where('email', '=', 'alice@town.test')
    .executeTakeFirstOrThrow();
  await approveSignUp(server.app, ada.id, { accountId, notify: false });
  await provider.signIn(browser, alice);
  expect(browser.path).toBe('/');
  await server.drain();
});

test('a provider may let its people sign up while registrations are closed, or nobody at all', async () => {
  const settings = { REGISTRATIONS: 'closed' };
  await using closed = await start({}, { settings });
  const browser = new Browser(closed.server);
  await browser.open('/auth/sign_up');
  expect(browser.text).not.toContain(town);
  await closed.provider.signIn(browser, alice);
  expect([browser.status, isSignedIn(browser)]).toEqual([403, false]);
  expect(browser.text).toContain('No account here is linked to your account of Town ID');

  await using open = await start({ SIGN_UP: 'open' }, { settings });
  await browser.open('/auth/sign_up');
  const other = new Browser(open.server);
  await other.open('/auth/sign_up');
  expect(other.text).toContain(`href="${town}">Sign up with Town ID`);
  await signUp(open);
  expect(await findUsers(open.server)).toMatchObject([{ approved: true }]);

  await using never = await start({ SIGN_UP: 'closed' });
  const last = new Browser(never.server);
  await last.open('/auth/sign_up');
  expect(last.text).not.toContain(town);
  await never.provider.signIn(last, alice);
  expect(last.status).toBe(403);
});

test('an invite leads through the provider to a sign-up', async () => {
  await using scene = await start({}, { settings: { REGISTRATIONS: 'closed' } });
  const { server, provider } = scene;
  const bob = await server.user('bob', { role: 'owner' });
  const code = await createInvite(server.app, bob.id, { maxUses: 1 });
  const browser = new Browser(server);
  await browser.open(`/invite/${code}`);
  const link = `${town}?invite_code=${code}`;
  expect(browser.text).toContain(link);
  await provider.signIn(browser, alice, link);
  await browser.submit(signUpPath, { username: 'alice', email: 'alice@town.test', agreement: '1' });
  expect([browser.path, isSignedIn(browser)]).toEqual(['/', true]);
  expect(await server.db.selectFrom('invites').select('uses').execute()).toEqual([{ uses: 1 }]);
  await server.drain();
});

test('an app is authorized through a sign-in with the provider', async () => {
  await using scene = await start();
  const { server, provider } = scene;
  await signUp(scene);
  const redirectUri = 'https://app.test/callback';
  const { clientId } = await createApplication(server.app, {
    name: 'Phone app',
    redirectUris: [redirectUri],
    scopes: ['read'],
    website: null,
  });
  const authorize = `/oauth/authorize?response_type=code&client_id=${clientId}&redirect_uri=${encodeURIComponent(redirectUri)}&scope=read&state=of-the-app`;
  const browser = new Browser(server);
  await browser.open(authorize);
  const [, link = ''] = new RegExp(`href="(${town}[^"]*)"`).exec(browser.text) ?? [];
  await provider.signIn(browser, alice, link);
  expect(browser.path).toBe(authorize);
  const end = new URL(await browser.submit('/oauth/authorize'));
  expect([end.origin + end.pathname, end.searchParams.get('state')]).toEqual([redirectUri, 'of-the-app']);
  expect(end.searchParams.get('code')).toMatch(/.+/);

  // An app that asks for a new sign-in gets one at the provider, too.
  await browser.open(`${authorize}&force_login=true`);
  const [, forced = ''] = new RegExp(`href="(${town}[^"]*)"`).exec(browser.text) ?? [];
  expect(await browser.open(forced.replaceAll('&amp;', '&'))).toContain('&prompt=login');
});

test('an address of the provider takes over no account by itself', async () => {
  await using scene = await start();
  const { server, provider } = scene;
  await server.user('alice', { email: 'alice@town.test' });
  const browser = new Browser(server);
  await provider.signIn(browser, alice);
  expect([browser.path.split('?')[0], isSignedIn(browser)]).toEqual([signUpPath, false]);
  expect(await server.db.selectFrom('identities').selectAll().execute()).toEqual([]);
});

test('with LINK_BY_EMAIL a confirmed address signs in to the account that has confirmed it, with a notice', async () => {
  await using scene = await start({ LINK_BY_EMAIL: 'on' });
  const { server, provider } = scene;
  const user = await server.user('alice', { email: 'Alice@town.test' });
  const attempt = async (person: Person): Promise<Browser> => {
    const browser = new Browser(server);
    await provider.signIn(browser, person);
    return browser;
  };
  expect(isSignedIn(await attempt({ ...alice, email_verified: false }))).toBe(false);
  expect(isSignedIn(await attempt({ ...alice, email: 'alice@town.test.evil.test' }))).toBe(false);
  expect(isSignedIn(await attempt(alice))).toBe(true);
  expect(await server.db.selectFrom('identities').select(['user_id', 'issuer', 'subject']).execute()).toEqual([
    { user_id: user.userId, issuer: IdentityProvider.issuer, subject: 'person-1' },
  ]);
  await server.drain();
  expect(server.outbox).toMatchObject([{ to: 'Alice@town.test' }]);
  expect(server.outbox[0]?.text).toContain('An account of a sign-in provider was linked to @alice@fieldfare.test.');
  // Another person with the same address at the provider.
  const second = await attempt({ ...alice, sub: 'person-2' });
  expect([second.status, isSignedIn(second)]).toEqual([422, false]);
});

test('with LINK_BY_EMAIL, whoever signed up first with an address of another person does not get their sign-in', async () => {
  await using scene = await start({ LINK_BY_EMAIL: 'on' });
  const { server, provider } = scene;
  await server.user('squatter', { email: 'alice@town.test', confirmed: false });
  const browser = new Browser(server);
  await provider.signIn(browser, alice);
  expect([browser.path.split('?')[0], isSignedIn(browser)]).toEqual([signUpPath, false]);
  expect(await server.db.selectFrom('identities').selectAll().execute()).toEqual([]);
  await server.drain();
});

test('a callback works once, in the browser that began, for half an hour, and for its own provider', async () => {
  await using scene = await start();
  const { server, provider } = scene;
  provider.person = alice;
  const begin = async (browser: Browser): Promise<string> => {
    const { pathname, search } = new URL(await provider.visit(await browser.open(town)));
    return pathname + search;
  };
  const expectRefused = async (browser: Browser, path: string): Promise<void> => {
    await browser.open(path);
    expect([browser.status, isSignedIn(browser)]).toEqual([422, false]);
    expect(browser.text).toContain('The sign-in took too long, or began in another browser.');
  };
  const browser = new Browser(server);
  const path = await begin(browser);
  // An attacker who sends someone a callback would sign them in as the attacker.
  await expectRefused(new Browser(server), path);
  await expectRefused(browser, path.replace(/state=[^&]+/, `state=${'A'.repeat(43)}`));
  await expectRefused(browser, path.replace(/state=[^&]+/, ''));
  await browser.open(path);
  expect(browser.path).toContain(signUpPath);
  const form = browser.path;
  await expectRefused(browser, path);
  await expectRefused(new Browser(server), form);
  const late = await begin(browser);
  server.clock.advance(31 * 60);
  await expectRefused(browser, late);
  await browser.open('/auth/providers/town/sign_up');
  expect(browser.status).toBe(422);
  await expectRefused(browser, form);
  await server.runSchedule('user.clean_up_sign_ins');
  expect(await server.db.selectFrom('provider_sign_ins').selectAll().execute()).toEqual([]);
  expect((await browser.fetch('GET', '/auth/providers/other')).status).toBe(404);
  expect((await browser.fetch('GET', '/auth/providers/other/callback?state=x')).status).toBe(404);
});

test('a sign-up form counts once', async () => {
  await using scene = await start();
  const browser = new Browser(scene.server);
  await scene.provider.signIn(browser, alice);
  const send = (username: string) =>
    browser.send(signUpPath, {
      ...browser.hiddenFields(signUpPath),
      username,
      email: `${username}@town.test`,
      agreement: '1',
    });
  const responses = await Promise.all([send('alice'), send('alicia')]);
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 303]);
  expect(await findUsers(scene.server)).toHaveLength(1);
  await scene.server.drain();
});

test.each<[what: string, tamper: (path: string, body: string) => string]>([
  ['a signature that does not match', (path, body) => (path === '/token' ? forgeToken(body) : body)],
  ['claims of another person', (path, body) => (path === '/me' ? body.replace('person-1', 'person-2') : body)],
  ['an answer that is no JSON', (path, body) => (path === '/token' ? '<html>' : body)],
])('%s signs nobody in', async (_what, tamper) => {
  await using scene = await start();
  const { server, provider } = scene;
  await signUp(scene);
  provider.tamper = tamper;
  const browser = new Browser(server);
  await provider.signIn(browser, alice);
  expect([browser.status, isSignedIn(browser)]).toEqual([502, false]);
  expect(browser.text).toContain('The answer of Town ID was not valid.');
});

/** Returns the answer of a token endpoint with another subject in its ID token. */
function forgeToken(body: string): string {
  const { id_token: token, ...rest } = JSON.parse(body) as { id_token: string };
  const [head = '', payload = '', signature = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'person-2' })).toString('base64url');
  return JSON.stringify({ ...rest, id_token: [head, forged, signature].join('.') });
}

test('a callback of another issuer is refused', async () => {
  await using scene = await start();
  const { server, provider } = scene;
  await signUp(scene);
  provider.person = alice;
  const browser = new Browser(server);
  const { pathname, search } = new URL(await provider.visit(await browser.open(town)));
  expect(search).toContain('iss=');
  await browser.open(pathname + search.replace(/iss=[^&]+/, `iss=${encodeURIComponent('https://evil.test')}`));
  expect([browser.status, isSignedIn(browser)]).toEqual([502, false]);
});

test('a provider that refuses, or does not answer, leads back to the other ways to sign in', async () => {
  await using scene = await start();
  const { server, provider } = scene;
  const browser = new Browser(server);
  await provider.signIn(browser, undefined, `${town}?return_to=%2Fsettings`);
  expect([browser.status, isSignedIn(browser)]).toEqual([403, false]);
  expect(browser.text).toContain('Town ID did not sign you in.');
  expect(browser.text).toContain('/auth/sign_in?force=1&amp;return_to=%2Fsettings');

  provider.person = alice;
  const callback = new URL(await provider.visit(await browser.open(town)));
  provider.isUp = false;
  await browser.open(callback.pathname + callback.search);
  expect([browser.status, browser.text.includes('Town ID cannot be reached')]).toEqual([503, true]);

  await using other = await start();
  other.provider.isUp = false;
  const unlucky = new Browser(other.server);
  await unlucky.open(town);
  expect([unlucky.status, unlucky.text.includes('Town ID cannot be reached')]).toEqual([503, true]);
  await other.server.user('bob');
  await unlucky.signIn('bob');
  expect(isSignedIn(unlucky)).toBe(true);
  // It is asked again at once when it is back.
  other.provider.isUp = true;
  expect(await new Browser(other.server).open(town)).toContain(IdentityProvider.issuer);
});

test('keys of the provider may change', async () => {
  await using scene = await start();
  const { server, provider } = scene;
  await signUp(scene);
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    // Keys are not fetched again within a minute.
    vi.advanceTimersByTime(61_000);
    provider.rotateKeys();
    const browser = new Browser(server);
    await provider.signIn(browser, alice);
    expect([browser.path, isSignedIn(browser)]).toEqual(['/', true]);
  } finally {
    vi.useRealTimers();
  }
  await server.drain();
});

test('a second factor here is asked for after the sign-in at the provider', async () => {
  await using scene = await start({ LINK_BY_EMAIL: 'on' });
  const { server, provider } = scene;
  await server.user('alice', { email: 'alice@town.test' });
  const first = new Browser(server);
  await first.signIn('alice');
  const { secret } = await setUpTotp(server, first);
  const browser = new Browser(server);
  await provider.signIn(browser, alice, `${town}?return_to=%2Fsettings`);
  expect([browser.path, isSignedIn(browser)]).toEqual(['/auth/sign_in/second_factor?return_to=%2Fsettings', false]);
  await browser.submit('/auth/sign_in/second_factor', { code: appCode(server, secret, 1) });
  expect([browser.path, isSignedIn(browser)]).toEqual(['/settings', true]);
  expect(await server.db.selectFrom('sessions').select('issuer').where('issuer', 'is not', null).execute()).toEqual([
    { issuer: IdentityProvider.issuer },
  ]);
  await server.drain();
});

/** Returns the name of the role of a user. */
async function roleOf({ db }: TestServer, username: string): Promise<string> {
  const row = await db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select('roles.name')
    .where('accounts.username', '=', username)
    .executeTakeFirstOrThrow();
  return row.name;
}

test('members of a group get a role at each sign-in, and lose it after they left the group', async () => {
  await using scene = await start({ ROLES: 'staff=Moderator,it=admin,ghosts=nobody' });
  const { server, provider } = scene;
  const browser = await signUp(scene);
  expect(await roleOf(server, 'alice')).toBe('Moderator');
  const roleAfter = async (groups: unknown): Promise<string> => {
    await provider.signIn(browser, { ...alice, groups });
    expect(browser.path).toBe('/');
    return roleOf(server, 'alice');
  };
  expect(await roleAfter(['ghosts', 'it', 'staff'])).toBe('Admin');
  expect(await roleAfter(['staff'])).toBe('Moderator');
  expect(await roleAfter(['Staff', 'owner', '1', 'admin', 'ghosts'])).toBe('');
  expect(await roleAfter(['staff'])).toBe('Moderator');
  expect(await roleAfter(undefined)).toBe('');
  const changes = await server.db
    .selectFrom('audit_log')
    .select(['action', 'staff_id', 'target_label', 'after'])
    .where('action', '=', 'account.change_role')
    .orderBy('id')
    .execute();
  expect(changes).toHaveLength(6);
  expect(changes[1]).toEqual({
    action: 'account.change_role',
    staff_id: null,
    target_label: 'alice',
    after: { role: 'Admin', provider: 'town' },
  });
  await server.drain();
});

test('a role of a group takes nothing from owners, from people with a higher role, or what staff gave', async () => {
  await using scene = await start({ ROLES: 'staff=moderator', LINK_BY_EMAIL: 'on' });
  const { server, provider } = scene;
  const signInAs = async (sub: string, groups: readonly string[]): Promise<string> => {
    const browser = new Browser(server);
    await provider.signIn(browser, { ...alice, sub, email: `${sub}@mail.test`, groups });
    expect(isSignedIn(browser)).toBe(true);
    return roleOf(server, sub);
  };
  await server.user('olga', { role: 'owner' });
  await server.user('adam', { role: 'admin' });
  await server.user('mona', { role: 'moderator' });
  for (const groups of [['staff'], []]) {
    expect(await signInAs('olga', groups)).toBe('Owner');
    expect(await signInAs('adam', groups)).toBe('Admin');
    expect(await signInAs('mona', groups)).toBe('Moderator');
  }
  // Staff promoted someone with a lower role of a group.
  const bob = await server.user('bob');
  expect(await signInAs('bob', ['staff'])).toBe('Moderator');
  await server.db.updateTable('users').set({ role_id: standardRoles.admin }).where('id', '=', bob.userId).execute();
  expect(await signInAs('bob', ['staff'])).toBe('Admin');
  expect(await signInAs('bob', [])).toBe('Admin');
  await server.drain();
});

test.each<[state: string, change: object, page: string]>([
  ['disabled', { disabled: true }, 'Your account is disabled'],
  ['not approved', { approved: false }, 'Waiting for approval'],
])('a user who is %s gets the same page as after another sign-in', async (_state, change, page) => {
  await using scene = await start();
  const { server, provider } = scene;
  await signUp(scene);
  const [user] = await findUsers(server);
  await server.db
    .updateTable('users')
    .set(change)
    .where('id', '=', user?.id as UserId)
    .execute();
  const browser = new Browser(server);
  await provider.signIn(browser, alice, `${town}?return_to=%2Fsettings`);
  await browser.open('/settings');
  expect(browser.text).toContain(page);
  await server.drain();
});

test('a browser that is signed in adds an account with the provider', async () => {
  await using scene = await start();
  const { server, provider } = scene;
  await signUp(scene);
  await server.user('bob');
  const browser = new Browser(server);
  await browser.signIn('bob');
  await provider.signIn(browser, alice, `${town}?add=true`);
  const { json } = await browser.fetch('GET', '/api/web/session');
  expect(json.accounts.map(({ username }: { username: string }) => username)).toEqual(['alice', 'bob']);
  await server.drain();
});
