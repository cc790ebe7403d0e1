import { expect, test } from 'vitest';
import { ManualClock } from '../../../server/platform/clock.ts';
import type { StatusId } from '../../../server/platform/ids.ts';
import { historyCache } from '../../../server/hashtags/tag-history.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { deleteAccount } from '../../../server/accounts/lifecycle/index.ts';
import { listTagFollowers, loadFollowedTagIds } from '../../../server/hashtags/index.ts';
import { ensureTags, findTag } from '../../../server/tags/index.ts';
import { feedLimits } from '../../../server/timelines/index.ts';
import { follow, checkedHomeIds, postBy, reblogBy } from '../../feeds.ts';
import { startServer, walk, type TestUser } from '../../server.ts';

test('TAG-02: a hashtag has its uses and accounts of the last seven days', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  await alice.post('/api/v1/statuses', { status: 'one #Vogel' });
  await alice.post('/api/v1/statuses', { status: 'two #vogel', visibility: 'unlisted' });
  await alice.post('/api/v1/statuses', { status: 'secret #vogel', visibility: 'private' });
  server.clock.advance(86_400);
  await bob.post('/api/v1/statuses', { status: 'three #VOGEL' });
  const { status, json } = await bob.get('/api/v1/tags/VoGeL');
  expect(status).toBe(200);
  expect(json).toMatchObject({
    id: expect.stringMatching(/^\d+$/),
    name: 'Vogel',
    url: 'https://fieldfare.test/tags/vogel',
    following: false,
    featuring: false,
  });
  expect(json.history).toHaveLength(7);
  expect(
    json.history.slice(0, 3).map(({ uses, accounts }: { uses: string; accounts: string }) => [uses, accounts]),
  ).toEqual([
    ['1', '1'],
    ['2', '1'],
    ['0', '0'],
  ]);
  const today = Math.floor(server.clock.now().getTime() / 86_400_000) * 86_400;
  expect(json.history[0].day).toBe(String(today));
});

test('TAG-02: the history of past days is counted by a schedule, and live until then', async () => {
  // The schedule counts another day in each run; this time is the turn of yesterday.
  const clock = new ManualClock(new Date('2026-03-10T00:00:00Z'));
  await using server = await startServer({ clock });
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  const loadHistory = async (): Promise<(readonly [uses: string, accounts: string])[]> => {
    historyCache.clear(server.app);
    const { json } = await bob.get('/api/v1/tags/vogel');
    return json.history
      .slice(0, 2)
      .map(({ uses, accounts }: { uses: string; accounts: string }) => [uses, accounts] as const);
  };
  const post = async (user: TestUser): Promise<string> =>
    (await user.post('/api/v1/statuses', { status: 'a #vogel' })).json.id;
  const firstId = await post(alice);
  const deletedId = await post(alice);
  await server.runSchedule('measures.count_today');
  server.clock.advance(60);
  const lateId = await post(bob);
  // Only later posts are counted now, and an account that the schedule has counted is not counted again.
  await server.db
    .updateTable('statuses')
    .set({ visibility: 'private' })
    .where('id', '=', firstId as StatusId)
    .execute();
  await post(alice);
  expect((await loadHistory())[0]).toEqual(['4', '2']);
  server.clock.advance(86_400);
  await post(alice);
  // Yesterday was counted before it was over.
  expect(await loadHistory()).toEqual([
    ['1', '1'],
    ['4', '2'],
  ]);
  for (let run = 0; run < 6; run += 1) {
    await server.runSchedule('measures.count_past');
    server.clock.advance(300);
  }
  await alice.delete(`/api/v1/statuses/${deletedId}`);
  await server.db
    .updateTable('statuses')
    .set({ visibility: 'private' })
    .where('id', '=', lateId as StatusId)
    .execute();
  await post(bob);
  expect(await loadHistory()).toEqual([
    ['2', '2'],
    ['3', '2'],
  ]);
  for (let run = 0; run < 6; run += 1) {
    await server.runSchedule('measures.count_past');
    server.clock.advance(300);
  }
  expect(await loadHistory()).toEqual([
    ['2', '2'],
    ['1', '1'],
  ]);
});

test('TAG-02: an unused name is a hashtag without id, and an invalid name is 404', async () => {
  await using server = await startServer();
  const { status, json } = await server.anonymous.get(`/api/v1/tags/${encodeURIComponent('日本語')}`);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    id: '',
    name: '日本語',
    url: 'https://fieldfare.test/tags/%E6%97%A5%E6%9C%AC%E8%AA%9E',
  });
  expect(json.history.every(({ uses }: { uses: string }) => uses === '0')).toBe(true);
  expect(json).not.toHaveProperty('following');
  for (const name of ['123', 'a-b', 'a b', '%20']) {
    expect((await server.anonymous.get(`/api/v1/tags/${encodeURIComponent(name)}`)).status, name).toBe(404);
  }
});

