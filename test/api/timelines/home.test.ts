import { clearCaches } from '../../../server/platform/write/publish.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RowId } from '../../../server/platform/ids.ts';
import { blockAccount, muteAccount, unmuteAccount } from '../../../server/relationships/hide/index.ts';
import { unfollowAccount } from '../../../server/relationships/follow/index.ts';
import { feedLimits } from '../../../server/timelines/index.ts';
import { deleteHomeFeed, follow, checkedHomeIds, postBy, reblogBy } from '../../feeds.ts';
import { recordStatements } from '../../record-statements.ts';
import { startServer, walk, walkByMinId, type TestServer, type TestUser } from '../../server.ts';

const home = '/api/v1/timelines/home';
const idsOf = (response: { json: { id: string }[] }): string[] => response.json.map(({ id }) => id);

/** Creates alice, who follows bob and has a stored feed, and carol, who has no followers. */
async function createUsers(server: TestServer) {
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  await follow(server, alice, bob);
  await alice.get(home);
  await server.drain();
  return { alice, bob, carol };
}

test('TML-01: home requires a user, and is empty for a new one', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  expect((await server.anonymous.get(home)).status).toBe(401);
  expect((await (await server.appToken()).get(home)).status).toBe(422);
  expect((await (await server.withScopes(alice, 'write')).get(home)).status).toBe(403);
  const response = await alice.get(home);
  expect([response.status, response.json, response.headers['link']]).toEqual([200, [], undefined]);
  await server.drain();
  expect((await alice.get(home)).json).toEqual([]);
});

test('TML-01: the author sees a new post in home immediately, followers after fan-out', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  await bob.get(home);
  await server.drain();
  const post = await postBy(bob, 'hello');
  expect(idsOf(await bob.get(home))).toEqual([post]);
  await server.drain();
  expect(idsOf(await alice.get(home))).toEqual([post]);
  expect(idsOf(await carol.get(home))).toEqual([]);
});

test('TML-01: the first read of home returns a full page immediately, with status 200', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  await follow(server, alice, bob);
  const posts: string[] = [];
  for (let count = 0; count < 25; count += 1) posts.unshift(await postBy(bob, `number ${count}`));
  await server.drain();
  const response = await alice.get(home);
  expect(response.status).toBe(200);
  expect(idsOf(response)).toEqual(posts.slice(0, 20));
  expect(response.links.next?.searchParams.get('max_id')).toBe(posts[19]);
  expect(response.links.prev?.searchParams.get('min_id')).toBe(posts[0]);
  expect(await checkedHomeIds(server, alice)).toEqual(posts);
});

test('TML-01: clients can follow the first build of home, although its pages are complete at once', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const building = await alice.get(home);
  const header = String(building.headers['mastodon-async-refresh']);
  expect([building.status, header]).toEqual([200, expect.stringMatching(/^id="[\w.-]+", retry=5$/)]);
  expect((await alice.get(`${home}?min_id=1`)).headers['mastodon-async-refresh']).toBe(header);
  const path = `/api/v1_alpha/async_refreshes/${header.split('"')[1]}`;
  const refresh = async () => (await alice.get(path)).json.async_refresh;
  expect(await refresh()).toMatchObject({ status: 'running', result_count: null });
  await server.drain();
  expect((await refresh()).status).toBe('finished');
  expect((await alice.get(home)).headers).not.toHaveProperty('mastodon-async-refresh');
});

test('home shows replies to the viewer, to followed accounts and in threads of the author, and no others', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const dave = await server.user('dave');
  await follow(server, alice, dave);
  const stranger = await postBy(carol, 'by a stranger');
  const own = await postBy(alice, 'mine');
  const friend = await postBy(dave, 'by a friend');
  await postBy(bob, { status: '@carol no', in_reply_to_id: stranger });
  const toMe = await postBy(bob, { status: '@alice yes', in_reply_to_id: own });
  const toFriend = await postBy(bob, { status: '@dave yes', in_reply_to_id: friend });
  const thread = await postBy(bob, { status: 'and further', in_reply_to_id: toFriend });
  expect(await checkedHomeIds(server, alice)).toEqual([thread, toFriend, toMe, friend, own]);
});

test('private posts reach all followers, direct posts only mentioned followers', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  await follow(server, carol, bob);
  const privatePost = await postBy(bob, { status: 'for followers', visibility: 'private' });
  const directPost = await postBy(bob, { status: '@alice for you', visibility: 'direct' });
  expect(await checkedHomeIds(server, alice)).toEqual([directPost, privatePost]);
  expect(await checkedHomeIds(server, carol)).toEqual([privatePost]);
  expect(await checkedHomeIds(server, bob)).toEqual([directPost, privatePost]);
});

