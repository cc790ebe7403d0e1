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
} from '../../server/moderation/index.ts';
import type { App } from '../../server/platform/app.ts';
import { routes } from '../../server/app.ts';
import { Browser } from '../browser.ts';
import { startServer, type Client, type TestResponse, type TestServer, type TestUser } from '../server.ts';

const activity = { headers: { accept: 'application/activity+json' } };
const html = { headers: { accept: 'text/html' } };

async function id(answer: Promise<TestResponse>): Promise<string> {
  const { status, text, json } = await answer;
  if (status !== 200) throw new Error(`${status} ${text}`);
  return json.id as string;
}

const states = {
  active: { enter: async () => {}, leave: async () => {} },
  disabled: { enter: disableUser, leave: enableUser },
  suspended: { enter: suspendAccount, leave: unsuspendAccount },
} as const;
type State = keyof typeof states;

const setState = (app: App, user: TestUser, state: State, way: 'enter' | 'leave'): Promise<unknown> =>
  states[state][way](app, 'system', { accountId: user.id });

/** Alice is everywhere: in each list that bob or anybody can ask for, as an author and as an account. */
async function createScene(server: TestServer) {
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  await alice.patch('/api/v1/accounts/update_credentials', {
    discoverable: true,
    indexable: true,
    note: 'Birdwatcher',
  });
  for (const user of [bob, carol]) await user.patch('/api/v1/accounts/update_credentials', { discoverable: true });
  const say = (user: TestUser, status: string, more: object = {}) =>
    id(user.post('/api/v1/statuses', { status, ...more }));
  const act = (user: TestUser, path: string, body: object = {}) => id(user.post(path, body));
  await act(bob, `/api/v1/accounts/${alice.id}/follow`);
  await act(alice, `/api/v1/accounts/${bob.id}/follow`);
  await act(carol, `/api/v1/accounts/${bob.id}/follow`);
  await act(carol, `/api/v1/accounts/${alice.id}/follow`);
  await act(bob, `/api/v1/accounts/${carol.id}/follow`);
  await server.drain();
  const list = await act(bob, '/api/v1/lists', { title: 'Birds' });
  await bob.post(`/api/v1/lists/${list}/accounts`, { account_ids: [alice.id] });
  const root = await say(carol, 'root');
  const post = await say(alice, 'a rare heron #birds', { in_reply_to_id: undefined });
  const reply = await say(alice, 'an answer', { in_reply_to_id: root });
  const direct = await say(alice, '@bob psst', { visibility: 'direct' });
  const poll = await alice.post('/api/v1/statuses', {
    status: 'which?',
    poll: { options: ['a', 'b'], expires_in: 3600 },
  });
  await act(alice, `/api/v1/statuses/${post}/pin`);
  await alice.post('/api/v1/featured_tags', { name: 'birds' });
  await act(bob, `/api/v1/statuses/${post}/favourite`);
  await act(bob, `/api/v1/statuses/${post}/bookmark`);
  const reblog = await act(carol, `/api/v1/statuses/${post}/reblog`);
  const quote = await say(carol, 'look', { quoted_status_id: post });
  const own = await say(bob, 'of bob');
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
  /** Whether alice, or what she wrote, is shown. */
  readonly shows: (facts: Scene & { server: TestServer }) => Promise<boolean>;
}

const readSurface = (
  name: string,
  path: (facts: Scene) => string,
  who: 'bob' | 'carol' | 'anonymous' = 'bob',
): Surface => ({
  name: `${name} (${who})`,
  async shows(facts) {
    const reader: Reader = who === 'anonymous' ? facts.server.anonymous : facts[who];
    const { status, text } = await reader.get(path(facts));
    return status === 200 && new RegExp(`"${facts.alice.id}"|heron|an answer|psst|which\\?`).test(text);
  },
});
const pageSurface = (name: string, path: (facts: Scene) => string, who: 'bob' | 'anonymous'): Surface => ({
  name: `${name} (${who})`,
  async shows(facts) {
    return (await (who === 'bob' ? facts.bob : facts.server.anonymous).get(path(facts))).status === 200;
  },
});
const statusSurface = (
  name: string,
  path: (facts: Scene) => string,
  expected: number,
  options: object = {},
): Surface => ({
  name,
  async shows({ server, ...facts }) {
    const { status } = await server.anonymous.get(path(facts as Scene), options);
    if (status !== 200 && status !== expected) throw new Error(`${name}: ${status}`);
    return status === 200;
  },
});

