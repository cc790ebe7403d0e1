import { clearCaches } from '../../server/platform/caching/define-cache.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RowId } from '../../server/platform/ids.ts';
import { blockAccount, muteAccount, unfollowAccount, unmuteAccount } from '../../server/relationships/index.ts';
import { feedLimits } from '../../server/timelines/index.ts';
import { deleteHomeFeed, follow, checkedHomeIds, postBy, reblogBy } from '../feeds.ts';
import { startServer, walk, walkByMinId, type TestServer, type TestUser } from '../server.ts';

const home = '/api/v1/timelines/home';
const idsOf = (answer: { json: { id: string }[] }): string[] => answer.json.map(({ id }) => id);

/** Alice, who follows bob and whose feed is stored; carol, whom nobody follows. */
async function createUsers(server: TestServer) {
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  await follow(server, alice, bob);
  await alice.get(home);
  await server.drain();
  return { alice, bob, carol };
}

test('TML-01: home needs a user, and shows nothing to a newcomer', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  expect((await server.anonymous.get(home)).status).toBe(401);
  expect((await (await server.appToken()).get(home)).status).toBe(422);
  expect((await (await server.withScopes(alice, 'write')).get(home)).status).toBe(403);
  const answer = await alice.get(home);
  expect([answer.status, answer.json, answer.headers['link']]).toEqual([200, [], undefined]);
  await server.drain();
  expect((await alice.get(home)).json).toEqual([]);
});

