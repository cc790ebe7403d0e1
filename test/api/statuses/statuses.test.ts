import { clearCaches } from '../../../server/platform/write/publish.ts';
import { expect, test } from 'vitest';
import { loadCachedAccounts } from '../../../server/accounts/present/index.ts';
import { storeRemoteAccount } from '../../../server/accounts/remote/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { StatusId } from '../../../server/platform/ids.ts';
import { addMentions, deleteStatus } from '../../../server/statuses/post/index.ts';
import { findStatusByUri, storeRemoteReblog, storeRemoteStatus } from '../../../server/statuses/remote/index.ts';
import { updateUserSettings } from '../../../server/users/settings/index.ts';
import { form, startServer, type TestServer, type TestUser } from '../../server.ts';

const statuses = '/api/v1/statuses';

async function post(user: TestUser, status: string, more: object = {}) {
  const response = await user.post(statuses, { status, ...more });
  if (response.status !== 200) throw new Error(`${response.status} ${response.text}`);
  return response.json;
}

function remoteAccount(server: TestServer, username: string, domain = 'far.test') {
  const uri = `https://${domain}/users/${username}`;
  return transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, { uri, username, domain, inboxUrl: `${uri}/inbox` }),
  );
}

test('STA-09: a post is read by its id, as HTML with links for mentions, hashtags and URLs', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  const posted = await alice.post(statuses, { status: 'Hi @bob, look: https://example.com/ #Birds' });
  expect(posted.status).toBe(200);
  expect(posted.json).toMatchObject({
    visibility: 'public',
    spoiler_text: '',
    sensitive: false,
    in_reply_to_id: null,
    reblog: null,
    poll: null,
    card: null,
    application: { name: 'Test app', website: 'https://app.test' },
    mentions: [{ id: bob.id, username: 'bob', acct: 'bob', url: 'https://fieldfare.test/@bob' }],
    tags: [{ name: 'birds', url: 'https://fieldfare.test/tags/birds' }],
    url: `https://fieldfare.test/@alice/${posted.json.id}`,
    uri: `https://fieldfare.test/users/alice/statuses/${posted.json.id}`,
    account: { id: alice.id, acct: 'alice', statuses_count: 1 },
    favourited: false,
    reblogged: false,
    bookmarked: false,
    muted: false,
    pinned: false,
    filtered: [],
  });
  expect(posted.json.content).toContain('class="u-url mention">@<span>bob</span></a>');
  expect(posted.json.content).toContain('class="mention hashtag" rel="tag">#<span>Birds</span></a>');
  expect(posted.json.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const shown = await server.anonymous.get(`/api/v1/statuses/${posted.json.id}`);
  expect(shown.status).toBe(200);
  expect(shown.json.content).toBe(posted.json.content);
  for (const key of ['favourited', 'reblogged', 'bookmarked', 'muted', 'pinned', 'filtered']) {
    expect(shown.json).not.toHaveProperty(key);
  }
});

test('STA-09: a status can be posted as a form', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const posted = await alice.post(statuses, form('status=from+a+form&visibility=unlisted&sensitive=1&media_ids[]='));
  expect(posted.json).toMatchObject({ content: '<p>from a form</p>', visibility: 'unlisted', sensitive: true });
});

test('STA-09: text is required and limited to 500 characters, including the content warning', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (const body of [{}, { status: '' }, { status: ' \n ' }, { status: 'x'.repeat(501) }]) {
    expect((await alice.post(statuses, body)).status).toBe(422);
  }
  expect((await alice.post(statuses, { status: 'x'.repeat(500) })).status).toBe(200);
  expect((await alice.post(statuses, { status: 'x'.repeat(400), spoiler_text: 'y'.repeat(101) })).status).toBe(422);
  expect((await alice.post(statuses, { status: '👩‍🚀'.repeat(500) })).status).toBe(200);
  // Accents are no characters, but at most 2000 code points are allowed.
  expect((await alice.post(statuses, { status: `${'e\u0301'.repeat(499)}e` })).status).toBe(200);
  expect((await alice.post(statuses, { status: `e${'\u0301'.repeat(2_000)}` })).status).toBe(422);
  expect((await alice.post(statuses, { status: `https://long.test/${'a'.repeat(600)}` })).status).toBe(200);
  expect((await alice.post(statuses, { status: 'x', visibility: 'everyone' })).status).toBe(422);
});

