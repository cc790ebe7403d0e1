import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newestGroups } from '../../../server/notifications/grouped/list-groups.ts';
import { newestNotifications } from '../../../server/notifications/list-notifications.ts';
import { newId } from '../../../server/platform/ids.ts';
import { follow, postBy } from '../../feeds.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

const notifications = '/api/v1/notifications';

const listGroups = async (user: TestUser, query = 'limit=40') =>
  (await user.get(`/api/v2/notifications?${query}`)).json.notification_groups;

const listIds = async (user: TestUser): Promise<string[]> =>
  (await user.get(`${notifications}?limit=40`)).json.map(({ id }: { id: string }) => id);

interface Scene {
  readonly server: TestServer;
  readonly alice: TestUser;
  /** Posts of anyone. */
  readonly posts: { readonly id: string; readonly by: TestUser }[];
}

type Act = (scene: Scene, actor: TestUser, chosen: Scene['posts'][number] | undefined) => Promise<unknown>;

/** Acts, and takes it back when both were read. */
const undo =
  (act: Act, takeBack: Act): Act =>
  async (scene, actor, chosen) => {
    await act(scene, actor, chosen);
    await scene.server.drain();
    await listIds(scene.alice);
    await takeBack(scene, actor, chosen);
  };

const react =
  (verb: string): Act =>
  (_scene, by, chosen) =>
    by.post(`/api/v1/statuses/${chosen?.id}/${verb}`);

const approach =
  (verb: string): Act =>
  ({ alice }, by) =>
    by.post(`/api/v1/accounts/${alice.id}/${verb}`);

const change =
  (verb: string): Act =>
  ({ alice }, { id }) =>
    alice.post(`/api/v1/accounts/${id}/${verb}`);

const acts = {
  post: async ({ alice, posts }) => posts.push({ id: await postBy(alice, 'Hello'), by: alice }),
  mention: async ({ posts }, by) => posts.push({ id: await postBy(by, '@alice Hello'), by }),
  delete: (_scene, _actor, chosen) => (chosen ? chosen.by.delete(`/api/v1/statuses/${chosen.id}`) : Promise.resolve()),
  favourite: react('favourite'),
  'undo a favourite': undo(react('favourite'), react('unfavourite')),
  reblog: react('reblog'),
  'undo a reblog': undo(react('reblog'), react('unreblog')),
  follow: approach('follow'),
  'undo a follow': undo(approach('follow'), approach('unfollow')),
  mute: change('mute'),
  unmute: change('unmute'),
  block: change('block'),
  unblock: change('unblock'),
  dismiss: async ({ alice }) => {
    const [newest] = await listIds(alice);
    if (newest !== undefined) await alice.post(`${notifications}/${newest}/dismiss`);
  },
  clear: ({ alice }) => alice.post(`${notifications}/clear`),
  filter: ({ alice }) => alice.put('/api/v2/notifications/policy', { for_not_following: 'filter' }),
  accept: async ({ alice }) => {
    await alice.put('/api/v2/notifications/policy', { for_not_following: 'accept' });
    const { json: requests } = await alice.get(`${notifications}/requests`);
    for (const { id } of requests) await alice.post(`${notifications}/requests/${id}/accept`);
  },
} satisfies Record<string, Act>;

test('NTF-01: cached notifications and groups are what the database has, whatever happens between two reads', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const others = [await server.user('bob'), await server.user('carol')];
  const scene: Scene = { server, alice, posts: [] };
  const names = Object.keys(acts) as (keyof typeof acts)[];
  const step = fc.record({ name: fc.constantFrom(...names), actor: fc.nat(others.length - 1), back: fc.nat(3) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
      scene.posts.push({ id: await postBy(alice, 'What a day!'), by: alice });
      for (const { name, actor, back } of steps) {
        const act: Act = acts[name];
        await act(scene, others[actor] ?? alice, scene.posts.at(-1 - back));
        await server.drain();
        const [cached, cachedGroups] = [await listIds(alice), await listGroups(alice)];
        newestNotifications.evict(server.app, alice.id);
        newestGroups.evict(server.app, alice.id);
        expect(cached, name).toEqual(await listIds(alice));
        expect(cachedGroups, name).toEqual(await listGroups(alice));
      }
    }),
    { numRuns: 12 },
  );
});

