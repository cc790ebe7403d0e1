import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockAccount, muteAccount } from '../../../server/relationships/hide/index.ts';
import { followAccount, unfollowAccount } from '../../../server/relationships/follow/index.ts';
import { feedLimits } from '../../../server/timelines/index.ts';
import { follow, checkedHomeIds, createList, postBy, reblogBy, checkedListIds, listTimelinePath } from '../../feeds.ts';
import { startServer, walk, walkByMinId, type TestServer } from '../../server.ts';

const idsOf = (response: { json: { id: string }[] }): string[] => response.json.map(({ id }) => id);

/** Creates alice, who follows all the others. */
async function createUsers(server: TestServer) {
  const [alice, bob, carol, dave] = [
    await server.user('alice'),
    await server.user('bob'),
    await server.user('carol'),
    await server.user('dave'),
  ];
  for (const target of [bob, carol, dave]) await follow(server, alice, target);
  return { alice, bob, carol, dave };
}

test('LST-02: a list shows only the posts and reblogs of its members', async () => {
  await using server = await startServer();
  const { alice, bob, carol, dave } = await createUsers(server);
  const id = await createList(alice, [bob, carol]);
  const first = await postBy(bob, 'first');
  const other = await postBy(dave, 'not here');
  const second = await postBy(carol, { status: 'for followers', visibility: 'private' });
  await postBy(alice, 'nor mine');
  const reblog = await reblogBy(bob, other);
  await postBy(bob, { status: '@alice only for you', visibility: 'direct' });
  expect(await checkedListIds(server, alice, id)).toEqual([reblog, second, first]);
  await alice.post(`/api/v1/lists/${id}/accounts`, { account_ids: [dave.id, alice.id] });
  const mine = await postBy(alice, 'here now');
  expect((await checkedListIds(server, alice, id))[0]).toBe(mine);
  await alice.delete(`/api/v1/lists/${id}/accounts`, { account_ids: [bob.id, dave.id, alice.id] });
  expect(await checkedListIds(server, alice, id)).toEqual([second]);
});

test('LST-02: only its owner can read a list timeline, with read:lists', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const id = await createList(alice, [bob]);
  expect((await bob.get(listTimelinePath(id))).status).toBe(404);
  expect((await alice.get(listTimelinePath('12345'))).status).toBe(404);
  expect((await alice.get(listTimelinePath('none'))).status).toBe(404);
  expect((await server.anonymous.get(listTimelinePath(id))).status).toBe(401);
  expect((await (await server.appToken()).get(listTimelinePath(id))).status).toBe(422);
  expect((await (await server.withScopes(alice, 'read:statuses')).get(listTimelinePath(id))).status).toBe(403);
  expect((await (await server.withScopes(alice, 'read:lists')).get(listTimelinePath(id))).status).toBe(200);
});

test('LST-02: replies_policy selects the replies that are shown', async () => {
  await using server = await startServer();
  const { alice, bob, carol, dave } = await createUsers(server);
  const erin = await server.user('erin');
  const id = await createList(alice, [bob, carol]);
  const posts = [
    await postBy(alice, 'mine'),
    await postBy(carol, 'of a member'),
    await postBy(dave, 'of someone followed'),
    await postBy(erin, 'of a stranger'),
  ];
  const [toMe, toMember, toFollowed] = [
    await postBy(bob, { status: '@alice hi', in_reply_to_id: posts[0] }),
    await postBy(bob, { status: '@carol hi', in_reply_to_id: posts[1] }),
    await postBy(bob, { status: '@dave hi', in_reply_to_id: posts[2] }),
    await postBy(bob, { status: '@erin hi', in_reply_to_id: posts[3] }),
  ];
  const opener = await postBy(bob, 'a thread');
  const continuation = await postBy(bob, { status: 'goes on', in_reply_to_id: opener });
  const always = [continuation, opener];
  const readWithPolicy = async (policy: string) => {
    await alice.put(`/api/v1/lists/${id}`, { replies_policy: policy });
    return checkedListIds(server, alice, id);
  };
  expect(await readWithPolicy('list')).toEqual([...always, toMember, toMe, posts[1]]);
  expect(await readWithPolicy('followed')).toEqual([...always, toFollowed, toMember, toMe, posts[1]]);
  expect(await readWithPolicy('none')).toEqual([...always, toMe, posts[1]]);
});

