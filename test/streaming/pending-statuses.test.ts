import { expect, test } from 'vitest';
import type { ListId } from '../../server/platform/ids.ts';
import { PendingStatuses, pendingStatuses } from '../../server/timelines/feeds/pending-statuses.ts';
import { feedLimits } from '../../server/timelines/index.ts';
import { createList, follow, listTimelinePath, postBy, reblogBy } from '../feeds.ts';
import { startServer, type TestServer, type TestUser } from '../server.ts';
import { settle, TestSocket } from '../streams.ts';

const home = '/api/v1/timelines/home';

const idsOf = async (user: TestUser, path: string): Promise<string[]> =>
  ((await user.get(path)).json as { id: string }[]).map(({ id }) => id);

/** Returns the ids of the `update` events of a stream, without running the jobs that insert into feeds. */
const streamedIds = async (socket: TestSocket): Promise<string[]> =>
  (await socket.takeSent())
    .filter(({ event }) => event === 'update')
    .map(({ payload }) => (JSON.parse(payload) as { id: string }).id);

/** Creates users, of which the first follows the second and the third and has a stored home feed. */
async function createUsers(server: TestServer): Promise<[TestUser, TestUser, TestUser, TestUser]> {
  const users = [await server.user('reader'), await server.user('alice'), await server.user('bob')] as const;
  const [reader, alice, bob] = users;
  await follow(server, reader, alice);
  await follow(server, reader, bob);
  await reader.get(home);
  await settle(server);
  return [...users, await server.user('stranger')];
}

test('STR-02: a streamed post is in the timelines before a job has inserted it into their feeds', async () => {
  await using server = await startServer();
  const [reader, alice, , stranger] = await createUsers(server);
  const list = await createList(reader, [alice]);
  await reader.post('/api/v1/tags/birds/follow');
  const paths = [home, listTimelinePath(list)];
  for (const path of paths) await reader.get(path);
  await settle(server);
  const socket = await TestSocket.open(server, reader, 'stream=user');
  await socket.subscribe('list', { list });

  const ofAlice = await postBy(alice, 'By a followed account');
  const tagged = await postBy(stranger, 'By a stranger #birds');
  await postBy(stranger, 'Neither followed nor with a followed hashtag #fish');
  await postBy(alice, { status: '@stranger a reply that is not shown', visibility: 'direct' });
  expect(new Set(await streamedIds(socket))).toEqual(new Set([ofAlice, tagged]));
  const expected = [[tagged, ofAlice], [ofAlice]];
  const read = async (query: string): Promise<string[][]> => [
    await idsOf(reader, `${paths[0]}${query}`),
    await idsOf(reader, `${paths[1]}${query}`),
  ];
  expect(await read('')).toEqual(expected);
  expect(await read('?min_id=1')).toEqual(expected);
  expect(await read(`?max_id=${tagged}`)).toEqual([[ofAlice], [ofAlice]]);
  expect(await read(`?min_id=${ofAlice}`)).toEqual([[tagged], []]);
  expect(await idsOf(stranger, home)).not.toContain(ofAlice);

  await settle(server);
  expect(await read('')).toEqual(expected);
  expect(pendingStatuses(server.app).size).toBe(0);
  socket.close();
});

test('STR-02: of two reblogs of a post in a row, only the first is streamed and shown', async () => {
  await using server = await startServer();
  const [reader, alice, bob, stranger] = await createUsers(server);
  const list = await createList(reader, [alice, bob]);
  await reader.get(listTimelinePath(list));
  await settle(server);
  const socket = await TestSocket.open(server, reader, 'stream=user');
  await socket.subscribe('list', { list });
  const own = await TestSocket.open(server, bob, 'stream=user');

  const unknown = await postBy(stranger, 'Unknown to the reader');
  const first = await reblogBy(alice, unknown);
  const second = await reblogBy(bob, unknown);
  expect(await streamedIds(socket)).toEqual([first, first]);
  expect(await streamedIds(own)).toEqual([second]);
  const known = await postBy(alice, 'Known to the reader');
  await reblogBy(bob, known);
  expect(await streamedIds(socket)).toEqual([known, known]);
  for (const path of [home, listTimelinePath(list)]) expect(await idsOf(reader, path)).toEqual([known, first]);
  await settle(server);
  for (const path of [home, listTimelinePath(list)]) expect(await idsOf(reader, path)).toEqual([known, first]);
  for (const each of [socket, own]) each.close();
});