test('FOL-03: a follow can exclude reblogs', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const dave = await server.user('dave');
  await follow(server, dave, bob, { reblogs: false });
  const post = await postBy(carol, 'worth it');
  const reblog = await reblogBy(bob, post);
  expect(await checkedHomeIds(server, alice)).toEqual([reblog]);
  expect(await checkedHomeIds(server, dave)).toEqual([]);
  expect((await alice.get(home)).json[0].reblog.id).toBe(post);
});

test('TAG-02: the languages of a follow filter the posts of the followed account', async () => {
  await using server = await startServer();
  const { bob } = await createUsers(server);
  const dave = await server.user('dave');
  await follow(server, dave, bob, { languages: ['de', 'fr'] });
  await postBy(bob, { status: 'good morning everyone', language: 'en' });
  const german = await postBy(bob, { status: 'guten Morgen zusammen', language: 'de' });
  expect(await checkedHomeIds(server, dave)).toEqual([german]);
});

test('a reblog is not shown while the post, or another reblog of it, is among the newest entries', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const dave = await server.user('dave');
  await follow(server, alice, dave);
  const post = await postBy(bob, 'seen already');
  await reblogBy(dave, post);
  const other = await postBy(carol, 'seen by reblog');
  const first = await reblogBy(bob, other);
  await reblogBy(dave, other);
  expect(await checkedHomeIds(server, alice)).toEqual([first, post]);
  for (let count = 0; count < 40; count += 1) await postBy(bob, `between ${count}`);
  const erin = await server.user('erin');
  await follow(server, alice, erin);
  const late = await reblogBy(erin, other);
  expect((await checkedHomeIds(server, alice))[0]).toBe(late);
});

test('MUT-01, BLK-01: a mute or block hides the posts of an account, reblogs of them and posts that mention it', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const harmless = await postBy(bob, 'harmless');
  const about = await postBy(bob, '@carol hello');
  const byCarol = await postBy(carol, 'by carol');
  const reblog = await reblogBy(bob, byCarol);
  expect(await checkedHomeIds(server, alice)).toEqual([reblog, about, harmless]);
  await muteAccount(server.app, alice.id, carol.id);
  expect(idsOf(await alice.get(home))).toEqual([harmless]);
  expect(await checkedHomeIds(server, alice)).toEqual([harmless]);
  await unmuteAccount(server.app, alice.id, carol.id);
  expect(await checkedHomeIds(server, alice)).toEqual([reblog, about, harmless]);
  await muteAccount(server.app, alice.id, bob.id, { duration: 600 });
  expect(await checkedHomeIds(server, alice)).toEqual([]);
  const meanwhile = await postBy(bob, 'while muted');
  await server.drain();
  server.clock.advance(601);
  expect(await checkedHomeIds(server, alice)).toEqual([meanwhile, reblog, about, harmless]);
  await blockAccount(server.app, alice.id, carol.id);
  expect(idsOf(await alice.get(home))).toEqual([meanwhile, harmless]);
  expect(await checkedHomeIds(server, alice)).toEqual([meanwhile, harmless]);
  await blockAccount(server.app, bob.id, alice.id);
  expect(idsOf(await alice.get(home))).toEqual([]);
  expect(await checkedHomeIds(server, alice)).toEqual([]);
});

test('UDB-01: reblogs of posts from a blocked domain are not shown', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const reblog = await reblogBy(bob, await postBy(carol, 'soon from far away'));
  expect(await checkedHomeIds(server, alice)).toEqual([reblog]);
  await server.db.updateTable('accounts').set({ domain: 'far.test' }).where('id', '=', carol.id).execute();
  await server.db
    .insertInto('account_domain_blocks')
    .values({ id: '1' as RowId, account_id: alice.id, domain: 'far.test', created_at: new Date() })
    .execute();
  await deleteHomeFeed(server, alice);
  clearCaches(server.app);
  expect(await checkedHomeIds(server, alice)).toEqual([]);
});

test('an unfollow removes posts from home, and a follow adds earlier ones', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const first = await postBy(carol, 'before');
  const second = await postBy(bob, 'of bob');
  await follow(server, alice, carol);
  expect(await checkedHomeIds(server, alice)).toEqual([second, first]);
  await unfollowAccount(server.app, alice.id, bob.id);
  expect(await checkedHomeIds(server, alice)).toEqual([first]);
  await follow(server, alice, bob);
  await unfollowAccount(server.app, alice.id, bob.id);
  await follow(server, alice, bob);
  expect(await checkedHomeIds(server, alice)).toEqual([second, first]);
});

test('deleted posts and undone reblogs disappear immediately', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const byCarol = await postBy(carol, 'by carol');
  await reblogBy(bob, byCarol);
  const own = await postBy(bob, 'mine');
  await server.drain();
  expect((await alice.get(home)).json).toHaveLength(2);
  await bob.delete(`/api/v1/statuses/${own}`);
  await bob.post(`/api/v1/statuses/${byCarol}/unreblog`);
  expect((await alice.get(home)).json).toEqual([]);
  expect(await checkedHomeIds(server, alice)).toEqual([]);
  expect(await server.app.db.selectFrom('home_feed').selectAll().execute()).toEqual([]);
});