test('TML-01: one reads one’s own post at once, and followers when the jobs have run', async () => {
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

test('TML-01: who comes for the first time gets a full page at once, with status 200', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  await follow(server, alice, bob);
  const posts: string[] = [];
  for (let count = 0; count < 25; count += 1) posts.unshift(await postBy(bob, `number ${count}`));
  await server.drain();
  const answer = await alice.get(home);
  expect(answer.status).toBe(200);
  expect(idsOf(answer)).toEqual(posts.slice(0, 20));
  expect(answer.links.next?.searchParams.get('max_id')).toBe(posts[19]);
  expect(answer.links.prev?.searchParams.get('min_id')).toBe(posts[0]);
  expect(await checkedHomeIds(server, alice)).toEqual(posts);
});

test('answers to others are shown when one follows these too, or is answered oneself', async () => {
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

test('followers-only posts reach followers, direct posts only the follower they name', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  await follow(server, carol, bob);
  const privately = await postBy(bob, { status: 'for followers', visibility: 'private' });
  const directly = await postBy(bob, { status: '@alice for you', visibility: 'direct' });
  expect(await checkedHomeIds(server, alice)).toEqual([directly, privately]);
  expect(await checkedHomeIds(server, carol)).toEqual([privately]);
  expect(await checkedHomeIds(server, bob)).toEqual([directly, privately]);
});

test('FOL-03: a follow may leave out reblogs', async () => {
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

test('TAG-02: the languages of a follow apply to that account’s posts', async () => {
  await using server = await startServer();
  const { bob } = await createUsers(server);
  const dave = await server.user('dave');
  await follow(server, dave, bob, { languages: ['de', 'fr'] });
  await postBy(bob, { status: 'good morning everybody', language: 'en' });
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

test('MUT-01, BLK-01: the muted and the blocked disappear, with reblogs of them and posts that name them', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const kept = await postBy(bob, 'harmless');
  const about = await postBy(bob, '@carol hello');
  const hers = await postBy(carol, 'by carol');
  const reblog = await reblogBy(bob, hers);
  expect(await checkedHomeIds(server, alice)).toEqual([reblog, about, kept]);
  await muteAccount(server.app, alice.id, carol.id);
  expect(idsOf(await alice.get(home))).toEqual([kept]);
  expect(await checkedHomeIds(server, alice)).toEqual([kept]);
  await unmuteAccount(server.app, alice.id, carol.id);
  expect(await checkedHomeIds(server, alice)).toEqual([reblog, about, kept]);
  await muteAccount(server.app, alice.id, bob.id, { duration: 600 });
  expect(await checkedHomeIds(server, alice)).toEqual([]);
  const meanwhile = await postBy(bob, 'while muted');
  await server.drain();
  server.clock.advance(601);
  expect(await checkedHomeIds(server, alice)).toEqual([meanwhile, reblog, about, kept]);
  await blockAccount(server.app, alice.id, carol.id);
  expect(idsOf(await alice.get(home))).toEqual([meanwhile, kept]);
  expect(await checkedHomeIds(server, alice)).toEqual([meanwhile, kept]);
  await blockAccount(server.app, bob.id, alice.id);
  expect(idsOf(await alice.get(home))).toEqual([]);
  expect(await checkedHomeIds(server, alice)).toEqual([]);
});

test('UDB-01: reblogs from a server that one blocks are not shown', async () => {
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

test('an unfollow takes the posts away, a follow brings those from before', async () => {
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

test('a deleted post and a taken back reblog are gone at once', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const hers = await postBy(carol, 'by carol');
  await reblogBy(bob, hers);
  const own = await postBy(bob, 'mine');
  await server.drain();
  expect((await alice.get(home)).json).toHaveLength(2);
  await bob.delete(`/api/v1/statuses/${own}`);
  await bob.post(`/api/v1/statuses/${hers}/unreblog`);
  expect((await alice.get(home)).json).toEqual([]);
  expect(await checkedHomeIds(server, alice)).toEqual([]);
  expect(await server.app.db.selectFrom('home_feed').selectAll().execute()).toEqual([]);
});

test('followers are served in chunks, each of them once', async () => {
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

test('the posts of an author with very many followers are merged in when feeds are read: the same home either way', async () => {
  const written = await createScene(Number.POSITIVE_INFINITY);
  const merged = await createScene(1);
  expect(merged.stored).toBeLessThan(written.stored);
  expect(merged.pages).toEqual(written.pages);
});

/** A busy afternoon; gives the texts that pages of alice's home show when authors have at most so many followers. */
async function createScene(mergedAbove: number) {
  await using server = await startServer();
  feedLimits(server.app).mergeThreshold = mergedAbove;
  const { alice, bob, carol } = await createUsers(server);
  const [big, dave] = [await server.user('big'), await server.user('dave')];
  for (const fan of [alice, carol, dave]) await follow(server, fan, big);
  const texts = new Map<string, string>();
  const say = async (user: TestUser, status: string, more = {}) => {
    const id = await postBy(user, { status, ...more });
    texts.set(id, status);
    return id;
  };
  for (let count = 0; count < 30; count += 1) {
    const mine = await say(big, `big ${count}`);
    const his = await say(bob, `bob ${count}`);
    if (count % 4 === 0) texts.set(await reblogBy(bob, mine), `bob reblogs big ${count}`);
    if (count % 5 === 0) texts.set(await reblogBy(big, his), `big reblogs bob ${count}`);
    if (count % 6 === 0) await say(big, `@dave answer ${count}`, { in_reply_to_id: await say(dave, `dave ${count}`) });
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

test('paging far past the stored part visits every post exactly once, in both directions', async () => {
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

test('a feed that nobody reads for weeks is dropped, and complete again on return', async () => {
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

test('PAG-05: walking home visits every post once, while posts are added and removed', async () => {
  await using server = await startServer();
  Object.assign(feedLimits(server.app), { maxBuiltEntries: 8, maxStoredEntries: 9 });
  const { alice, bob, carol } = await createUsers(server);
  await follow(server, alice, carol);
  let posts: string[] = [];
  for (let count = 0; count < 24; count += 1)
    posts.unshift(await postBy(count % 2 === 0 ? bob : carol, `number ${count}`));
  await server.drain();
  await server.runSchedule('feed.trim_feeds');
  const disturbance = fc.constantFrom('post', 'delete seen', 'delete unseen', 'nothing' as const);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.array(disturbance, { maxLength: 6 }), async (limit, plan) => {
      const seen: string[] = [];
      const gone = new Set<string>();
      const before = [...posts];
      for (let url: string | undefined = `${home}?limit=${limit}`; url !== undefined;) {
        const answer = await alice.get(url);
        seen.push(...idsOf(answer));
        url = answer.links.next?.href;
        const step = plan.shift();
        if (step === 'post') posts.unshift(await postBy(bob, 'meanwhile'));
        if (step === 'delete seen' || step === 'delete unseen') {
          const victim = before.find((id) => !gone.has(id) && seen.includes(id) === (step === 'delete seen'));
          if (victim === undefined) continue;
          gone.add(victim);
          for (const author of [bob, carol]) await author.delete(`/api/v1/statuses/${victim}`);
        }
        await server.drain();
      }
      posts = posts.filter((id) => !gone.has(id));
      expect(new Set(seen).size).toBe(seen.length);
      expect(before.filter((id) => !gone.has(id)).every((id) => seen.includes(id))).toBe(true);
    }),
    { numRuns: 12 },
  );
});

test('PAG-01, PAG-06: strange limits and ids do no harm', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  for (let count = 0; count < 42; count += 1) await postBy(bob, `number ${count}`);
  await server.drain();
  expect((await alice.get(`${home}?limit=1000`)).json).toHaveLength(40);
  for (const limit of ['0', '-3', 'many', ''])
    expect((await alice.get(`${home}?limit=${limit}`)).json).toHaveLength(20);
  expect((await alice.get(`${home}?max_id=abc`)).status).toBe(404);
  expect((await alice.get(`${home}?max_id=99999999999999999999`)).status).toBe(404);
  expect((await alice.get(`${home}?max_id=9223372036854775807`)).json).toHaveLength(20);
  expect((await alice.get(`${home}?max_id=-5`)).json).toEqual([]);
});

test('a page of home costs the same number of queries, whatever its length', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  for (let count = 0; count < 45; count += 1) await postBy(bob, `number ${count}`);
  await reblogBy(bob, await postBy(carol, 'reblogged'));
  await server.drain();
  const cost = async (limit: number) => {
    await alice.get(`${home}?limit=${limit}`);
    const before = server.app.queries.count;
    await alice.get(`${home}?limit=${limit}`);
    return server.app.queries.count - before;
  };
  expect(await cost(40)).toBe(await cost(2));
  expect(await cost(20)).toBeLessThanOrEqual(2);
});
