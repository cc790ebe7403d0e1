import { expect, test } from 'vitest';
import {
  approveSignUp,
  changeUserRole,
  deleteAccountAsStaff,
  disableUser,
  enableUser,
  rejectSignUp,
  suspendAccount,
  unsuspendAccount,
} from '../../../server/moderation/index.ts';
import type { App } from '../../../server/platform/app.ts';
import { routes } from '../../../server/app.ts';
import { Browser } from '../../browser.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';
import { createScene } from '../../states/scene.ts';
import { standardRoles } from '../../../server/users/access/index.ts';

const activity = { headers: { accept: 'application/activity+json' } };

const states = {
  active: { enter: async () => {}, leave: async () => {} },
  disabled: { enter: disableUser, leave: enableUser },
  suspended: { enter: suspendAccount, leave: unsuspendAccount },
} as const;
type State = keyof typeof states;

const setState = (app: App, user: TestUser, state: State, step: 'enter' | 'leave'): Promise<unknown> =>
  states[state][step](app, 'system', { accountId: user.id });

test('ACC-14: a suspended account shows only its name and is marked as suspended, in the API and to other servers', async () => {
  await using server = await startServer();
  const { alice, viewers } = await createScene(server, { local: true });
  const { bob } = viewers;
  await suspendAccount(server.app, 'system', { accountId: alice.id });
  const { json } = await bob.get(`/api/v1/accounts/${alice.id}`);
  expect(json).toMatchObject({ username: 'alice', suspended: true, note: '', display_name: '' });
  expect((await bob.get('/api/v1/accounts/lookup?acct=alice')).json.suspended).toBe(true);
  const actor = await server.anonymous.get('/users/alice', activity);
  expect([actor.status, actor.json.suspended, actor.json.summary ?? '']).toEqual([200, true, '']);
  const finger = await server.anonymous.get('/.well-known/webfinger?resource=acct:alice@fieldfare.test');
  expect(finger.status).toBe(200);
  const inbox = await server.anonymous.post('/users/alice/inbox', {});
  expect(inbox.status).toBe(403);
  expect((await bob.post(`/api/v1/accounts/${alice.id}/follow`)).status).toBe(404);
});

test.for(['active', 'disabled', 'suspended'] as const)(
  'OAU-03: access of a user who is %s by token, session and password',
  async (state) => {
    await using server = await startServer({ sweep: true });
    const alice = await server.user('alice', { scopes: 'read write follow push profile admin:read' });
    const browser = new Browser(server);
    await browser.signIn('alice');
    // The process caches the token and the session before the state changes.
    expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(200);
    await setState(server.app, alice, state, 'enter');

    const refused = state !== 'active';
    const wrong: string[] = [];
    for (const { method, path, options } of routes) {
      if (options.access !== 'user' || options.allowUnconfirmed === true) continue;
      const called = path.replaceAll(/:\w+/g, '1');
      const { status, json } = await alice.call(method, called).then((response) => ({
        status: response.status,
        json: response.text.startsWith('{') ? response.json : {},
      }));
      const isRefused = status === 403 && json.error === 'Your login is currently disabled';
      if (isRefused !== refused && !(status === 401 && !refused)) wrong.push(`${method} ${path}: ${status}`);
      if (!refused) break;
    }
    expect(wrong).toEqual([]);

    await browser.open('/auth/edit');
    const again = new Browser(server);
    await again.signIn('alice');
    await again.open('/auth/edit');
    if (refused) {
      expect(browser.path).toMatch(state === 'disabled' ? /^\/auth\/sign_in/ : /^\/auth\/setup/);
      expect(again.path).toMatch(/^\/auth\/setup/);
      expect([again.status, again.text.includes('Your account is disabled')]).toEqual([403, true]);
    } else {
      expect([browser.status, again.status]).toEqual([200, 200]);
    }
    await setState(server.app, alice, state, 'leave');
    expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(200);
    expect(await again.open('/auth/edit')).toBe('/auth/edit');
  },
);

const accountId = async (server: TestServer, username: string) =>
  (await server.app.db.selectFrom('accounts').select('id').where('username', '=', username).executeTakeFirstOrThrow())
    .id;

