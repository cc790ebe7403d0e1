import { expect, test } from 'vitest';
import { countStoredFeeds, rebuildStoredFeeds } from '../../../server/timelines/index.ts';
import { homeHeads } from '../../../server/timelines/read/home-heads.ts';
import { checkedHomeIds, checkedListIds, createList, follow, listTimelinePath, postBy } from '../../feeds.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

/** alice and carl follow bob, who has three posts; alice has him in a list too. All their feeds are stored. */
async function scene(server: TestServer) {
  const [alice, bob, carl] = [await server.user('alice'), await server.user('bob'), await server.user('carl')];
  for (const user of [alice, carl]) await follow(server, user, bob);
  const list = await createList(alice, [bob]);
  for (const text of ['one', 'two', 'three']) await postBy(bob, text);
  const ids = await checkedHomeIds(server, alice);
  await checkedHomeIds(server, carl);
  expect(await checkedListIds(server, alice, list)).toEqual(ids);
  return { alice, bob, carl, list, ids };
}

const homeIds = async (user: TestUser) =>
  (await user.get('/api/v1/timelines/home')).json.map(({ id }: { id: string }) => id);

test('damaged home and list feeds of one user are rebuilt; those of others are left alone', async () => {
  await using server = await startServer();
  const { alice, carl, list, ids } = await scene(server);
  const owner = { accountId: alice.id, acct: 'alice' };
  expect([await countStoredFeeds(server.app), await countStoredFeeds(server.app, owner)]).toEqual([3, 2]);
  await server.db.deleteFrom('home_feed').execute();
  await server.db.deleteFrom('list_feed').execute();
  homeHeads.clear(server.app);
  expect(await homeIds(alice)).toEqual([]);
  const progress: number[] = [];
  expect(await rebuildStoredFeeds(server.app, 'system', { owner, progress: (count) => progress.push(count) })).toBe(2);
  expect(progress).toEqual([1, 2]);
  expect(await homeIds(alice)).toEqual(ids);
  expect((await alice.get(listTimelinePath(list))).json.map(({ id }: { id: string }) => id)).toEqual(ids);
  expect(await homeIds(carl)).toEqual([]);
  expect(await rebuildStoredFeeds(server.app, 'system', {})).toBe(3);
  expect(await homeIds(carl)).toEqual(ids);
  const log = await server.app.db.selectFrom('audit_log').select(['action', 'target_label']).orderBy('id').execute();
  expect(log).toEqual([
    { action: 'feed.rebuild', target_label: 'alice' },
    { action: 'feed.rebuild', target_label: 'all' },
  ]);
});
