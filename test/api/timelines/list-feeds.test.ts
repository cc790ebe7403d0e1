import { clearCaches } from '../../../server/platform/write/publish.ts';
import { expect, test } from 'vitest';
import { deleteAccount } from '../../../server/accounts/lifecycle/index.ts';
import type { ListId } from '../../../server/platform/ids.ts';
import {
  blockAccount,
  blockDomain,
  muteAccount,
  unblockAccount,
  unblockDomain,
  unmuteAccount,
} from '../../../server/relationships/hide/index.ts';
import { followAccount, removeFollower, unfollowAccount } from '../../../server/relationships/follow/index.ts';
import { feedLimits } from '../../../server/timelines/index.ts';
import { follow, deleteListFeed, createList, postBy, reblogBy, checkedListIds, listTimelinePath } from '../../feeds.ts';
import { startServer, walk, walkByMinId, type TestServer, type TestUser } from '../../server.ts';

const idsOf = (response: { json: { id: string }[] }): string[] => response.json.map(({ id }) => id);

/** Returns the ids on the first page, without running jobs. */
const listIds = async (owner: TestUser, id: string): Promise<string[]> => idsOf(await owner.get(listTimelinePath(id)));

const listFeedEntries = async (server: TestServer, id: string): Promise<string[]> => {
  const rows = await server.app.db
    .selectFrom('list_feed')
    .select('status_id')
    .where('list_id', '=', id as ListId)
    .orderBy('status_id', 'desc')
    .execute();
  return rows.map((row) => row.status_id);
};

const findFeedState = (server: TestServer, id: string) =>
  server.app.db
    .selectFrom('list_feed_states')
    .selectAll()
    .where('list_id', '=', id as ListId)
    .executeTakeFirst();

/** Creates alice, who follows the others and has a list of bob and carol with a stored feed. */
async function createScene(server: TestServer, fields = {}) {
  const [alice, bob, carol, dave] = [
    await server.user('alice'),
    await server.user('bob'),
    await server.user('carol'),
    await server.user('dave'),
  ];
  for (const target of [bob, carol, dave]) await follow(server, alice, target);
  const id = await createList(alice, [bob, carol], fields);
  await listIds(alice, id);
  await server.drain();
  return { alice, bob, carol, dave, id };
}

test('LST-02: the first read of a list returns a full page immediately, and its feed is stored', async () => {
  await using server = await startServer();
  const { alice, bob, id } = await createScene(server);
  await deleteListFeed(server, id);
  const posts: string[] = [];
  for (let count = 0; count < 25; count += 1) posts.unshift(await postBy(bob, `number ${count}`));
  expect(await listIds(alice, id)).toEqual(posts.slice(0, 20));
  await server.drain();
  expect(await listFeedEntries(server, id)).toEqual(posts);
  const later = await postBy(bob, 'later');
  await server.drain();
  expect(await listFeedEntries(server, id)).toEqual([later, ...posts]);
  expect(await listIds(alice, id)).toEqual([later, ...posts.slice(0, 19)]);
});

test('LST-02: a list with its owner as a member shows the posts and reblogs of the owner immediately', async () => {
  await using server = await startServer();
  const { alice, bob, dave, id } = await createScene(server);
  const before = await postBy(alice, 'not in a list yet');
  await alice.post(`/api/v1/lists/${id}/accounts`, { account_ids: [alice.id] });
  const other = await createList(alice, [bob]);
  for (const list of [id, other]) await listIds(alice, list);
  await server.drain();
  const byDave = await postBy(dave, 'from dave');
  const mine = await postBy(alice, 'mine');
  const reblog = await reblogBy(alice, byDave);
  await postBy(alice, { status: '@dave hi', in_reply_to_id: byDave });
  await postBy(alice, { status: '@dave psst', visibility: 'direct' });
  expect(await listIds(alice, id)).toEqual([reblog, mine, before]);
  expect(await listIds(alice, other)).toEqual([]);
  expect(await checkedListIds(server, alice, id)).toEqual([reblog, mine, before]);
});

test('LST-02: a post that is published while a feed is built is in the feed', async () => {
  await using server = await startServer();
  const { alice, bob, id } = await createScene(server);
  await deleteListFeed(server, id);
  const before = await postBy(bob, 'before');
  await server.drain();
  await listIds(alice, id);
  const during = await postBy(bob, 'during');
  expect(await listIds(alice, id)).toEqual([during, before]);
  await server.drain();
  expect(await listFeedEntries(server, id)).toEqual([during, before]);
});