test('REG-01: approving a sign-up sends one mail; rejecting it releases its username and address', async () => {
  await using server = await startServer();
  const { app } = server;
  const alice = await server.user('alice', { approved: false });
  const bob = await server.user('bob', { approved: false });
  const pending = await alice.get('/api/v1/accounts/verify_credentials');
  expect([pending.status, pending.json.error]).toEqual([403, 'Your login is currently pending approval']);
  expect(await approveSignUp(app, 'system', { accountId: alice.id, text: 'Welcome, heron!' })).toBe(true);
  expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(200);
  expect(await approveSignUp(app, 'system', { accountId: alice.id })).toBe(false);
  await server.drain();
  expect(server.outbox.map(({ to, subject }) => [to, subject])).toEqual([
    ['alice@mail.test', 'Your account on fieldfare.test is approved'],
  ]);
  expect(server.outbox[0]?.text).toContain('The staff wrote: Welcome, heron!');
  await expect(rejectSignUp(app, 'system', { accountId: alice.id })).rejects.toThrow('already approved');

  expect((await bob.get('/api/v1/accounts/verify_credentials')).status).toBe(403);
  expect(await rejectSignUp(app, 'system', { accountId: bob.id, notify: true, text: 'No <b>bots</b>' })).toBe(true);
  expect((await bob.get('/api/v1/accounts/verify_credentials')).status).toBe(401);
  await expect(rejectSignUp(app, 'system', { accountId: bob.id })).rejects.toThrow('Record not found');
  await server.drain();
  expect(server.outbox[1]).toMatchObject({
    to: 'bob@mail.test',
    subject: 'Your sign-up on fieldfare.test was rejected',
  });
  expect(server.outbox[1]?.html).toContain('No &lt;b&gt;bots&lt;/b&gt;');
  await server.user('bob');
});

test('repeating a moderation decision changes nothing and sends no second mail', async () => {
  await using server = await startServer();
  const { app } = server;
  const alice = await server.user('alice');
  const decision = { accountId: alice.id, text: 'spam' };
  const outcomes = [
    await suspendAccount(app, 'system', decision),
    await suspendAccount(app, 'system', decision),
    await unsuspendAccount(app, 'system', decision),
    await unsuspendAccount(app, 'system', decision),
    await disableUser(app, 'system', decision),
    await disableUser(app, 'system', decision),
    await enableUser(app, 'system', decision),
    await enableUser(app, 'system', decision),
    await suspendAccount(app, 'system', { ...decision, notify: false }),
    await deleteAccountAsStaff(app, 'system', decision),
    await deleteAccountAsStaff(app, 'system', decision),
  ];
  expect(outcomes).toEqual([true, false, true, false, true, false, true, false, true, true, false]);
  await server.drain();
  // Mails are sent side by side.
  const mails = server.outbox.toSorted((one, other) => one.subject.localeCompare(other.subject));
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Your account on fieldfare.test is disabled',
    'Your account on fieldfare.test is suspended',
  ]);
  expect(mails[0]?.text).not.toContain('30 days');
  expect(mails[1]?.text).toContain('deleted after 30 days');
  expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(401);
  expect((await server.anonymous.get(`/api/v1/accounts/${alice.id}`)).status).toBe(404);
});

test('a role change takes effect immediately, with its permissions and badge', async () => {
  await using server = await startServer();
  const { app } = server;
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const badges = async () => (await bob.get(`/api/v1/accounts/${alice.id}`)).json.roles as { name: string }[];
  expect([await badges(), (await alice.get('/api/v1/accounts/verify_credentials')).json.role.name]).toEqual([[], '']);
  expect(await changeUserRole(app, 'system', { accountId: alice.id, roleId: standardRoles.moderator })).toBe(true);
  expect(await changeUserRole(app, 'system', { accountId: alice.id, roleId: standardRoles.moderator })).toBe(false);
  const own = (await alice.get('/api/v1/accounts/verify_credentials')).json.role as { name: string };
  expect([await badges(), own.name]).toMatchObject([[{ name: 'Moderator' }], 'Moderator']);
  const remote = await accountId(server, app.config.domain).catch(() => undefined);
  expect(remote).toBeUndefined();
});

test('the instance actor cannot be suspended', async () => {
  await using server = await startServer();
  await server.anonymous.get('/actor');
  const actor = await accountId(server, server.app.config.domain);
  await expect(suspendAccount(server.app, 'system', { accountId: actor })).rejects.toThrow('cannot be suspended');
});
