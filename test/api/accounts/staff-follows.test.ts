import { expect, test } from 'vitest';
import { followForEveryone, resetRelationships } from '../../../server/relationships/follow/index.ts';
import { twoServers, resolveAccountOn } from '../../federation/two-servers.ts';
import { startServer, type TestUser } from '../../server.ts';

const relation = async (user: TestUser, id: string) =>
  (await user.get(`/api/v1/accounts/relationships?id[]=${id}`)).json[0] as Record<string, boolean>;

test('every active user follows the account of the town, once, but nobody who blocks or mutes it', async () => {
  await using server = await startServer();
  const [town, ann, ben, carl, dora, eve] = await Promise.all(
    ['town', 'ann', 'ben', 'carl', 'dora', 'eve'].map((name) => server.user(name)),
  );
  if (!town || !ann || !ben || !carl || !dora || !eve) throw new Error('no user');
  await ann.post(`/api/v1/accounts/${town.id}/follow`);
  await ben.post(`/api/v1/accounts/${town.id}/block`);
  await carl.post(`/api/v1/accounts/${town.id}/mute`);
  await server.db.updateTable('users').set({ disabled: true }).where('account_id', '=', eve.id).execute();
  const run = () => followForEveryone(server.app, 'system', { targetId: town.id });
  expect(await run()).toEqual({ following: 1, requested: 0, skipped: 2 });
  expect(await run()).toEqual({ following: 0, requested: 0, skipped: 2 });
  await server.drain();
  for (const [user, following] of [
    [ann, true],
    [ben, false],
    [carl, false],
    [dora, true],
  ] as const)
    expect(await relation(user, town.id)).toMatchObject({ following });
  expect((await town.get('/api/v1/accounts/verify_credentials')).json).toMatchObject({
    followers_count: 2,
    following_count: 0,
  });
  const notifications = (await town.get('/api/v1/notifications?types[]=follow')).json;
  expect(notifications.map(({ account }: { account: { acct: string } }) => account.acct).toSorted()).toEqual([
    'ann',
    'dora',
  ]);
  await expect(followForEveryone(server.app, 'system', { targetId: '1' as never })).rejects.toThrow();

  // A locked account is asked, as by anybody.
  await dora.patch('/api/v1/accounts/update_credentials', { locked: true });
  expect(await followForEveryone(server.app, 'system', { targetId: dora.id })).toEqual({
    following: 0,
    requested: 4,
    skipped: 0,
  });
});

test('the follows of an account, or those by others, end on both servers', async () => {
  await using scene = await twoServers();
  const { network, a, b, alice, bob } = scene;
  const carl = await a.user('carl');
  const [bobOnA, aliceOnB] = [await resolveAccountOn(a, 'bob@b.test'), await resolveAccountOn(b, 'alice@a.test')];
  await alice.post(`/api/v1/accounts/${bobOnA}/follow`);
  await alice.post(`/api/v1/accounts/${carl.id}/follow`);
  await carl.post(`/api/v1/accounts/${alice.id}/follow`);
  await bob.post(`/api/v1/accounts/${aliceOnB}/follow`);
  await network.drain();
  const counts = async () => {
    const { followers_count, following_count } = (await alice.get('/api/v1/accounts/verify_credentials')).json;
    return { followers_count, following_count };
  };
  expect(await counts()).toEqual({ followers_count: 2, following_count: 2 });
  const reset = (side: 'follows' | 'followers') => resetRelationships(a.app, 'system', { accountId: alice.id, side });

  expect(await reset('follows')).toBe(2);
  await network.drain();
  expect(await counts()).toEqual({ followers_count: 2, following_count: 0 });
  expect(await relation(bob, aliceOnB)).toMatchObject({ followed_by: false, following: true });
  expect(await reset('followers')).toBe(2);
  expect(await reset('followers')).toBe(0);
  await network.drain();
  expect(await counts()).toEqual({ followers_count: 0, following_count: 0 });
  expect(await relation(bob, aliceOnB)).toMatchObject({ followed_by: false, following: false });
  await expect(resetRelationships(a.app, 'system', { accountId: bobOnA, side: 'follows' })).rejects.toThrow();
  const log = await a.app.db.selectFrom('audit_log').select(['action', 'target_label']).orderBy('id').execute();
  expect(log.map(({ action, target_label }) => `${action} ${target_label}`)).toEqual([
    'account.reset_follows alice',
    'account.reset_followers alice',
    'account.reset_followers alice',
  ]);
});
