import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockDomain, unblockDomain } from '../../../server/relationships/hide/index.ts';
import { followAccount } from '../../../server/relationships/follow/index.ts';
import { follow, postBy, reblogBy } from '../../feeds.ts';
import { startServer, type TestResponse, type TestServer, type TestUser } from '../../server.ts';

const path = '/api/v2/notifications';

interface GroupJson {
  readonly group_key: string;
  readonly notifications_count: number;
  readonly type: string;
  readonly page_min_id: string;
  readonly page_max_id: string;
  readonly sample_account_ids: string[];
  readonly status_id?: string;
}

interface GroupsJson {
  readonly accounts: { id: string; acct: string }[];
  readonly partial_accounts?: { id: string }[];
  readonly statuses: { id: string }[];
  readonly notification_groups: GroupJson[];
}

const groupsOf = (response: TestResponse): GroupJson[] => {
  expect(response.status, response.text).toBe(200);
  return (response.json as GroupsJson).notification_groups;
};

async function createUsers(server: TestServer, count: number): Promise<TestUser[]> {
  const users: TestUser[] = [];
  for (let index = 0; index < count; index += 1) users.push(await server.user(`fan${index}`));
  return users;
}

const favourite = (user: TestUser, id: string) => user.post(`/api/v1/statuses/${id}/favourite`);

/** Posts by alice with reactions of ten accounts, a mention and two follows. */
async function createReactions(server: TestServer) {
  const alice = await server.user('alice');
  const fans = await createUsers(server, 10);
  const post = await postBy(alice, 'hello');
  for (const fan of fans) await favourite(fan, post);
  await server.drain();
  for (const fan of fans.slice(0, 3)) {
    await reblogBy(fan, post);
    await server.drain();
  }
  const [one, two] = fans as [TestUser, TestUser];
  const mention = await postBy(one, '@alice look');
  await server.drain();
  await follow(server, one, alice);
  await follow(server, two, alice);
  return { alice, fans, post, mention };
}

test('NTF-01: grouped notifications show favourites, reblogs and follows in groups, each account and status once', async () => {
  await using server = await startServer();
  const { alice, fans, post, mention } = await createReactions(server);
  const response = await alice.get(path);
  const { accounts, statuses, notification_groups: groups } = response.json as GroupsJson;
  expect(groups.map(({ type, notifications_count: count, status_id: id }) => [type, count, id])).toEqual([
    ['follow', 2, undefined],
    ['mention', 1, mention],
    ['reblog', 3, post],
    ['favourite', 10, post],
  ]);
  const [follows, single, , favourites] = groups as [GroupJson, GroupJson, GroupJson, GroupJson];
  expect(follows.sample_account_ids).toEqual([fans[1]?.id, fans[0]?.id]);
  expect(favourites.sample_account_ids).toEqual(
    fans
      .slice(2)
      .map(({ id }) => id)
      .toReversed(),
  );
  expect(single.group_key).toBe(`ungrouped-${single.page_max_id}`);
  expect(response.text).toContain(`"most_recent_notification_id":${single.page_max_id},`);
  expect(BigInt(favourites.page_min_id)).toBeLessThan(BigInt(favourites.page_max_id));
  expect(new Set(accounts.map(({ id }) => id))).toEqual(new Set(fans.map(({ id }) => id)));
  expect(accounts).toHaveLength(10);
  expect(statuses.map(({ id }) => id)).toEqual([mention, post]);
});

test('NTF-01: partial_avatars has the newest sender of a group in full and the others with their avatars', async () => {
  await using server = await startServer();
  const { alice, fans } = await createReactions(server);
  const results = (await alice.get(`${path}?expand_accounts=partial_avatars`)).json as GroupsJson;
  expect(new Set(results.accounts.map(({ id }) => id))).toEqual(
    new Set([fans[9]?.id, fans[2]?.id, fans[1]?.id, fans[0]?.id]),
  );
  expect(results.partial_accounts?.map(({ id }) => id)).toEqual([8, 7, 6, 5, 4, 3].map((index) => fans[index]?.id));
  expect(Object.keys(results.partial_accounts?.[0] ?? {}).toSorted()).toEqual(
    ['acct', 'avatar', 'avatar_description', 'avatar_static', 'bot', 'id', 'locked', 'url'].toSorted(),
  );
  const wrong = await alice.get(`${path}?expand_accounts=some`);
  expect([wrong.status, wrong.json]).toEqual([400, { error: "Invalid value for 'expand_accounts'" }]);
  expect((await alice.get(`${path}?expand_accounts=full`)).json).not.toHaveProperty('partial_accounts');
});

