import fc from 'fast-check';
import { expect, test } from 'vitest';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { StatusId } from '../../../server/platform/ids.ts';
import { statusFannedOut } from '../../../server/timelines/events.ts';
import { HomeChanges } from '../../../server/timelines/feeds/home-changes.ts';
import { homeHeads } from '../../../server/timelines/read/home-heads.ts';
import { follow, postBy, reblogBy } from '../../feeds.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

const home = '/api/v1/timelines/home';

const homeIds = async (user: TestUser): Promise<string[]> =>
  (await user.get(`${home}?limit=40`)).json.map(({ id }: { id: string }) => id);

interface Scene {
  readonly server: TestServer;
  readonly alice: TestUser;
  readonly others: readonly TestUser[];
  /** Posts and reblogs, which may be deleted. */
  readonly posts: { readonly id: string; readonly by: TestUser }[];
}

type Act = (scene: Scene, actor: TestUser, chosen: Scene['posts'][number] | undefined) => Promise<unknown>;

const acts = {
  post: async ({ posts }, by) => posts.push({ id: await postBy(by, 'Hello'), by }),
  'post with a hashtag': async ({ posts }, by) => posts.push({ id: await postBy(by, 'Hello #birds'), by }),
  'own post': async ({ posts, alice }) => posts.push({ id: await postBy(alice, 'Mine'), by: alice }),
  reblog: async ({ posts }, by, chosen) => {
    const { status, json } = await by.post(`/api/v1/statuses/${chosen?.id}/reblog`);
    if (status === 200) posts.push({ id: json.id, by });
  },
  'undo a reblog': (_scene, by, chosen) => by.post(`/api/v1/statuses/${chosen?.id}/unreblog`),
  delete: (_scene, _actor, chosen) => (chosen ? chosen.by.delete(`/api/v1/statuses/${chosen.id}`) : Promise.resolve()),
  'add a hashtag': async (_scene, _actor, chosen) =>
    chosen?.by.put(`/api/v1/statuses/${chosen.id}`, { status: 'Edited #birds' }),
  'remove a hashtag': async (_scene, _actor, chosen) =>
    chosen?.by.put(`/api/v1/statuses/${chosen.id}`, { status: 'Edited' }),
  follow: ({ alice }, { id }) => alice.post(`/api/v1/accounts/${id}/follow`),
  'follow without reblogs': ({ alice }, { id }) => alice.post(`/api/v1/accounts/${id}/follow`, { reblogs: false }),
  unfollow: ({ alice }, { id }) => alice.post(`/api/v1/accounts/${id}/unfollow`),
  mute: ({ alice }, { id }) => alice.post(`/api/v1/accounts/${id}/mute`),
  unmute: ({ alice }, { id }) => alice.post(`/api/v1/accounts/${id}/unmute`),
  block: ({ alice }, { id }) => alice.post(`/api/v1/accounts/${id}/block`),
  unblock: ({ alice }, { id }) => alice.post(`/api/v1/accounts/${id}/unblock`),
  'follow a hashtag': ({ alice }) => alice.post('/api/v1/tags/birds/follow'),
  'unfollow a hashtag': ({ alice }) => alice.post('/api/v1/tags/birds/unfollow'),
  'run jobs': ({ server }) => server.drain(),
} satisfies Record<string, Act>;

async function createScene(server: TestServer): Promise<Scene> {
  const alice = await server.user('alice');
  const others = [await server.user('bob'), await server.user('carol'), await server.user('dave')];
  for (const other of others.slice(0, 2)) await follow(server, alice, other);
  await homeIds(alice);
  await server.drain();
  return { server, alice, others, posts: [] };
}

test('TML-01: a cached home is what the database has, whatever happens between two reads', async () => {
  await using server = await startServer();
  const scene = await createScene(server);
  const { alice, others, posts } = scene;
  const names = Object.keys(acts) as (keyof typeof acts)[];
  const step = fc.record({ name: fc.constantFrom(...names), actor: fc.nat(others.length - 1), back: fc.nat(6) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 12 }), async (steps) => {
      for (const { name, actor, back } of steps) {
        const by = others[actor] ?? alice;
        const act: Act = acts[name];
        await act(scene, by, posts.at(-1 - back));
        const cached = await homeIds(alice);
        homeHeads.evict(server.app, alice.id);
        expect(cached, name).toEqual(await homeIds(alice));
      }
      await server.drain();
    }),
    { numRuns: 12 },
  );
});

test('a home that is read again takes no statement, until a post arrives for it', async () => {
  await using server = await startServer();
  const { alice, others } = await createScene(server);
  const [bob, , dave] = others as [TestUser, TestUser, TestUser];
  const first = await postBy(bob, 'one');
  await server.drain();
  expect(await server.countWarmQueries(() => homeIds(alice))).toBe(0);
  await reblogBy(dave, await postBy(dave, 'nobody follows me'));
  await server.drain();
  expect(await server.countQueries(() => homeIds(alice))).toBe(0);
  const second = await postBy(bob, 'two');
  await server.drain();
  expect(await homeIds(alice)).toEqual([second, first]);
});

test('a fan-out of a post that this process does not know makes every cached home outdated', async () => {
  await using server = await startServer();
  const { alice, others } = await createScene(server);
  const statusId = (await postBy(others[0] as TestUser, 'one')) as StatusId;
  await server.drain();
  await homeIds(alice);
  await server.db.deleteFrom('home_feed').where('account_id', '=', alice.id).execute();
  expect(await homeIds(alice)).toEqual([statusId]);
  await transaction(server.app, async ({ emit }) => emit(statusFannedOut({ statusId, parts: ['followers'] })));
  expect(await homeIds(alice)).toEqual([]);
});

test('changes are remembered for a while, and known to be forgotten after that', () => {
  const changes = new HomeChanges();
  const add = (): void => changes.add({ kind: 'inserted', by: 'anyone' });
  add();
  expect(changes.after(0)).toHaveLength(1);
  expect(changes.after(1)).toEqual([]);
  for (let count = 0; count < 1_000; count += 1) add();
  expect(changes.count).toBe(1_001);
  expect(changes.after(0)).toBeUndefined();
  expect(changes.after(1_000)).toHaveLength(1);
});