test('STA-02: a content warning makes a status sensitive; without text it becomes the text', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  expect(await post(alice, 'the end', { spoiler_text: 'a novel' })).toMatchObject({
    spoiler_text: 'a novel',
    sensitive: true,
  });
  expect(await post(alice, 'the end', { spoiler_text: '  ' })).toMatchObject({ spoiler_text: '', sensitive: false });
  expect(await post(alice, '', { spoiler_text: 'only this' })).toMatchObject({
    spoiler_text: '',
    content: '<p>only this</p>',
  });
});

test('STA-01: visibility defaults to the preference, or to that of the parent if it is narrower', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  const parent = await post(bob, 'for @alice', { visibility: 'private' });
  expect((await post(alice, 'x')).visibility).toBe('public');
  expect((await post(alice, 'x', { in_reply_to_id: parent.id })).visibility).toBe('private');
  expect((await post(alice, 'x', { in_reply_to_id: parent.id, visibility: 'public' })).visibility).toBe('public');
  await transaction(server.app, (tx) => updateUserSettings(tx, alice.id, { default_privacy: 'unlisted' }));
  expect((await post(alice, 'x')).visibility).toBe('unlisted');
  const open = await post(bob, 'for all');
  expect((await post(alice, 'x', { in_reply_to_id: open.id })).visibility).toBe('unlisted');
});

test('STA-01: public posts of a silenced account become unlisted', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await server.db.updateTable('accounts').set({ silenced_at: server.clock.now() }).where('id', '=', alice.id).execute();
  clearCaches(server.app);
  expect((await post(alice, 'x', { visibility: 'public' })).visibility).toBe('unlisted');
  expect((await post(alice, 'x', { visibility: 'private' })).visibility).toBe('private');
});

test('STA-04: the application is shown to others only if the author allows it', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  await transaction(server.app, (tx) => updateUserSettings(tx, alice.id, { show_application: false }));
  const { id } = await post(alice, 'x');
  expect((await alice.get(`/api/v1/statuses/${id}`)).json.application).toEqual({
    name: 'Test app',
    website: 'https://app.test',
  });
  expect((await bob.get(`/api/v1/statuses/${id}`)).json).not.toHaveProperty('application');
  expect((await server.anonymous.get(`/api/v1/statuses/${id}`)).json).not.toHaveProperty('application');
});

test('STA-08: a reply joins the conversation of its parent and is counted in its replies', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  const first = await post(alice, 'first');
  const reply = await post(bob, 'second', { in_reply_to_id: first.id });
  const own = await post(bob, 'third', { in_reply_to_id: reply.id });
  await post(bob, '@alice quietly', { in_reply_to_id: first.id, visibility: 'direct' });
  expect(reply).toMatchObject({ in_reply_to_id: first.id, in_reply_to_account_id: alice.id });
  expect(own).toMatchObject({ in_reply_to_id: reply.id, in_reply_to_account_id: alice.id });
  expect((await alice.get(`/api/v1/statuses/${first.id}`)).json.replies_count).toBe(1);
  const rows = await server.app.db.selectFrom('statuses').select('conversation_id').distinct().execute();
  expect(rows).toHaveLength(1);
  expect((await alice.post(statuses, { status: 'x', in_reply_to_id: '12345' })).status).toBe(404);
});

test('STA-08: a reply to a boost is a reply to the boosted post', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  const first = await post(alice, 'first');
  const reblog = (await bob.post(`/api/v1/statuses/${first.id}/reblog`)).json;
  expect((await post(bob, 'yes', { in_reply_to_id: reblog.id })).in_reply_to_id).toBe(first.id);
});

test('STA-09: mentioning accounts outside allowed_mentions is a 422 that lists them', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  const carol = await server.user('carol');
  const text = { status: '@bob @carol @alice hello' };
  const refused = await alice.post(statuses, { ...text, allowed_mentions: [bob.id] });
  expect(refused.status).toBe(422);
  expect(refused.json.unexpected_accounts).toMatchObject([{ id: carol.id, acct: 'carol' }]);
  expect((await alice.post(statuses, { ...text, allowed_mentions: [] })).json.unexpected_accounts).toHaveLength(2);
  expect((await alice.post(statuses, { ...text, allowed_mentions: [bob.id, carol.id] })).status).toBe(200);
});