const about = (suffix: string) => (facts: Scene) => `/api/v1/accounts/${facts.alice.id}${suffix}`;
const ofPost = (suffix: string) => (facts: Scene) => `/api/v1/statuses/${facts.ids.post}${suffix}`;
const allViewers = ['bob', 'anonymous'] as const;

const surfaces: readonly Surface[] = [
  ...allViewers.flatMap((who) => [
    readSurface('her posts', about('/statuses'), who),
    readSurface('her pinned posts', about('/statuses?pinned=true'), who),
    readSurface('a post', ofPost(''), who),
    pageSurface('its context', (f) => `/api/v1/statuses/${f.ids.reply}/context`, who),
    readSurface('an answer in a context', (f) => `/api/v1/statuses/${f.ids.root}/context`, who),
    readSurface('its history', ofPost('/history'), who),
    readSurface('posts by ids', (f) => `/api/v1/statuses?id[]=${f.ids.post}`, who),
    pageSurface('her poll', (f) => `/api/v1/polls/${f.ids.poll}`, who),
    readSurface('the reblog of her post', (f) => `/api/v1/statuses/${f.ids.reblog}`, who),
    readSurface('reblogs by others', (f) => `/api/v1/accounts/${f.carol.id}/statuses?exclude_replies=true`, who),
    readSurface('the quote of her post', (f) => `/api/v1/statuses/${f.ids.quote}`, who),
    readSurface('the public timeline', () => '/api/v1/timelines/public', who),
    readSurface('a hashtag', () => '/api/v1/timelines/tag/birds', who),
    readSurface('who favourited', (f) => `/api/v1/statuses/${f.ids.own}/favourited_by`, who),
    readSurface('who reblogged', (f) => `/api/v1/statuses/${f.ids.own}/reblogged_by`, who),
    readSurface('followers', (f) => `/api/v1/accounts/${f.bob.id}/followers`, who),
    readSurface('following', (f) => `/api/v1/accounts/${f.bob.id}/following`, who),
    readSurface('the directory', () => '/api/v1/directory', who),
    readSurface('a collection', (f) => `/api/v1/collections/${f.collection}`, who),
    readSurface('her collection', (f) => `/api/v1/collections/${f.owned}`, who),
    readSurface('the endorsed', (f) => `/api/v1/accounts/${f.bob.id}/endorsements`, who),
  ]),
  readSurface('home', () => '/api/v1/timelines/home'),
  readSurface('a list', (f) => `/api/v1/timelines/list/${f.ids.list}`),
  readSurface('the members of a list', (f) => `/api/v1/lists/${f.ids.list}/accounts`),
  readSurface('conversations', () => '/api/v1/conversations'),
  readSurface('notifications', () => '/api/v1/notifications'),
  readSurface('favourites', () => '/api/v1/favourites'),
  readSurface('bookmarks', () => '/api/v1/bookmarks'),
  readSurface('quotes', ofPost('/quotes'), 'carol'),
  readSurface('familiar followers', (f) => `/api/v1/accounts/familiar_followers?id[]=${f.bob.id}`, 'carol'),
  readSurface('relationships', (f) => `/api/v1/accounts/relationships?id[]=${f.alice.id}`),
  readSurface('search for people', () => '/api/v2/search?q=alice&type=accounts'),
  readSurface('search for an exact name', () => '/api/v1/accounts/search?q=alice'),
  readSurface('search for posts', () => '/api/v2/search?q=heron&type=statuses'),
  statusSurface('oEmbed', (f) => `/api/oembed?url=https://fieldfare.test/@alice/${f.ids.post}`, 404),
  statusSurface('her page', () => '/@alice', 403, html),
  statusSurface('the page of a post', (f) => `/@alice/${f.ids.post}`, 403, html),
  statusSurface('the page of a hashtag', () => '/@alice/tagged/birds', 403, html),
  statusSurface('an embedded post', (f) => `/@alice/${f.ids.post}/embed`, 404, html),
  statusSurface('the object of a post', (f) => `/users/alice/statuses/${f.ids.post}`, 403, activity),
  statusSurface('its Create', (f) => `/users/alice/statuses/${f.ids.post}/activity`, 403, activity),
  statusSurface('its replies', (f) => `/users/alice/statuses/${f.ids.post}/replies`, 403, activity),
  ...['outbox', 'followers', 'following', 'collections/featured', 'collections/tags'].map((part) =>
    statusSurface(`her ${part}`, () => `/users/alice/${part}`, 403, activity),
  ),
];