test('a post is fanned out to followers in batches, to each of them once', async () => {
  await using server = await startServer();
  feedLimits(server.app).fanOutBatchSize = 2;
  const bob = await server.user('bob');
  const readers: TestUser[] = [];
  for (let count = 0; count < 5; count += 1) {
    const reader = await server.user(`reader${count}`);
    await follow(server, reader, bob);
    await reader.get(home);
    readers.push(reader);
  }
  await server.drain();
  const post = await postBy(bob, 'to all');
  await server.drain();
  const rows = await server.app.db.selectFrom('home_feed').select('status_id').execute();
  expect(rows.map((row) => row.status_id)).toEqual(readers.map(() => post));
});

test('posts of several authors share a statement as long as they have few followers together', async () => {
  await using server = await startServer();
  const [reader, ...authors] = [await server.user('reader'), await server.user('bob'), await server.user('carol')];
  for (const author of authors) await follow(server, reader, author);
  const [first, second] = authors as [TestUser, TestUser];
  await follow(server, second, first);
  for (const one of [reader, second]) await one.get(home);
  await server.drain();
  const fanOut = async (limit: number): Promise<number> => {
    feedLimits(server.app).fanOutBatchSize = limit;
    const posts = [await postBy(first, 'by bob'), await postBy(second, 'by carol')];
    const statements = await recordStatements(() => server.drain());
    expect((await checkedHomeIds(server, reader)).slice(0, 2)).toEqual(posts.toReversed());
    expect((await checkedHomeIds(server, second)).slice(0, 2)).toEqual(posts.toReversed());
    return statements.filter(({ text }) => text.includes('followers as materialized')).length;
  };
  expect(await fanOut(100)).toBe(1);
  expect(await fanOut(3)).toBe(1);
  // The two followers of bob are a batch, and so is the one of carol.
  expect(await fanOut(2)).toBe(3);
});

test('home is the same whether the posts of an author are fanned out or merged on read', async () => {
  const fannedOut = await createScene(Number.POSITIVE_INFINITY);
  const merged = await createScene(1);
  expect(merged.stored).toBeLessThan(fannedOut.stored);
  expect(merged.pages).toEqual(fannedOut.pages);
});

/**
 * Publishes many posts. Returns the texts on pages of alice's home and the number of its stored entries. Authors with
 * more followers than `mergedAbove` are merged on read.
 */
async function createScene(mergedAbove: number) {
  await using server = await startServer();
  feedLimits(server.app).mergeThreshold = mergedAbove;
  const { alice, bob, carol } = await createUsers(server);
  const [big, dave] = [await server.user('big'), await server.user('dave')];
  for (const follower of [alice, carol, dave]) await follow(server, follower, big);
  const texts = new Map<string, string>();
  const publish = async (user: TestUser, status: string, more = {}) => {
    const id = await postBy(user, { status, ...more });
    texts.set(id, status);
    return id;
  };
  for (let count = 0; count < 30; count += 1) {
    const byBig = await publish(big, `big ${count}`);
    const byBob = await publish(bob, `bob ${count}`);
    if (count % 4 === 0) texts.set(await reblogBy(bob, byBig), `bob reblogs big ${count}`);
    if (count % 5 === 0) texts.set(await reblogBy(big, byBob), `big reblogs bob ${count}`);
    if (count % 6 === 0)
      await publish(big, `@dave answer ${count}`, { in_reply_to_id: await publish(dave, `dave ${count}`) });
    await server.drain();
  }
  const nameOf = ({ id }: { id: string }) => texts.get(id);
  const down = (await walk(alice, `${home}?limit=7`)).map(nameOf);
  const middle = [...texts].find(([, text]) => text === 'bob 12')?.[0];
  const up = ((await alice.get(`${home}?min_id=${middle}&limit=11`)).json as { id: string }[]).map(nameOf);
  const newest = ((await alice.get(`${home}?since_id=${middle}`)).json as { id: string }[]).map(nameOf);
  const { length } = await server.app.db
    .selectFrom('home_feed')
    .select('status_id')
    .where('account_id', '=', alice.id)
    .execute();
  return { stored: length, pages: { down, up, newest } };
}