test('TAG-02: concurrent creation of the same hashtags returns the same rows', async () => {
  await using server = await startServer();
  const { app } = server;
  const ensure = (names: string[]) => transaction(app, (tx) => ensureTags(tx, names, app.clock.now()));
  const results = await Promise.all([
    ensure(['a', 'b', '#C', 'd']),
    ensure(['d', 'c', 'B', 'a']),
    ensure(['b', 'a', 'e']),
    ensure(['C', 'Ｃ', 'not a tag', '', '42']),
  ]);
  expect([...(results[3]?.keys() ?? [])]).toEqual(['c']);
  expect(new Set(results.map((ids) => ids.get('c')).filter(Boolean)).size).toBe(1);
  expect(results[0]?.get('a')).toBe(results[2]?.get('a'));
  const { rows } = await app.pool.query('select count(*)::int as count from tags');
  expect(rows[0].count).toBe(5);
  expect((await findTag(app, '#A'))?.id).toBe(results[0]?.get('a'));
  expect(await findTag(app, 'zzz')).toBeUndefined();
});

test('TAG-02: a hashtag is followed and unfollowed by name or id, idempotently and per user', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  const followed = await alice.post('/api/v1/tags/Vogel/follow');
  expect(followed.status).toBe(200);
  expect(followed.json).toMatchObject({ name: 'Vogel', following: true, featuring: false });
  const { id } = followed.json;
  expect((await alice.post(`/api/v1/tags/${id}/follow`)).json).toMatchObject({ id, following: true });
  expect((await alice.post('/api/v1/tags/%23VOGEL/follow')).json).toMatchObject({ id, following: true });
  expect((await alice.get('/api/v1/tags/vogel')).json.following).toBe(true);
  expect((await bob.get('/api/v1/tags/vogel')).json.following).toBe(false);
  expect((await alice.get('/api/v1/followed_tags')).json).toHaveLength(1);
  expect(await listTagFollowers(server.app, [id], { limit: 10 })).toEqual([alice.id]);
  expect(await loadFollowedTagIds(server.app, alice.id)).toEqual(new Set([id]));
  // After the first time, alice may know it only because bob uses it.
  await bob.post('/api/v1/statuses', { status: '#vogel' });
  for (const name of [id, 'vogel']) {
    expect((await alice.post(`/api/v1/tags/${name}/unfollow`)).json).toMatchObject({ id, following: false });
  }
  expect((await alice.get('/api/v1/followed_tags')).json).toEqual([]);
  expect((await alice.post('/api/v1/tags/unheard/unfollow')).json).toMatchObject({ id: '', following: false });
});

test('TAG-02: following a hashtag needs a user, a scope and a valid name', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (const verb of ['follow', 'unfollow']) {
    const path = `/api/v1/tags/vogel/${verb}`;
    expect((await server.anonymous.post(path)).status).toBe(401);
    expect((await (await server.appToken()).post(path)).status).toBe(422);
    expect((await (await server.withScopes(alice, 'read write:accounts')).post(path)).status).toBe(403);
    expect((await (await server.withScopes(alice, 'write:follows')).post(path)).status).toBe(200);
    expect((await alice.post(`/api/v1/tags/a-b/${verb}`)).status).toBe(404);
    expect((await alice.post(`/api/v1/tags/12345/${verb}`)).status).toBe(404);
  }
  expect((await (await server.withScopes(alice, 'write')).get('/api/v1/followed_tags')).status).toBe(403);
  expect((await server.anonymous.get('/api/v1/followed_tags')).status).toBe(401);
});

test('TAG-02 PAG-03: followed hashtags are paginated by the ids of the follows, newest first', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const names = ['one', 'two', 'three', 'four', 'five'];
  for (const name of names) {
    await alice.post(`/api/v1/tags/${name}/follow`);
    server.clock.advance(1);
  }
  const shown = (list: { name: string }[]) => list.map(({ name }) => name);
  const first = await alice.get('/api/v1/followed_tags?limit=2');
  expect(shown(first.json)).toEqual(['five', 'four']);
  expect(first.links.prev?.searchParams.get('since_id')).toMatch(/^\d+$/);
  const walked = (await walk(alice, '/api/v1/followed_tags?limit=2')) as unknown as { name: string }[];
  expect(shown(walked)).toEqual(names.toReversed());
  const second = await alice.get(first.links.next?.href ?? '');
  const newest = second.links.prev?.searchParams.get('since_id') ?? '';
  expect(shown((await alice.get(`/api/v1/followed_tags?min_id=${newest}&limit=1`)).json)).toEqual(['four']);
});

test('TAG-02: the number of queries to list hashtags does not depend on their number', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (const name of ['one', 'two', 'three']) await alice.post(`/api/v1/tags/${name}/follow`);
  const count = (limit: number) => server.countWarmQueries(() => alice.get(`/api/v1/followed_tags?limit=${limit}`));
  expect(await count(3)).toBe(await count(1));
});