test('STA-10: the same Idempotency-Key within an hour returns the same status, also to concurrent requests', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  const send = (user: TestUser, key: string) =>
    user.post(statuses, { status: 'once' }, { headers: { 'idempotency-key': key } });
  const responses = await Promise.all(Array.from({ length: 5 }, () => send(alice, 'k1')));
  const ids = new Set(responses.map(({ json }) => json.id));
  expect(ids.size).toBe(1);
  expect((await send(alice, 'k2')).json.id).not.toBe(responses[0]?.json.id);
  expect((await send(bob, 'k1')).json.id).not.toBe(responses[0]?.json.id);
  expect((await alice.get('/api/v1/accounts/verify_credentials')).json.statuses_count).toBe(2);
  server.clock.advance(3500);
  expect((await send(alice, 'k1')).json.id).toBe(responses[0]?.json.id);
  server.clock.advance(200);
  expect((await send(alice, 'k1')).json.id).not.toBe(responses[0]?.json.id);
  await server.runSchedule('status.expire_idempotency_keys');
  expect(await server.app.db.selectFrom('idempotency_keys').selectAll().execute()).toHaveLength(1);
});

test('STA-10: a key that is a random UUID is kept for a week, for apps that were offline', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const key = '0f6a4e0c-93f4-4c43-9d5e-2f3c9b3f7a10';
  const send = async () =>
    (await alice.post(statuses, { status: 'once' }, { headers: { 'idempotency-key': key } })).json.id as string;
  const id = await send();
  server.clock.advance(6 * 86_400);
  await server.runSchedule('status.expire_idempotency_keys');
  expect(await send()).toBe(id);
  server.clock.advance(86_401);
  expect(await send()).not.toBe(id);
  server.clock.advance(7 * 86_400);
  await server.runSchedule('status.expire_idempotency_keys');
  expect(await server.app.db.selectFrom('idempotency_keys').selectAll().execute()).toEqual([]);
});

test('the language of a post defaults to the preference, then to the detected language', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const german = 'Heute morgen habe ich im Garten eine Wacholderdrossel gesehen, die nach Beeren suchte.';
  expect((await post(alice, german)).language).toBe('de');
  expect((await post(alice, german, { language: 'fr' })).language).toBe('fr');
  expect((await post(alice, german, { language: 'not a language' })).language).toBe('de');
  await transaction(server.app, (tx) => updateUserSettings(tx, alice.id, { default_language: 'it' }));
  expect((await post(alice, german)).language).toBe('it');
});

test('accounts that the author blocks are not mentioned', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  await alice.post(`/api/v1/accounts/${bob.id}/block`);
  expect((await post(alice, 'hello @bob')).mentions).toEqual([]);
});

test('handles that are resolved later become mentions', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const posted = await post(alice, 'hello @zoe@far.test and @bob@far.test');
  expect(posted.mentions).toEqual([]);
  const zoe = await remoteAccount(server, 'zoe');
  const bob = await remoteAccount(server, 'bob');
  for (let round = 0; round < 2; round += 1) await addMentions(server.app, posted.id, [zoe]);
  server.expectUndelivered('far.test');
  const shown = (await alice.get(`/api/v1/statuses/${posted.id}`)).json;
  expect(shown.mentions).toMatchObject([{ id: zoe, acct: 'zoe@far.test' }]);
  expect(shown.content).toContain('https://far.test/users/zoe');
  await addMentions(server.app, posted.id, [bob]);
  expect((await alice.get(`/api/v1/statuses/${posted.id}`)).json.mentions).toHaveLength(2);
});

test('a request for several statuses returns the visible ones, and more than 20 ids are 422', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const open = await post(alice, 'open');
  const secret = await post(alice, 'secret', { visibility: 'direct' });
  const url = `/api/v1/statuses?id[]=${open.id}&id[]=${secret.id}&id[]=99`;
  expect((await server.anonymous.get(url)).json).toMatchObject([{ id: open.id }]);
  expect((await alice.get(url)).json).toHaveLength(2);
  const many = Array.from({ length: 21 }, (_, index) => `id[]=${index + 1}`).join('&');
  expect((await alice.get(`/api/v1/statuses?${many}`)).status).toBe(422);
});