test('LST-02: a list respects the reblogs and languages of a follow, and blocks, mutes and deletions', async () => {
  await using server = await startServer();
  const { alice, bob, carol, dave } = await createUsers(server);
  const id = await createList(alice, [bob, carol]);
  const byDave = await postBy(dave, { status: 'to be reblogged', language: 'en' });
  const reblog = await reblogBy(bob, byDave);
  const german = await postBy(bob, { status: 'guten Morgen', language: 'de' });
  const english = await postBy(bob, { status: 'good morning', language: 'en' });
  const about = await postBy(carol, '@dave hello');
  const deleted = await postBy(carol, 'soon gone');
  expect(await checkedListIds(server, alice, id)).toEqual([deleted, about, english, german, reblog]);
  await carol.delete(`/api/v1/statuses/${deleted}`);
  await followAccount(server.app, alice.id, bob.id, { reblogs: false, languages: ['de'] });
  expect(await checkedListIds(server, alice, id)).toEqual([about, german]);
  await followAccount(server.app, alice.id, bob.id, { reblogs: true, languages: [] });
  expect(await checkedListIds(server, alice, id)).toEqual([about, english, german, reblog]);
  await muteAccount(server.app, alice.id, dave.id);
  expect(await checkedListIds(server, alice, id)).toEqual([english, german]);
  await blockAccount(server.app, bob.id, alice.id);
  expect(await checkedListIds(server, alice, id)).toEqual([]);
});

test('LST-02: a list shows the posts of a member only while the owner follows it', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const erin = await server.user('erin');
  await erin.patch('/api/v1/accounts/update_credentials', { locked: true });
  await followAccount(server.app, alice.id, erin.id);
  const id = await createList(alice, [erin, bob]);
  const byBob = await postBy(bob, 'seen');
  const byErin = await postBy(erin, { status: 'public', visibility: 'public' });
  expect(await checkedListIds(server, alice, id)).toEqual([byBob]);
  await erin.post(`/api/v1/follow_requests/${alice.id}/authorize`);
  expect(await checkedListIds(server, alice, id)).toEqual([byErin, byBob]);
  await unfollowAccount(server.app, alice.id, bob.id);
  expect(await checkedListIds(server, alice, id)).toEqual([byErin]);
});

test('LST-02: while a list is exclusive, home leaves out the posts of its members', async () => {
  await using server = await startServer();
  const { alice, bob, carol, dave } = await createUsers(server);
  const [fromBob, fromCarol] = [await postBy(bob, 'from bob'), await postBy(carol, 'from carol')];
  const reblog = await reblogBy(dave, await postBy(await server.user('erin'), 'worth it'));
  const all = [reblog, fromCarol, fromBob];
  expect(await checkedHomeIds(server, alice)).toEqual(all);
  const id = await createList(alice, [bob]);
  expect(await checkedHomeIds(server, alice)).toEqual(all);
  await alice.put(`/api/v1/lists/${id}`, { exclusive: true });
  expect(await checkedHomeIds(server, alice)).toEqual([reblog, fromCarol]);
  expect(await checkedListIds(server, alice, id)).toEqual([fromBob]);
  const later = await postBy(bob, 'still not at home');
  expect(await checkedHomeIds(server, alice)).toEqual([reblog, fromCarol]);
  await alice.post(`/api/v1/lists/${id}/accounts`, { account_ids: [dave.id] });
  expect(await checkedHomeIds(server, alice)).toEqual([fromCarol]);
  await alice.delete(`/api/v1/lists/${id}/accounts`, { account_ids: [dave.id] });
  expect(await checkedHomeIds(server, alice)).toEqual([reblog, fromCarol]);
  await alice.put(`/api/v1/lists/${id}`, { exclusive: false });
  expect(await checkedHomeIds(server, alice)).toEqual([later, ...all]);
  await alice.put(`/api/v1/lists/${id}`, { exclusive: true });
  expect(await checkedHomeIds(server, alice)).toEqual([reblog, fromCarol]);
  await alice.delete(`/api/v1/lists/${id}`);
  expect(await checkedHomeIds(server, alice)).toEqual([later, ...all]);
});

test('LST-02: exclusive lists apply to authors who are merged on read, but not to posts of the owner', async () => {
  await using server = await startServer();
  feedLimits(server.app).mergeThreshold = 0;
  const { alice, bob, carol } = await createUsers(server);
  const id = await createList(alice, [bob, alice], { exclusive: true });
  await checkedHomeIds(server, alice);
  const byBob = await postBy(bob, 'merged');
  const byCarol = await postBy(carol, 'merged too');
  const mine = await postBy(alice, 'mine');
  expect(await checkedHomeIds(server, alice)).toEqual([mine, byCarol]);
  expect(await checkedListIds(server, alice, id)).toEqual([mine, byBob]);
});