test('TAG-02: deleting an account deletes its followed and featured hashtags', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { id } = (await alice.post('/api/v1/tags/vogel/follow')).json;
  await alice.post('/api/v1/tags/vogel/feature');
  await deleteAccount(server.app, alice.id);
  await server.drain();
  expect(await listTagFollowers(server.app, [id], { limit: 10 })).toEqual([]);
  expect(await server.app.db.selectFrom('featured_tags').selectAll().execute()).toEqual([]);
});

test('TAG-02: public posts with a followed hashtag are in the home timeline once, older ones included', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  await follow(server, alice, carol);
  const early = await postBy(bob, 'early #vogel');
  await checkedHomeIds(server, alice);
  for (const name of ['vogel', 'owls']) await alice.post(`/api/v1/tags/${name}/follow`);
  const both = await postBy(bob, '#vogel and #owls');
  const friend = await postBy(carol, 'mine #vogel');
  const reply = await postBy(bob, { status: 'an answer #vogel', in_reply_to_id: friend });
  for (const visibility of ['unlisted', 'private', 'direct']) await postBy(bob, { status: '#vogel', visibility });
  await postBy(bob, 'something else #cats');
  await reblogBy(bob, both);
  expect(await checkedHomeIds(server, alice)).toEqual([reply, friend, both, early]);
  const late = await postBy(bob, 'late #Owls');
  expect(await checkedHomeIds(server, alice)).toEqual([late, reply, friend, both, early]);
  await alice.post('/api/v1/tags/vogel/unfollow');
  expect(await checkedHomeIds(server, alice)).toEqual([late, friend, both]);
  await alice.post('/api/v1/tags/owls/unfollow');
  expect(await checkedHomeIds(server, alice)).toEqual([friend]);
  await bob.delete(`/api/v1/statuses/${both}`);
  await alice.post('/api/v1/tags/owls/follow');
  expect(await checkedHomeIds(server, alice)).toEqual([late, friend]);
});

test('TAG-02: blocks, mutes, limits and follow languages exclude posts with a followed hashtag', async () => {
  await using server = await startServer();
  const names = ['muted', 'blocked', 'blocking', 'silenced', 'german', 'fine'];
  const alice = await server.user('alice');
  const others = new Map<string, TestUser>();
  for (const name of names) others.set(name, await server.user(name));
  const other = (name: string) => others.get(name) as TestUser;
  await checkedHomeIds(server, alice);
  await alice.post('/api/v1/tags/vogel/follow');
  const posts = new Map<string, string>();
  for (const name of names) posts.set(name, await postBy(other(name), { status: `${name} #vogel`, language: 'en' }));
  const named = await postBy(other('fine'), 'with @muted #vogel');
  expect(await checkedHomeIds(server, alice)).toHaveLength(7);
  await alice.post(`/api/v1/accounts/${other('muted').id}/mute`);
  await alice.post(`/api/v1/accounts/${other('blocked').id}/block`);
  await other('blocking').post(`/api/v1/accounts/${alice.id}/block`);
  await follow(server, alice, other('german'), { languages: ['de'] });
  await server.db
    .updateTable('accounts')
    .set({ silenced_at: server.clock.now() })
    .where('id', '=', other('silenced').id)
    .execute();
  await alice.post(`/api/v1/accounts/${other('muted').id}/unmute`);
  await server.drain();
  expect(await checkedHomeIds(server, alice)).toEqual([named, posts.get('fine'), posts.get('muted')]);
  await alice.post(`/api/v1/accounts/${other('muted').id}/mute`);
  expect(await checkedHomeIds(server, alice)).toEqual([posts.get('fine')]);
  const german = await postBy(other('german'), { status: 'ein #vogel', language: 'de' });
  await postBy(other('german'), { status: 'a #vogel', language: 'en' });
  expect(await checkedHomeIds(server, alice)).toEqual([german, posts.get('fine')]);
});

test('TAG-02: hashtag followers are fanned out to in batches, and following a hashtag backfills its latest posts', async () => {
  await using server = await startServer();
  Object.assign(feedLimits(server.app), { fanOutBatchSize: 2, maxBackfilledEntries: 3 });
  const author = await server.user('author');
  const readers = [];
  for (let n = 0; n < 5; n += 1) {
    const reader = await server.user(`reader${n}`);
    await reader.post('/api/v1/tags/vogel/follow');
    if (n % 2 === 0) await reader.post('/api/v1/tags/owls/follow');
    await checkedHomeIds(server, reader);
    readers.push(reader);
  }
  const post = await postBy(author, '#vogel #owls');
  await server.drain();
  for (const reader of readers) {
    const stored = await server.app.db
      .selectFrom('home_feed')
      .select('status_id')
      .where('account_id', '=', reader.id)
      .execute();
    expect(stored).toEqual([{ status_id: post }]);
  }
  const many: string[] = [];
  for (let n = 0; n < 8; n += 1) many.unshift(await postBy(author, `cat ${n} #cats`));
  const [reader] = readers as [TestUser];
  await reader.post('/api/v1/tags/cats/follow');
  expect(await checkedHomeIds(server, reader)).toEqual([...many, post]);
});