test('NTF-01: grouped_types, types, exclude_types and account_id choose what is listed and grouped', async () => {
  await using server = await startServer();
  const { alice, fans } = await createReactions(server);
  const typesOf = async (query: string) => groupsOf(await alice.get(`${path}?${query}`)).map(({ type }) => type);
  expect(await typesOf('grouped_types[]=favourite&types[]=reblog')).toEqual(['reblog', 'reblog', 'reblog']);
  expect(await typesOf('grouped_types[]=reblog&types[]=reblog')).toEqual(['reblog']);
  expect(await typesOf('exclude_types[]=favourite&exclude_types[]=mention')).toEqual(['follow', 'reblog']);
  expect(await typesOf(`account_id=${fans[2]?.id}`)).toEqual(['reblog', 'favourite']);
  const [group] = groupsOf(await alice.get(`${path}?account_id=${fans[2]?.id}&types[]=favourite`));
  expect(group).toMatchObject({ notifications_count: 1, sample_account_ids: [fans[2]?.id] });
  expect(await typesOf('account_id=1')).toEqual([]);
  expect(await typesOf('types[]=nonsense')).toEqual([]);
});

test('NTF-01: unread counts are counted in groups above the marker', async () => {
  await using server = await startServer();
  const { alice } = await createReactions(server);
  const count = async (query = '') => (await alice.get(`${path}/unread_count${query}`)).json;
  expect(await count()).toEqual({ count: 4 });
  expect(await count('?grouped_types[]=follow')).toEqual({ count: 15 });
  expect(await count('?limit=2')).toEqual({ count: 2 });
  expect(await count('?types[]=mention')).toEqual({ count: 1 });
  const [follows] = groupsOf(await alice.get(path));
  await alice.post('/api/v1/markers', { notifications: { last_read_id: follows?.page_max_id } });
  expect(await count()).toEqual({ count: 0 });
});

test('NTF-01: one group is shown, its accounts are paged, and it is dismissed as a whole', async () => {
  await using server = await startServer();
  const { alice, fans } = await createReactions(server);
  const stranger = fans[4] as TestUser;
  const [, mention, , favourites] = groupsOf(await alice.get(path)) as [GroupJson, GroupJson, GroupJson, GroupJson];
  const shown = (await alice.get(`${path}/${favourites.group_key}`)).json as GroupsJson;
  expect(shown.notification_groups[0]).toMatchObject({ group_key: favourites.group_key, notifications_count: 10 });
  expect(shown.notification_groups[0]).not.toHaveProperty('page_min_id');
  expect((await alice.get(`${path}/${mention.group_key}`)).status).toBe(200);
  expect((await stranger.get(`${path}/${favourites.group_key}`)).status).toBe(404);
  expect((await stranger.get(`${path}/${mention.group_key}`)).status).toBe(404);
  expect((await alice.get(`${path}/favourite-1-2`)).status).toBe(404);

  const names: string[] = [];
  let next: string | undefined = `${path}/${favourites.group_key}/accounts?limit=4`;
  while (next !== undefined) {
    const page: TestResponse = await alice.get(next);
    names.push(...(page.json as { id: string }[]).map(({ id }) => id));
    next = page.links.next?.href;
  }
  expect(names).toEqual(fans.map(({ id }) => id).toReversed());
  expect((await stranger.get(`${path}/${favourites.group_key}/accounts`)).json).toEqual([]);

  expect((await stranger.post(`${path}/${favourites.group_key}/dismiss`)).json).toEqual({});
  expect(groupsOf(await alice.get(path))).toHaveLength(4);
  expect((await alice.post(`${path}/${favourites.group_key}/dismiss`)).json).toEqual({});
  expect((await alice.post(`${path}/${mention.group_key}/dismiss`)).json).toEqual({});
  expect((await alice.post(`${path}/unknown/dismiss`)).json).toEqual({});
  expect(groupsOf(await alice.get(path)).map(({ type }) => type)).toEqual(['follow', 'reblog']);
  expect((await alice.post(`${path}/clear`)).json).toEqual({});
  expect(groupsOf(await alice.get(path))).toEqual([]);
});