test('a status has its source and its history', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { id, created_at, content } = await post(alice, 'a #tag', { spoiler_text: 'birds' });
  expect((await alice.get(`/api/v1/statuses/${id}/source`)).json).toEqual({
    id,
    text: 'a #tag',
    content_type: 'text/plain',
    spoiler_text: 'birds',
  });
  expect((await server.anonymous.get(`/api/v1/statuses/${id}/source`)).status).toBe(401);
  const history = await server.anonymous.get(`/api/v1/statuses/${id}/history`);
  expect(history.json).toMatchObject([{ content, created_at, spoiler_text: 'birds', account: { id: alice.id } }]);
  const secret = await post(alice, 'x', { visibility: 'direct' });
  const bob = await server.user('bob');
  expect((await bob.get(`/api/v1/statuses/${secret.id}/source`)).status).toBe(404);
  expect((await bob.get(`/api/v1/statuses/${secret.id}/history`)).status).toBe(404);
});

test('PAG-01: an id that is not a 64-bit integer is 404', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (const id of ['abc', '99999999999999999999', '1.5', '%00']) {
    expect((await alice.get(`/api/v1/statuses/${id}`)).status).toBe(404);
    expect((await alice.post(`/api/v1/statuses/${id}/favourite`)).status).toBe(404);
    expect((await alice.delete(`/api/v1/statuses/${id}`)).status).toBe(404);
    expect((await alice.get(`/api/v1/accounts/${id}/statuses`)).status).toBe(404);
  }
});

test('STA-23: the removed endpoint for cards is 404', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { id } = await post(alice, 'x');
  expect((await alice.get(`/api/v1/statuses/${id}/card`)).status).toBe(404);
});

test('STA-07: a deleted status and its boosts disappear immediately, and its author gets the text back', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  const parent = await post(alice, 'parent');
  const deletedPost = await post(bob, 'a *text* as typed', { in_reply_to_id: parent.id });
  await alice.post(`/api/v1/statuses/${deletedPost.id}/favourite`);
  await alice.post(`/api/v1/statuses/${deletedPost.id}/bookmark`);
  const reblog = (await alice.post(`/api/v1/statuses/${deletedPost.id}/reblog`)).json;
  expect((await alice.delete(`/api/v1/statuses/${deletedPost.id}`)).status).toBe(404);
  const deleted = await bob.delete(`/api/v1/statuses/${deletedPost.id}`);
  expect(deleted.status).toBe(200);
  expect(deleted.json).toMatchObject({ id: deletedPost.id, text: 'a *text* as typed' });
  expect(deleted.json).not.toHaveProperty('content');
  for (const client of [alice, bob, server.anonymous]) {
    expect((await client.get(`/api/v1/statuses/${deletedPost.id}`)).status).toBe(404);
    expect((await client.get(`/api/v1/statuses/${reblog.id}`)).status).toBe(404);
    expect((await client.get(`/api/v1/statuses/${parent.id}/context`)).json.descendants).toEqual([]);
    expect((await client.get(`/api/v1/accounts/${alice.id}/statuses`)).json).toHaveLength(1);
    expect((await client.get(`/api/v1/accounts/${bob.id}/statuses`)).json).toEqual([]);
  }
  expect((await alice.get('/api/v1/favourites')).json).toEqual([]);
  expect((await alice.get('/api/v1/bookmarks')).json).toEqual([]);
  expect((await alice.get(`/api/v1/statuses/${parent.id}`)).json.replies_count).toBe(0);
  expect((await alice.post(`/api/v1/statuses/${deletedPost.id}/favourite`)).status).toBe(404);
  expect((await bob.delete(`/api/v1/statuses/${deletedPost.id}`)).status).toBe(404);
  await server.drain();
  const counts = async (user: TestUser) => (await user.get('/api/v1/accounts/verify_credentials')).json.statuses_count;
  expect([await counts(alice), await counts(bob)]).toEqual([1, 0]);
  expect(await deleteStatus(server.app, deletedPost.id)).toBe(false);
});