test('LST-02: the next read of a list shows every change of its settings, members and relations', async () => {
  await using server = await startServer();
  const { alice, bob, carol, dave, id } = await createScene(server);
  const { app } = server;
  const byDave = await postBy(dave, { status: 'guten Tag', language: 'de' });
  const [fromBob, fromCarol] = [await postBy(bob, { status: 'hi', language: 'en' }), await postBy(carol, 'hello')];
  const reblog = await reblogBy(bob, byDave);
  const about = await postBy(carol, '@dave hello');
  const reply = await postBy(bob, { status: '@dave hi', in_reply_to_id: byDave });
  const members = (...users: TestUser[]) => ({ account_ids: users.map((user) => user.id) });
  const path = `/api/v1/lists/${id}`;
  const all = [about, reblog, fromCarol, fromBob];
  const steps: [string, () => Promise<unknown>, string[]][] = [
    ['policy', () => alice.put(path, { replies_policy: 'followed' }), [reply, ...all]],
    ['policy back', () => alice.put(path, { replies_policy: 'list' }), all],
    ['title', () => alice.put(path, { title: 'Best friends' }), all],
    // Reblogs are left out when the list shows the original post.
    ['added', () => alice.post(`${path}/accounts`, members(dave)), [reply, about, fromCarol, fromBob, byDave]],
    ['removed', () => alice.delete(`${path}/accounts`, members(dave)), all],
    ['no reblogs', () => followAccount(app, alice.id, bob.id, { reblogs: false }), [about, fromCarol, fromBob]],
    ['reblogs', () => followAccount(app, alice.id, bob.id, { reblogs: true }), all],
    ['muted', () => muteAccount(app, alice.id, dave.id), [fromCarol, fromBob]],
    ['unmuted', () => unmuteAccount(app, alice.id, dave.id), all],
    ['policy again', () => alice.put(path, { replies_policy: 'followed' }), [reply, ...all]],
    ['unfollowed', () => unfollowAccount(app, alice.id, dave.id), all],
    ['followed', () => followAccount(app, alice.id, dave.id), [reply, ...all]],
    ['blocked', () => blockAccount(app, alice.id, dave.id), [fromCarol, fromBob]],
    ['unblocked', () => unblockAccount(app, alice.id, dave.id), all],
    ['blocked by', () => blockAccount(app, dave.id, alice.id), [about, fromCarol, fromBob]],
    ['unblocked by', () => unblockAccount(app, dave.id, alice.id), all],
    ['follower removed', () => removeFollower(app, bob.id, alice.id), [about, fromCarol]],
  ];
  for (const [name, change, expected] of steps) {
    expect(await findFeedState(server, id), `stored before ${name}`).toBeDefined();
    await change();
    expect(await listIds(alice, id), name).toEqual(expected.toSorted((a, b) => (a < b ? 1 : -1)));
    await server.drain();
    expect(await listIds(alice, id), `${name}, stored`).toEqual(expected.toSorted((a, b) => (a < b ? 1 : -1)));
  }
});

test('LST-02, UDB-01: a domain block hides reblogs from the domain immediately, and its removal restores them', async () => {
  await using server = await startServer();
  const { alice, bob, id } = await createScene(server);
  const erin = await server.user('erin');
  const reblog = await reblogBy(bob, await postBy(erin, 'soon from far away'));
  await server.db.updateTable('accounts').set({ domain: 'far.test' }).where('id', '=', erin.id).execute();
  clearCaches(server.app);
  expect(await checkedListIds(server, alice, id)).toEqual([reblog]);
  await blockDomain(server.app, alice.id, 'far.test');
  expect(await listIds(alice, id)).toEqual([]);
  expect(await checkedListIds(server, alice, id)).toEqual([]);
  await unblockDomain(server.app, alice.id, 'far.test');
  expect(await listIds(alice, id)).toEqual([reblog]);
  expect(await checkedListIds(server, alice, id)).toEqual([reblog]);
});

test('LST-02: after a temporary mute expires, the posts published meanwhile appear', async () => {
  await using server = await startServer();
  const { alice, bob, id } = await createScene(server);
  await muteAccount(server.app, alice.id, bob.id, { duration: 600 });
  await listIds(alice, id);
  await server.drain();
  const meanwhile = await postBy(bob, 'while muted');
  expect(await checkedListIds(server, alice, id)).toEqual([]);
  server.clock.advance(601);
  expect(await checkedListIds(server, alice, id)).toEqual([meanwhile]);
});

