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
import { startServer, type Client, type TestResponse, type TestServer, type TestUser } from '../../server.ts';
import { standardRoles } from '../../../server/users/access/index.ts';

const activity = { headers: { accept: 'application/activity+json' } };
const html = { headers: { accept: 'text/html' } };

async function idOf(response: Promise<TestResponse>): Promise<string> {
  const { status, text, json } = await response;
  if (status !== 200) throw new Error(`${status} ${text}`);
  return json.id as string;
}

const states = {
  active: { enter: async () => {}, leave: async () => {} },
  disabled: { enter: disableUser, leave: enableUser },
  suspended: { enter: suspendAccount, leave: unsuspendAccount },
} as const;
type State = keyof typeof states;

const setState = (app: App, user: TestUser, state: State, step: 'enter' | 'leave'): Promise<unknown> =>
  states[state][step](app, 'system', { accountId: user.id });

/** Puts alice on every surface that bob or an anonymous visitor can read, as an author and as an account. */
async function createScene(server: TestServer) {
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  await alice.patch('/api/v1/accounts/update_credentials', {
    discoverable: true,
    indexable: true,
    note: 'Birdwatcher',
  });
  for (const user of [bob, carol]) await user.patch('/api/v1/accounts/update_credentials', { discoverable: true });
  const publish = (user: TestUser, status: string, more: object = {}) =>
    idOf(user.post('/api/v1/statuses', { status, ...more }));
  const act = (user: TestUser, path: string, body: object = {}) => idOf(user.post(path, body));
  await act(bob, `/api/v1/accounts/${alice.id}/follow`);
  await act(alice, `/api/v1/accounts/${bob.id}/follow`);
  await act(carol, `/api/v1/accounts/${bob.id}/follow`);
  await act(carol, `/api/v1/accounts/${alice.id}/follow`);
  await act(bob, `/api/v1/accounts/${carol.id}/follow`);
  await server.drain();
  const list = await act(bob, '/api/v1/lists', { title: 'Birds' });
  await bob.post(`/api/v1/lists/${list}/accounts`, { account_ids: [alice.id] });
  const root = await publish(carol, 'root');
  const post = await publish(alice, 'a rare heron #birds', { in_reply_to_id: undefined });
  const reply = await publish(alice, 'an answer', { in_reply_to_id: root });
  const direct = await publish(alice, '@bob psst', { visibility: 'direct' });
  const poll = await alice.post('/api/v1/statuses', {
    status: 'which?',
    poll: { options: ['a', 'b'], expires_in: 3600 },
  });
  await act(alice, `/api/v1/statuses/${post}/pin`);
  await alice.post('/api/v1/featured_tags', { name: 'birds' });
  await act(bob, `/api/v1/statuses/${post}/favourite`);
  await act(bob, `/api/v1/statuses/${post}/bookmark`);
  const reblog = await act(carol, `/api/v1/statuses/${post}/reblog`);
  const quote = await publish(carol, 'look', { quoted_status_id: post });
  const own = await publish(bob, 'of bob');
  await act(alice, `/api/v1/statuses/${own}/favourite`);
  await act(alice, `/api/v1/statuses/${own}/reblog`);
  await act(bob, `/api/v1/accounts/${alice.id}/endorse`);
  const collection = (await carol.post('/api/v1/collections', { name: 'Recommended', account_ids: [alice.id] })).json;
  const owned = (await alice.post('/api/v1/collections', { name: 'Mine', account_ids: [bob.id] })).json;
  await server.drain();
  const ids = { list, root, post, reply, direct, reblog, quote, own, poll: poll.json.poll.id as string };
  return { alice, bob, carol, ids, collection: collection.collection?.id, owned: owned.collection?.id };
}

type Scene = Awaited<ReturnType<typeof createScene>>;
type Reader = Pick<Client, 'get'>;
interface Surface {
  readonly name: string;
  /** Whether the surface shows alice or one of her posts. */
  readonly shows: (scene: Scene & { server: TestServer }) => Promise<boolean>;
}

const readSurface = (
  name: string,
  path: (scene: Scene) => string,
  viewer: 'bob' | 'carol' | 'anonymous' = 'bob',
): Surface => ({
  name: `${name} (${viewer})`,
  async shows(scene) {
    const reader: Reader = viewer === 'anonymous' ? scene.server.anonymous : scene[viewer];
    const { status, text } = await reader.get(path(scene));
    return status === 200 && new RegExp(`"${scene.alice.id}"|heron|an answer|psst|which\\?`).test(text);
  },
});
const pageSurface = (name: string, path: (scene: Scene) => string, viewer: 'bob' | 'anonymous'): Surface => ({
  name: `${name} (${viewer})`,
  async shows(scene) {
    return (await (viewer === 'bob' ? scene.bob : scene.server.anonymous).get(path(scene))).status === 200;
  },
});
const statusSurface = (
  name: string,
  path: (scene: Scene) => string,
  expected: number,
  options: object = {},
): Surface => ({
  name,
  async shows({ server, ...scene }) {
    const { status } = await server.anonymous.get(path(scene as Scene), options);
    if (status !== 200 && status !== expected) throw new Error(`${name}: ${status}`);
    return status === 200;
  },
});

const accountPath = (suffix: string) => (scene: Scene) => `/api/v1/accounts/${scene.alice.id}${suffix}`;
const postPath = (suffix: string) => (scene: Scene) => `/api/v1/statuses/${scene.ids.post}${suffix}`;
const allViewers = ['bob', 'anonymous'] as const;