test('STA-07: the rows of a deleted status are deleted after 30 days, and its replies stay', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const deletedPost = await post(alice, 'doomed');
  const reply = await post(alice, 'answer', { in_reply_to_id: deletedPost.id });
  await alice.post(`/api/v1/statuses/${deletedPost.id}/favourite`);
  await alice.delete(`/api/v1/statuses/${deletedPost.id}`);
  const rows = () => server.app.db.selectFrom('statuses').select('id').execute();
  server.clock.advance(29 * 86_400);
  await server.runSchedule('status.clean_up_deleted');
  expect(await rows()).toHaveLength(2);
  server.clock.advance(2 * 86_400);
  await server.runSchedule('status.clean_up_deleted');
  expect(await rows()).toEqual([{ id: reply.id }]);
  expect(await server.app.db.selectFrom('favourites').selectAll().execute()).toEqual([]);
});

test('the number of queries for a page of statuses does not depend on its length', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const reader = await server.user('reader');
  for (let index = 0; index < 30; index += 1) {
    const author = index % 3 === 0 ? await server.user(`author${index}`) : alice;
    const { id } = await post(author, `number ${index} #tag${index} @reader @author${index}`);
    if (author !== alice) await alice.post(`/api/v1/statuses/${id}/reblog`);
  }
  const count = async (limit: number, cold: boolean) => {
    if (cold) {
      clearCaches(server.app);
    }
    return server.countQueries(async () => {
      const response = await reader.get(`/api/v1/accounts/${alice.id}/statuses?limit=${limit}`);
      expect(response.json).toHaveLength(limit === 40 ? 30 : limit);
    });
  };
  await count(40, false);
  expect(await count(5, true)).toBe(await count(40, true));
  expect(await count(40, false)).toBe(await count(5, false));
  expect(await count(40, false)).toBeLessThanOrEqual(2);
});

test('STA-20: a context has ancestors oldest first, and descendants depth first', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  const root = await post(alice, 'root');
  const middle = await post(bob, 'middle', { in_reply_to_id: root.id });
  const subject = await post(alice, 'subject', { in_reply_to_id: middle.id });
  const one = await post(bob, 'one', { in_reply_to_id: subject.id });
  const two = await post(bob, 'two', { in_reply_to_id: subject.id });
  const below = await post(alice, 'below', { in_reply_to_id: one.id });
  const { status, json } = await server.anonymous.get(`/api/v1/statuses/${subject.id}/context`);
  expect(status).toBe(200);
  const ids = (list: { id: string }[]) => list.map(({ id }) => id);
  expect(ids(json.ancestors)).toEqual([root.id, middle.id]);
  expect(ids(json.descendants)).toEqual([one.id, below.id, two.id]);
});

test('STA-20: a context omits posts that the viewer may not see or hides', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const [blocked, muted, blocking] = [
    await server.user('blocked'),
    await server.user('muted'),
    await server.user('blocking'),
  ];
  const root = await post(alice, 'root');
  const replyFields = { in_reply_to_id: root.id };
  const authors = [blocked, muted, blocking];
  for (const author of authors) await post(author, 'open', replyFields);
  const secret = await post(blocking, '@alice secret', { ...replyFields, visibility: 'direct' });
  const far = await remoteAccount(server, 'far');
  await storeRemoteStatus(server.app, {
    uri: 'https://far.test/1',
    accountId: far,
    content: '<p>far</p>',
    visibility: 'public',
    inReplyToId: root.id,
    publishedAt: server.clock.now(),
  });
  const count = async (client: { get: TestUser['get'] }) =>
    (await client.get(`/api/v1/statuses/${root.id}/context`)).json.descendants.length;
  expect(await count(alice)).toBe(5);
  expect(await count(server.anonymous)).toBe(4);
  await alice.post(`/api/v1/accounts/${blocked.id}/block`);
  expect(await count(alice)).toBe(4);
  await alice.post(`/api/v1/accounts/${muted.id}/mute`);
  expect(await count(alice)).toBe(3);
  await blocking.post(`/api/v1/accounts/${alice.id}/block`);
  expect(await count(alice)).toBe(1);
  expect((await alice.get(`/api/v1/statuses/${secret.id}`)).status).toBe(404);
  expect(await count(blocking)).toBe(5);
});