test('notifications that are read again take no statement, until one arrives', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const post = await postBy(alice, 'Hello');
  await follow(server, bob, alice);
  const [first] = await listIds(alice);
  expect(await server.countWarmQueries(() => listIds(alice))).toBe(0);
  expect(await server.countWarmQueries(() => listGroups(alice))).toBe(0);
  await bob.post(`/api/v1/statuses/${post}/favourite`);
  await server.drain();
  expect((await listIds(alice)).slice(1)).toEqual([first]);
});

test('NTF-01: a page of notifications ends where its limit and its cursors say, cached or not', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  for (let count = 0; count < 5; count += 1) await postBy(bob, `@alice ${count}`);
  await server.drain();
  const all = await listIds(alice);
  expect(all).toHaveLength(5);
  const page = async (query: string) =>
    (await alice.get(`${notifications}?${query}`)).json.map(({ id }: { id: string }) => id);
  expect(await page('limit=2')).toEqual(all.slice(0, 2));
  expect(await page(`limit=2&since_id=${all[1]}`)).toEqual(all.slice(0, 1));
  expect(await page(`limit=2&max_id=${all[1]}`)).toEqual(all.slice(2, 4));
  expect(await page(`limit=2&min_id=${all[4]}`)).toEqual(all.slice(2, 4));
  expect(await page('limit=80')).toEqual(all);
  expect(await page('types[]=follow')).toEqual([]);
  expect(await page('exclude_types[]=mention')).toEqual([]);
});

test('groups that are cached are those of the types that a client groups', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const post = await postBy(alice, 'Hello');
  for (const name of ['bob', 'carol']) {
    const user = await server.user(name);
    await user.post(`/api/v1/statuses/${post}/favourite`);
    // The jobs of both run side by side.
    await server.drain();
    await user.post(`/api/v1/statuses/${post}/reblog`);
    await server.drain();
  }
  const countsOf = async (query: string): Promise<Record<string, number[]>> => {
    const groups: { type: string; notifications_count: number }[] = await listGroups(alice, query);
    const byType = Map.groupBy(groups, ({ type }) => type);
    return Object.fromEntries(
      [...byType].map(([type, each]) => [type, each.map((group) => group.notifications_count)]),
    );
  };
  expect(await countsOf('')).toEqual({ favourite: [2], reblog: [2] });
  expect(await countsOf('grouped_types[]=favourite')).toEqual({ favourite: [2], reblog: [1, 1] });
  expect(await countsOf('grouped_types[]=favourite&grouped_types[]=reblog')).toEqual({ favourite: [2], reblog: [2] });
  expect(await countsOf('exclude_types[]=favourite')).toEqual({ reblog: [2] });
  expect(await countsOf('limit=1')).toEqual({ reblog: [2] });
  // Clients of staff may not know that sign-ups have groups.
  const names = ['dora', 'emil'];
  for (const name of names) {
    const { id } = await server.user(name);
    const row = { id: newId<'notification'>(server.clock.now()), account_id: alice.id, from_account_id: id };
    await server.db
      .insertInto('notifications')
      .values({ ...row, type: 'admin.sign_up', group_key: 'admin.sign_up-1', created_at: server.clock.now() })
      .execute();
  }
  newestGroups.clear(server.app);
  const known = 'grouped_types[]=favourite&grouped_types[]=reblog&grouped_types[]=follow';
  expect(await countsOf('')).toMatchObject({ 'admin.sign_up': [2] });
  expect(await countsOf(known)).toEqual({ favourite: [2], reblog: [2], 'admin.sign_up': [1, 1] });
});