test.for(['active', 'disabled', 'suspended'] as const)(
  'ACC-14: what every surface shows of an author who is %s, and after',
  async (state) => {
    await using server = await startServer();
    const facts = { ...(await createScene(server)), server };
    const shown = async () => {
      const names: string[] = [];
      for (const { name, shows } of surfaces) if (await shows(facts)) names.push(name);
      return names;
    };
    const all = await shown();
    // A disabled user is not hidden: only their login is.
    const expected = state === 'suspended' ? [] : all;
    expect(
      surfaces.map(({ name }) => name).filter((name) => !all.includes(name)),
      'never shown',
    ).toEqual([]);
    await setState(server.app, facts.alice, state, 'enter');
    expect(await shown()).toEqual(expected);
    await server.drain();
    expect(await shown()).toEqual(expected);
    await setState(server.app, facts.alice, state, 'leave');
    expect(await shown()).toEqual(all);
    await server.drain();
    expect(await shown()).toEqual(all);
  },
);

test('ACC-14: of a suspended account its name is left, marked as suspended, here and for other servers', async () => {
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
  'OAU-03: what a user who is %s may do, with tokens, sessions and a password',
  async (state) => {
    await using server = await startServer({ sweep: true });
    const alice = await server.user('alice');
    const browser = new Browser(server);
    await browser.signIn('alice');
    // The token and the session are known to the process before anything changes.
    expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(200);
    await setState(server.app, alice, state, 'enter');

    const refused = state !== 'active';
    const wrong: string[] = [];
    for (const { method, path, options } of routes) {
      if (options.access !== 'user' || options.allowUnconfirmed === true) continue;
      const called = path.replaceAll(/:\w+/g, '1');
      const { status, json } = await alice.call(method, called).then((answer) => ({
        status: answer.status,
        json: answer.text.startsWith('{') ? answer.json : {},
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

test('REG-01: an approved sign-up is told by mail, once; one that is rejected frees its name and address', async () => {
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

test('a decision is made once: repeating it changes nothing and sends no second mail', async () => {
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

test('a role counts at once, with its permissions and its badge', async () => {
  await using server = await startServer();
  const { app } = server;
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const badges = async () => (await bob.get(`/api/v1/accounts/${alice.id}`)).json.roles as { name: string }[];
  expect([await badges(), (await alice.get('/api/v1/accounts/verify_credentials')).json.role.name]).toEqual([[], '']);
  expect(await changeUserRole(app, 'system', { accountId: alice.id, role: 'moderator' })).toBe(true);
  expect(await changeUserRole(app, 'system', { accountId: alice.id, role: 'moderator' })).toBe(false);
  const own = (await alice.get('/api/v1/accounts/verify_credentials')).json.role as { name: string };
  expect([await badges(), own.name]).toMatchObject([[{ name: 'Moderator' }], 'Moderator']);
  const remote = await accountId(server, app.config.domain).catch(() => undefined);
  expect(remote).toBeUndefined();
});

test('the account of the server itself cannot be suspended', async () => {
  await using server = await startServer();
  await server.anonymous.get('/actor');
  const actor = await accountId(server, server.app.config.domain);
  await expect(suspendAccount(server.app, 'system', { accountId: actor })).rejects.toThrow('cannot be suspended');
});