test('LST-02: deleted posts and undone reblogs disappear immediately, also from the stored feed', async () => {
  await using server = await startServer();
  const { alice, bob, dave, id } = await createScene(server);
  const byDave = await postBy(dave, 'worth it');
  await reblogBy(bob, byDave);
  const own = await postBy(bob, 'mine');
  const remaining = await postBy(bob, 'stays');
  const undone = await reblogBy(bob, await postBy(dave, 'another'));
  await server.drain();
  expect(await listIds(alice, id)).toHaveLength(4);
  await bob.delete(`/api/v1/statuses/${own}`);
  await dave.delete(`/api/v1/statuses/${byDave}`);
  const original = (await alice.get(`/api/v1/statuses/${undone}`)).json.reblog.id as string;
  await bob.post(`/api/v1/statuses/${original}/unreblog`);
  expect(await listIds(alice, id)).toEqual([remaining]);
  await server.drain();
  expect(await listFeedEntries(server, id)).toEqual([remaining]);
});

test('LST-02: an edit that changes the language adds a post to a list, or removes it', async () => {
  await using server = await startServer();
  const { alice, bob, id } = await createScene(server);
  await followAccount(server.app, alice.id, bob.id, { languages: ['de'] });
  expect(await checkedListIds(server, alice, id)).toEqual([]);
  const post = await postBy(bob, { status: 'guten Morgen', language: 'en' });
  expect(await checkedListIds(server, alice, id)).toEqual([]);
  await bob.put(`/api/v1/statuses/${post}`, { status: 'guten Morgen!', language: 'de' });
  expect(await checkedListIds(server, alice, id)).toEqual([post]);
  await bob.put(`/api/v1/statuses/${post}`, { status: 'good morning', language: 'en' });
  expect(await checkedListIds(server, alice, id)).toEqual([]);
});

test('LST-02: an edit that removes the mention of a muted account restores the post and its reblogs', async () => {
  await using server = await startServer();
  const { alice, bob, carol, dave, id } = await createScene(server);
  await muteAccount(server.app, alice.id, dave.id);
  const erin = await server.user('erin');
  const [byBob, byErin] = [await postBy(bob, '@dave hello'), await postBy(erin, '@dave hi')];
  const reblog = await reblogBy(carol, byErin);
  expect(await checkedListIds(server, alice, id)).toEqual([]);
  await bob.put(`/api/v1/statuses/${byBob}`, { status: 'hello' });
  expect(await checkedListIds(server, alice, id)).toEqual([byBob]);
  await erin.put(`/api/v1/statuses/${byErin}`, { status: 'hi' });
  expect(await checkedListIds(server, alice, id)).toEqual([reblog, byBob]);
});

test('LST-02: deleting a list deletes its stored feed', async () => {
  await using server = await startServer();
  const { alice, bob, carol, id } = await createScene(server);
  const other = await createList(alice, [carol]);
  const [byBob, byCarol] = [await postBy(bob, 'from bob'), await postBy(carol, 'from carol')];
  expect(await checkedListIds(server, alice, id)).toEqual([byCarol, byBob]);
  expect(await checkedListIds(server, alice, other)).toEqual([byCarol]);
  await alice.delete(`/api/v1/lists/${id}`);
  expect((await alice.get(listTimelinePath(id))).status).toBe(404);
  expect([await findFeedState(server, id), await listFeedEntries(server, id)]).toEqual([undefined, []]);
  expect(await listFeedEntries(server, other)).toEqual([byCarol]);
});

test('LST-02: replies to a followed account disappear when that account is deleted', async () => {
  await using server = await startServer();
  const { alice, bob, dave, id } = await createScene(server, { replies_policy: 'followed' });
  const question = await postBy(dave, 'what do you think?');
  const reply = await postBy(bob, { status: 'a lot', in_reply_to_id: question });
  expect(await checkedListIds(server, alice, id)).toEqual([reply]);
  await deleteAccount(server.app, dave.id);
  expect(await checkedListIds(server, alice, id)).toEqual([]);
});

test('LST-02: posts of authors who are merged on read are still fanned out to lists', async () => {
  await using server = await startServer();
  feedLimits(server.app).mergeThreshold = 0;
  const { alice, bob, id } = await createScene(server);
  await postBy(bob, 'makes bob a merged author');
  await server.drain();
  const second = await postBy(bob, 'second');
  await server.drain();
  expect((await listFeedEntries(server, id))[0]).toBe(second);
  expect((await checkedListIds(server, alice, id))[0]).toBe(second);
});