test('NTF-01: suspended senders and those on a blocked domain are not in a group', async () => {
  await using server = await startServer();
  const { alice, fans, post } = await createReactions(server);
  const newest = fans[9] as TestUser;
  await server.db.updateTable('accounts').set({ suspended_at: new Date() }).where('id', '=', newest.id).execute();
  const favourites = groupsOf(await alice.get(path)).find(({ type }) => type === 'favourite');
  expect(favourites).toMatchObject({ notifications_count: 9, status_id: post });
  expect(favourites?.sample_account_ids).not.toContain(newest.id);
  expect(favourites?.sample_account_ids).toHaveLength(8);
  const remote = fans[8] as TestUser;
  await server.db
    .updateTable('accounts')
    .set({ domain: 'remote.test', uri: 'https://remote.test/users/fan8' })
    .where('id', '=', remote.id)
    .execute();
  await blockDomain(server.app, alice.id, 'remote.test');
  await server.drain();
  const findFavourites = async () => groupsOf(await alice.get(path)).find(({ type }) => type === 'favourite');
  expect(await findFavourites()).toMatchObject({ notifications_count: 8 });
  await unblockDomain(server.app, alice.id, 'remote.test');
  expect(await findFavourites()).toMatchObject({ notifications_count: 9 });
});

test('NTF-01: grouped notifications need a user with the scope of notifications', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const routes = [
    ['GET', path],
    ['GET', `${path}/unread_count`],
    ['GET', `${path}/follow-1`],
    ['GET', `${path}/follow-1/accounts`],
    ['POST', `${path}/follow-1/dismiss`],
    ['POST', `${path}/clear`],
  ] as const;
  const limited = await server.user('limited', { scopes: 'read:statuses write:statuses' });
  for (const [method, url] of routes) {
    const send = (user: { get: TestUser['get']; post: TestUser['post'] }) =>
      method === 'GET' ? user.get(url) : user.post(url);
    expect((await send(server.anonymous)).status, `${method} ${url}`).toBe(401);
    expect((await send(limited)).status, `${method} ${url}`).toBe(403);
  }
  expect(groupsOf(await alice.get(path))).toEqual([]);
});

test('NTF-01: pages of groups neither repeat nor split a group while notifications arrive', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const fans = await createUsers(server, 4);
  const posts: string[] = [];
  for (let index = 0; index < 3; index += 1) posts.push(await postBy(alice, `post ${index}`));
  const act = async ({ fan, kind, post }: { fan: number; kind: number; post: number }): Promise<void> => {
    const [user, id] = [fans[fan] as TestUser, posts[post] as string];
    if (kind === 0) await favourite(user, id);
    else if (kind === 1) await user.post(`/api/v1/statuses/${id}/reblog`);
    else if (kind === 2) await followAccount(server.app, user.id, alice.id);
    else await postBy(user, '@alice hi');
    await server.drain();
  };
  const action = fc.record({ fan: fc.nat(3), kind: fc.nat(3), post: fc.nat(2) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 4, maxLength: 10 }),
      fc.array(action, { maxLength: 4 }),
      fc.integer({ min: 1, max: 3 }),
      async (before, during, limit) => {
        await alice.post(`${path}/clear`);
        for (const id of posts) {
          for (const fan of fans) {
            await fan.post(`/api/v1/statuses/${id}/unfavourite`);
            await fan.post(`/api/v1/statuses/${id}/unreblog`);
          }
        }
        await server.drain();
        for (const each of before) await act(each);
        const all = groupsOf(await alice.get(`${path}?limit=80`));
        const seen: GroupJson[] = [];
        let next: string | undefined = `${path}?limit=${limit}`;
        while (next !== undefined) {
          const page: TestResponse = await alice.get(next);
          const groups = groupsOf(page);
          seen.push(...groups);
          const arrival = during[seen.length - 1];
          if (groups.length > 0 && arrival !== undefined) await act(arrival);
          next = page.links.next?.href;
        }
        const keys = seen.map(({ group_key: key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
        // What was not seen on the way down has moved to the top, above everything that was seen first.
        const newer = groupsOf(await alice.get(`${path}?limit=80&since_id=${seen[0]?.page_max_id ?? '0'}`));
        const known = new Set([...keys, ...newer.map(({ group_key: key }) => key)]);
        expect(all.filter(({ group_key: key }) => !known.has(key))).toEqual([]);
        const whole = new Map(all.map((group) => [group.group_key, group.notifications_count]));
        for (const { group_key: key, notifications_count: count } of seen) {
          expect(count).toBeGreaterThanOrEqual(whole.get(key) ?? 1);
        }
      },
    ),
    { numRuns: 12 },
  );
});