test('STR-02: a post is merged until the last batch of its fan-out, and no more', async () => {
  await using server = await startServer();
  feedLimits(server.app).fanOutBatchSize = 1;
  const [reader, alice, bob] = await createUsers(server);
  await follow(server, bob, alice);
  const lists = [await createList(reader, [alice]), await createList(bob, [alice])];
  for (const user of [reader, bob]) await user.post('/api/v1/tags/birds/follow');
  for (const [index, user] of [reader, bob].entries()) await user.get(listTimelinePath(lists[index] ?? ''));
  await settle(server);
  const id = await postBy(alice, 'To all #birds');
  expect(pendingStatuses(server.app).list()).toMatchObject([
    { id, authorId: alice.id, parts: new Set(['followers', 'hashtags', 'lists']) },
  ]);
  await server.drain();
  expect(pendingStatuses(server.app).size).toBe(0);
  const stored = server.db
    .selectFrom('list_feed')
    .select('list_id')
    .where('list_id', 'in', lists as ListId[]);
  expect(await stored.execute()).toHaveLength(2);
  for (const user of [reader, bob]) expect(await idsOf(user, home)).toContain(id);
});

test('a status stops waiting after some minutes, and the oldest go first when there are too many', () => {
  let now = 0;
  const pending = new PendingStatuses(() => now);
  const add = (number: number): void =>
    pending.add({ statusId: String(number) as never, accountId: '1' as never, reblogOfId: '7' as never });
  for (let number = 1; number <= 2_500; number += 1) add(number);
  expect([pending.size, pending.list()[0]?.id]).toEqual([2_000, '501']);
  expect(pending.listEarlier('600' as never)).toEqual(Array.from({ length: 20 }, (_, index) => String(580 + index)));
  now += 300_001;
  add(3_000);
  expect(pending.list().map(({ id }) => id)).toEqual(['3000']);
  pending.finish({ statusId: '3000' as never, parts: ['lists', 'followers'] });
  expect(pending.list()).toMatchObject([{ parts: new Set(['hashtags']) }]);
  pending.finish({ statusId: '3000' as never, parts: ['hashtags'] });
  expect(pending.list()).toEqual([]);
});

test('a status does not wait for the parts of its fan-out that were reported before it', () => {
  let now = 0;
  const pending = new PendingStatuses(() => now);
  const [first, second, third] = ['1', '2', '3'] as never[];
  pending.finish({ statusId: first as never, parts: ['lists'] });
  pending.finish({ statusId: first as never, parts: ['followers', 'hashtags'] });
  pending.finish({ statusId: second as never, parts: ['followers'] });
  const add = (statusId: unknown, more = {}): void =>
    pending.add({ statusId: statusId as never, accountId: '9' as never, ...more });
  for (const statusId of [first, second]) {
    add(statusId);
    add(statusId, { tagIds: ['7'] });
  }
  expect(pending.list()).toMatchObject([{ id: second, tagIds: ['7'], parts: new Set(['hashtags', 'lists']) }]);
  pending.finish({ statusId: second as never, parts: ['hashtags', 'lists'] });
  // The events of one transaction may arrive in parts.
  add(second, { tagIds: ['7'] });
  expect(pending.size).toBe(0);

  pending.finish({ statusId: third as never, parts: ['followers'] });
  now += 300_001;
  for (let number = 10; number < 2_010; number += 1)
    pending.finish({ statusId: String(number) as never, parts: ['lists'] });
  add(third);
  expect(pending.list()).toMatchObject([{ id: third, parts: new Set(['followers', 'hashtags', 'lists']) }]);
});