test('LST-02: posts and edits by an author in many lists are fanned out in batches', async () => {
  await using server = await startServer();
  feedLimits(server.app).fanOutBatchSize = 2;
  const [bob, carol] = [await server.user('bob'), await server.user('carol')];
  const readers: { reader: TestUser; lists: string[] }[] = [];
  for (let count = 0; count < 5; count += 1) {
    const reader = await server.user(`reader${count}`);
    for (const target of [bob, carol]) await follow(server, reader, target, { languages: ['en'] });
    // The third reader has more lists than fit into a batch.
    const lists = [];
    for (let more = count === 2 ? 3 : 1; more > 0; more -= 1) lists.push(await createList(reader, [bob, carol]));
    for (const id of lists) await listIds(reader, id);
    readers.push({ reader, lists });
  }
  await server.drain();
  const expectEverywhere = async (expected: string[]) => {
    for (const { lists } of readers)
      for (const id of lists) expect(await listFeedEntries(server, id)).toEqual(expected);
  };
  const byBob = await postBy(bob, { status: 'from bob', language: 'en' });
  const byCarol = await postBy(carol, { status: 'from carol', language: 'en' });
  await server.drain();
  await expectEverywhere([byCarol, byBob]);
  await bob.put(`/api/v1/statuses/${byBob}`, { status: 'von bob', language: 'de' });
  await server.drain();
  await expectEverywhere([byCarol]);
  await bob.put(`/api/v1/statuses/${byBob}`, { status: 'from bob again', language: 'en' });
  await server.drain();
  await expectEverywhere([byCarol, byBob]);
});

test('LST-02, PAG-05: paging continues past the stored feed, in both directions', async () => {
  await using server = await startServer();
  Object.assign(feedLimits(server.app), { maxBuiltEntries: 10, maxStoredEntries: 12 });
  const { alice, bob, carol, id } = await createScene(server);
  await deleteListFeed(server, id);
  const posts: string[] = [];
  for (let count = 0; count < 40; count += 1) posts.unshift(await postBy(count % 3 === 0 ? carol : bob, `no ${count}`));
  await server.drain();
  await listIds(alice, id);
  await server.drain();
  expect(await listFeedEntries(server, id)).toEqual(posts.slice(0, 10));
  for (let count = 0; count < 5; count += 1) posts.unshift(await postBy(bob, `later ${count}`));
  await server.drain();
  expect(await listFeedEntries(server, id)).toEqual(posts.slice(0, 15));
  await server.runSchedule('feed.trim_feeds');
  expect(await listFeedEntries(server, id)).toEqual(posts.slice(0, 12));
  expect((await walk(alice, `${listTimelinePath(id)}?limit=7`)).map((status) => status.id)).toEqual(posts);
  expect((await walkByMinId(alice, `${listTimelinePath(id)}?limit=7`)).map((status) => status.id)).toEqual(posts);
});

test('LST-02: a list feed that is not read for weeks is deleted, and complete again on the next read', async () => {
  await using server = await startServer();
  const { alice, bob, id } = await createScene(server);
  const first = await postBy(bob, 'before');
  await server.drain();
  server.clock.advance(20 * 86_400);
  await listIds(alice, id);
  server.clock.advance(2 * 86_400);
  await server.runSchedule('feed.clean_up_unused');
  expect(await findFeedState(server, id), 'it was read two days ago').toBeDefined();
  server.clock.advance(20 * 86_400);
  await server.runSchedule('feed.clean_up_unused');
  expect([await findFeedState(server, id), await listFeedEntries(server, id)]).toEqual([undefined, []]);
  const second = await postBy(bob, 'while away');
  await server.drain();
  expect(await listFeedEntries(server, id)).toEqual([]);
  expect(await listIds(alice, id)).toEqual([second, first]);
  expect(await checkedListIds(server, alice, id)).toEqual([second, first]);
});

test('LST-02: a page of a list with a stored feed takes one query, however long it is', async () => {
  await using server = await startServer();
  const { alice, bob, id } = await createScene(server);
  for (let count = 0; count < 45; count += 1) await postBy(bob, `number ${count}`);
  await server.drain();
  const countQueries = (limit: number) =>
    server.countWarmQueries(() => alice.get(`${listTimelinePath(id)}?limit=${limit}`));
  for (const limit of [40, 20, 2]) expect(await countQueries(limit)).toBe(1);
});