test('paging past the stored entries returns every post exactly once, in both directions', async () => {
  await using server = await startServer();
  Object.assign(feedLimits(server.app), { maxBuiltEntries: 10, maxBackfilledEntries: 5, maxStoredEntries: 12 });
  const { alice, bob, carol } = await createUsers(server);
  const posts: string[] = [];
  for (let count = 0; count < 60; count += 1) {
    posts.unshift(await postBy(count % 3 === 0 ? carol : count % 3 === 1 ? bob : alice, `number ${count}`));
    server.clock.advance(60);
  }
  await follow(server, alice, carol);
  await server.runSchedule('feed.trim_feeds');
  const { length } = await server.app.db
    .selectFrom('home_feed')
    .select('status_id')
    .where('account_id', '=', alice.id)
    .execute();
  expect(length).toBeLessThanOrEqual(12);
  const down = await walk(alice, `${home}?limit=7`);
  expect(down.map(({ id }) => id)).toEqual(posts);
  expect((await walkByMinId(alice, `${home}?limit=7`)).map((status) => status.id)).toEqual(posts);
  expect(await checkedHomeIds(server, alice)).toEqual(posts);
});

test('a feed that is not read for weeks is deleted, and complete again on the next read', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const first = await postBy(bob, 'before');
  await server.drain();
  server.clock.advance(22 * 86_400);
  await server.runSchedule('feed.clean_up_unused');
  expect(await server.app.db.selectFrom('home_feed_states').selectAll().execute()).toEqual([]);
  expect(await server.app.db.selectFrom('home_feed').selectAll().execute()).toEqual([]);
  const second = await postBy(bob, 'while away');
  await server.drain();
  expect(await server.app.db.selectFrom('home_feed').selectAll().execute()).toEqual([]);
  expect(idsOf(await alice.get(home))).toEqual([second, first]);
  expect(await checkedHomeIds(server, alice)).toEqual([second, first]);
});

test('PAG-05: paging through home returns every post once, while posts are added and deleted', async () => {
  await using server = await startServer();
  Object.assign(feedLimits(server.app), { maxBuiltEntries: 8, maxStoredEntries: 9 });
  const { alice, bob, carol } = await createUsers(server);
  await follow(server, alice, carol);
  let posts: string[] = [];
  for (let count = 0; count < 24; count += 1)
    posts.unshift(await postBy(count % 2 === 0 ? bob : carol, `number ${count}`));
  await server.drain();
  await server.runSchedule('feed.trim_feeds');
  const change = fc.constantFrom('post', 'delete seen', 'delete unseen', 'nothing' as const);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.array(change, { maxLength: 6 }), async (limit, plan) => {
      const seen: string[] = [];
      const deleted = new Set<string>();
      const before = [...posts];
      for (let url: string | undefined = `${home}?limit=${limit}`; url !== undefined;) {
        const response = await alice.get(url);
        seen.push(...idsOf(response));
        url = response.links.next?.href;
        const step = plan.shift();
        if (step === 'post') posts.unshift(await postBy(bob, 'meanwhile'));
        if (step === 'delete seen' || step === 'delete unseen') {
          const target = before.find((id) => !deleted.has(id) && seen.includes(id) === (step === 'delete seen'));
          if (target === undefined) continue;
          deleted.add(target);
          for (const author of [bob, carol]) await author.delete(`/api/v1/statuses/${target}`);
        }
        await server.drain();
      }
      posts = posts.filter((id) => !deleted.has(id));
      expect(new Set(seen).size).toBe(seen.length);
      expect(before.filter((id) => !deleted.has(id)).every((id) => seen.includes(id))).toBe(true);
    }),
    { numRuns: 12 },
  );
});

test('PAG-01, PAG-06: a limit is at most 40, an invalid one is the default, and an invalid id is 404', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  for (let count = 0; count < 42; count += 1) await postBy(bob, `number ${count}`);
  await server.drain();
  expect((await alice.get(`${home}?limit=1000`)).json).toHaveLength(40);
  for (const limit of ['many', '']) expect((await alice.get(`${home}?limit=${limit}`)).json).toHaveLength(20);
  expect((await alice.get(`${home}?limit=0`)).json).toEqual([]);
  expect((await alice.get(`${home}?limit=-3`)).json).toHaveLength(3);
  expect((await alice.get(`${home}?max_id=abc`)).status).toBe(404);
  expect((await alice.get(`${home}?max_id=99999999999999999999`)).status).toBe(404);
  expect((await alice.get(`${home}?max_id=9223372036854775807`)).json).toHaveLength(20);
  expect((await alice.get(`${home}?max_id=-5`)).json).toEqual([]);
});

test('a page of home takes the same number of queries at any length', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  for (let count = 0; count < 45; count += 1) await postBy(bob, `number ${count}`);
  await reblogBy(bob, await postBy(carol, 'reblogged'));
  await server.drain();
  const countQueries = (limit: number) => server.countWarmQueries(() => alice.get(`${home}?limit=${limit}`));
  expect(await countQueries(40)).toBe(await countQueries(2));
  expect(await countQueries(20)).toBeLessThanOrEqual(2);
});