const surfaces: readonly Surface[] = [
  ...allViewers.flatMap((viewer) => [
    readSurface('posts of alice', accountPath('/statuses'), viewer),
    readSurface('pinned posts of alice', accountPath('/statuses?pinned=true'), viewer),
    readSurface('a post', postPath(''), viewer),
    pageSurface('the context of a reply', (f) => `/api/v1/statuses/${f.ids.reply}/context`, viewer),
    readSurface('a reply in a context', (f) => `/api/v1/statuses/${f.ids.root}/context`, viewer),
    readSurface('the history of a post', postPath('/history'), viewer),
    readSurface('posts by ids', (f) => `/api/v1/statuses?id[]=${f.ids.post}`, viewer),
    pageSurface('a poll', (f) => `/api/v1/polls/${f.ids.poll}`, viewer),
    readSurface('a reblog of a post', (f) => `/api/v1/statuses/${f.ids.reblog}`, viewer),
    readSurface('reblogs by others', (f) => `/api/v1/accounts/${f.carol.id}/statuses?exclude_replies=true`, viewer),
    readSurface('a quote of a post', (f) => `/api/v1/statuses/${f.ids.quote}`, viewer),
    readSurface('the public timeline', () => '/api/v1/timelines/public', viewer),
    readSurface('a hashtag', () => '/api/v1/timelines/tag/birds', viewer),
    readSurface('accounts that favourited', (f) => `/api/v1/statuses/${f.ids.own}/favourited_by`, viewer),
    readSurface('accounts that reblogged', (f) => `/api/v1/statuses/${f.ids.own}/reblogged_by`, viewer),
    readSurface('followers', (f) => `/api/v1/accounts/${f.bob.id}/followers`, viewer),
    readSurface('following', (f) => `/api/v1/accounts/${f.bob.id}/following`, viewer),
    readSurface('the directory', () => '/api/v1/directory', viewer),
    readSurface('a collection with alice', (f) => `/api/v1/collections/${f.collection}`, viewer),
    readSurface('a collection of alice', (f) => `/api/v1/collections/${f.owned}`, viewer),
    readSurface('endorsements', (f) => `/api/v1/accounts/${f.bob.id}/endorsements`, viewer),
  ]),
  readSurface('home', () => '/api/v1/timelines/home'),
  readSurface('a list', (f) => `/api/v1/timelines/list/${f.ids.list}`),
  readSurface('the members of a list', (f) => `/api/v1/lists/${f.ids.list}/accounts`),
  readSurface('conversations', () => '/api/v1/conversations'),
  readSurface('notifications', () => '/api/v1/notifications'),
  readSurface('favourites', () => '/api/v1/favourites'),
  readSurface('bookmarks', () => '/api/v1/bookmarks'),
  readSurface('quotes', postPath('/quotes'), 'carol'),
  readSurface('familiar followers', (f) => `/api/v1/accounts/familiar_followers?id[]=${f.bob.id}`, 'carol'),
  readSurface('relationships', (f) => `/api/v1/accounts/relationships?id[]=${f.alice.id}`),
  readSurface('account search', () => '/api/v2/search?q=alice&type=accounts'),
  readSurface('account search by exact name', () => '/api/v1/accounts/search?q=alice'),
  readSurface('post search', () => '/api/v2/search?q=heron&type=statuses'),
  statusSurface('oEmbed', (f) => `/api/oembed?url=https://fieldfare.test/@alice/${f.ids.post}`, 404),
  statusSurface('the profile page', () => '/@alice', 403, html),
  statusSurface('the page of a post', (f) => `/@alice/${f.ids.post}`, 403, html),
  statusSurface('the page of a hashtag', () => '/@alice/tagged/birds', 403, html),
  statusSurface('an embedded post', (f) => `/@alice/${f.ids.post}/embed`, 404, html),
  statusSurface('the object of a post', (f) => `/users/alice/statuses/${f.ids.post}`, 403, activity),
  statusSurface('the Create of a post', (f) => `/users/alice/statuses/${f.ids.post}/activity`, 403, activity),
  statusSurface('the replies of a post', (f) => `/users/alice/statuses/${f.ids.post}/replies`, 403, activity),
  ...['outbox', 'followers', 'following', 'collections/featured', 'collections/tags'].map((part) =>
    statusSurface(`the ${part} of alice`, () => `/users/alice/${part}`, 403, activity),
  ),
];

test.for(['active', 'disabled', 'suspended'] as const)(
  'ACC-14: each surface shows or hides an author who is %s, and shows them again afterwards',
  async (state) => {
    await using server = await startServer();
    const scene = { ...(await createScene(server)), server };
    const shown = async () => {
      const names: string[] = [];
      for (const { name, shows } of surfaces) if (await shows(scene)) names.push(name);
      return names;
    };
    const all = await shown();
    // Disabling a user blocks the login only; it hides nothing.
    const expected = state === 'suspended' ? [] : all;
    expect(
      surfaces.map(({ name }) => name).filter((name) => !all.includes(name)),
      'never shown',
    ).toEqual([]);
    await setState(server.app, scene.alice, state, 'enter');
    expect(await shown()).toEqual(expected);
    await server.drain();
    expect(await shown()).toEqual(expected);
    await setState(server.app, scene.alice, state, 'leave');
    expect(await shown()).toEqual(all);
    await server.drain();
    expect(await shown()).toEqual(all);
  },
);

test('ACC-14: a suspended account shows only its name and is marked as suspended, in the API and to other servers', async () => {
  await using server = await startServer();
  const { alice, bob } = await createScene(server);
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
  expect(server.outbox.map(({ subject }) => subject)).toEqual([
    'Your account on fieldfare.test is suspended',
    'Your account on fieldfare.test is disabled',
  ]);
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