test('LST-02, PAG-05: paging through a list returns all posts in both directions', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const id = await createList(alice, [bob, carol]);
  const posts: string[] = [];
  for (let count = 0; count < 70; count += 1) posts.unshift(await postBy(count % 3 === 0 ? bob : carol, `no ${count}`));
  await server.drain();
  expect((await walk(alice, `${listTimelinePath(id)}?limit=9`)).map((status) => status.id)).toEqual(posts);
  expect((await walkByMinId(alice, `${listTimelinePath(id)}?limit=9`)).map((status) => status.id)).toEqual(posts);
  expect(idsOf(await alice.get(`${listTimelinePath(id)}?since_id=${posts[30]}&limit=5`))).toEqual(posts.slice(0, 5));
  expect(idsOf(await alice.get(`${listTimelinePath(id)}?max_id=${posts[30]}&limit=5`))).toEqual(posts.slice(31, 36));
});

test('LST-02: pages stay full, even if the list leaves out many posts in a row', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const stranger = await postBy(await server.user('erin'), 'of a stranger');
  const id = await createList(alice, [bob, carol], { replies_policy: 'none' });
  const old = [await postBy(carol, 'one'), await postBy(bob, 'two'), await postBy(carol, 'three')];
  for (let count = 0; count < 130; count += 1) {
    await postBy(bob, { status: `@erin answer ${count}`, in_reply_to_id: stranger });
  }
  const last = await postBy(bob, 'four');
  const all = [last, ...old.toReversed()];
  expect(await checkedListIds(server, alice, id)).toEqual(all);
  expect(idsOf(await alice.get(`${listTimelinePath(id)}?limit=2&max_id=${last}`))).toEqual(all.slice(1, 3));
  expect(idsOf(await alice.get(`${listTimelinePath(id)}?limit=2&min_id=${old[1]}`))).toEqual(all.slice(0, 2));
});

test('PAG-05: paging through a list returns every post once, while posts are added and deleted', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const id = await createList(alice, [bob, carol]);
  const posts: string[] = [];
  for (let count = 0; count < 30; count += 1) posts.unshift(await postBy(count % 2 === 0 ? bob : carol, `no ${count}`));
  const deleted = new Set<string>();
  const step = fc.constantFrom('post', 'delete seen', 'delete unseen', 'nothing' as const);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.array(step, { maxLength: 6 }), async (limit, plan) => {
      const before = posts.filter((post) => !deleted.has(post));
      const seen: string[] = [];
      for (let url: string | undefined = `${listTimelinePath(id)}?limit=${limit}`; url !== undefined;) {
        const response = await alice.get(url);
        seen.push(...idsOf(response));
        url = response.links.next?.href;
        const next = plan.shift();
        if (next === 'post') posts.unshift(await postBy(bob, 'meanwhile'));
        await server.drain();
        if (next !== 'delete seen' && next !== 'delete unseen') continue;
        const target = before.find((post) => !deleted.has(post) && seen.includes(post) === (next === 'delete seen'));
        if (target === undefined) continue;
        deleted.add(target);
        for (const author of [bob, carol]) await author.delete(`/api/v1/statuses/${target}`);
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(before.filter((post) => !deleted.has(post)).every((post) => seen.includes(post))).toBe(true);
    }),
    { numRuns: 10 },
  );
});

test('LST-02: a page of a list takes the same number of queries for any length and any number of members', async () => {
  await using server = await startServer();
  const { alice, bob, carol, dave } = await createUsers(server);
  const [small, large] = [await createList(alice, [bob]), await createList(alice, [bob, carol, dave])];
  for (let count = 0; count < 45; count += 1) await postBy(bob, `number ${count}`);
  await reblogBy(carol, await postBy(dave, 'reblogged'));
  const countQueries = (path: string) => server.countWarmQueries(() => alice.get(path));
  expect(await countQueries(`${listTimelinePath(large)}?limit=40`)).toBe(
    await countQueries(`${listTimelinePath(small)}?limit=2`),
  );
  expect(await countQueries(listTimelinePath(large))).toBeLessThanOrEqual(2);
});