test('STA-20: anonymous viewers see at most 40 ancestors, 60 descendants and 20 levels', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const chain = [await post(alice, '0')];
  for (let index = 1; index < 45; index += 1) {
    chain.push(await post(alice, String(index), { in_reply_to_id: chain.at(-1).id }));
  }
  for (let index = 0; index < 62; index += 1) await post(alice, 'wide', { in_reply_to_id: chain.at(-1).id });
  const [top, last] = [chain[0].id, chain.at(-1).id];
  const get = async (client: { get: TestUser['get'] }, id: string) =>
    (await client.get(`/api/v1/statuses/${id}/context`)).json;
  const open = await get(server.anonymous, last);
  expect([open.ancestors.length, open.descendants.length]).toEqual([40, 60]);
  expect(open.ancestors.at(-1).id).toBe(chain.at(-2).id);
  const own = await get(alice, last);
  expect([own.ancestors.length, own.descendants.length]).toEqual([44, 62]);
  expect((await get(server.anonymous, top)).descendants).toHaveLength(20);
  expect((await get(alice, top)).descendants).toHaveLength(44 + 62);
});

test('a remote post is stored once, sanitized, and dated by its publication', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const zoe = await remoteAccount(server, 'zoe');
  const parent = await post(alice, 'question');
  const remote = {
    uri: 'https://far.test/notes/1',
    url: 'javascript:alert(1)',
    accountId: zoe,
    content: '<p onclick="x()">Hi <script>alert(1)</script><b>there</b></p>',
    spoilerText: 'careful',
    language: 'de',
    visibility: 'public' as const,
    inReplyToUri: parent.uri as string,
    mentions: [{ accountId: alice.id }],
    tags: ['#Birds', 'not a tag!'],
    attachments: [{ url: 'https://far.test/bird.jpg', contentType: 'image/jpeg', description: 'a bird' }],
    publishedAt: new Date(server.clock.now().getTime() - 60_000),
  };
  const ids = await Promise.all([1, 2, 3].map(() => storeRemoteStatus(server.app, remote)));
  expect(new Set(ids).size).toBe(1);
  const [id] = ids;
  const shown = (await alice.get(`/api/v1/statuses/${id}`)).json;
  expect(shown).toMatchObject({
    created_at: remote.publishedAt.toISOString(),
    url: remote.uri,
    spoiler_text: 'careful',
    sensitive: true,
    language: 'de',
    in_reply_to_id: parent.id,
    mentions: [{ id: alice.id }],
    tags: [{ name: 'birds' }],
    media_attachments: [{ type: 'image', description: 'a bird', remote_url: 'https://far.test/bird.jpg' }],
    account: { acct: 'zoe@far.test' },
  });
  expect(shown.content).not.toMatch(/onclick|script/);
  expect((await alice.get(`/api/v1/statuses/${parent.id}`)).json.replies_count).toBe(1);
  expect((await findStatusByUri(server.app, remote.uri))?.id).toBe(id);
  expect(await storeRemoteStatus(server.app, { ...remote, accountId: alice.id })).toBeUndefined();
  await deleteStatus(server.app, id as StatusId);
  expect(await storeRemoteStatus(server.app, remote)).toBeUndefined();
});

test('remote posts that were published at the same time get distinct ids', async () => {
  await using server = await startServer();
  const zoe = await remoteAccount(server, 'zoe');
  const publishedAt = new Date(0);
  const stored = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      storeRemoteStatus(server.app, {
        uri: `https://far.test/${index}`,
        accountId: zoe,
        content: 'x',
        visibility: 'public',
        publishedAt,
      }),
    ),
  );
  expect(new Set(stored).size).toBe(60);
  expect((await loadCachedAccounts(server.app, [zoe])).get(zoe)?.counters.jsonEnd).toContain('"statuses_count":60');
});

test('STA-12: a remote boost is stored once, and boosts of private posts are not stored', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const zoe = await remoteAccount(server, 'zoe');
  const open = await post(alice, 'open');
  const closed = await post(alice, 'closed', { visibility: 'private' });
  const announce = (reblogOfId: StatusId, uri: string) =>
    storeRemoteReblog(server.app, {
      uri,
      reblogOfId,
      accountId: zoe,
      visibility: 'public',
      publishedAt: server.clock.now(),
    });
  const ids = await Promise.all([1, 2, 3].map((number) => announce(open.id, `https://far.test/a/${number}`)));
  expect(new Set(ids).size).toBe(1);
  expect(await announce(closed.id, 'https://far.test/b')).toBeUndefined();
  expect((await alice.get(`/api/v1/statuses/${open.id}`)).json.reblogs_count).toBe(1);
});
