import { expect, test } from 'vitest';
import { deleteAccountAsStaff, suspendAccount, unsuspendAccount } from '../../../server/moderation/index.ts';
import { followingScene } from '../peer-scene.ts';
import { resolveAccountOn, followAcross, homeTimeline, postStatus, twoServers } from '../two-servers.ts';

test('ACC-14: suspending an account deletes its pending deliveries, and only the suspension is delivered', async () => {
  await using scene = await twoServers();
  const { network, a, b, alice, bob } = scene;
  await followAcross(scene, b, bob, 'alice@a.test');
  network.takeDown('b.test');
  await postStatus(alice, { status: 'before' });
  await a.drain();
  const waiting = async () => {
    const rows = await a.app.db
      .selectFrom('deliveries')
      .innerJoin('activities', 'activities.id', 'deliveries.activity_id')
      .select('activities.body')
      .execute();
    return rows.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  };
  expect(await waiting()).toEqual(['Create']);
  // Its job is stored, but has not run yet.
  await postStatus(alice, { status: 'just before' });
  await suspendAccount(a.app, 'system', { accountId: alice.id });
  expect(await waiting()).toEqual([]);
  await a.drain();
  expect(await waiting()).toEqual(['Update']);
  network.bringUp('b.test');
  network.clock.advance(86_400);
  await network.drain();
  expect(await homeTimeline(bob)).toEqual([]);
  await unsuspendAccount(a.app, 'system', { accountId: alice.id });
  await network.drain();
  await postStatus(alice, { status: 'after' });
  await network.drain();
  expect((await homeTimeline(bob)).map(({ content }) => content)).toEqual(['<p>after</p>']);
});

test('ACC-14: only activities that undo something are processed for a suspended remote account', async () => {
  await using scene = await followingScene();
  const { a, alice, eve } = scene;
  const id = await resolveAccountOn(a, 'eve@peer.test');
  await eve.send(a, eve.create(eve.note(1)));
  await a.drain();
  expect(await homeTimeline(alice)).toHaveLength(1);
  // Received, but not processed yet.
  await eve.send(a, eve.create(eve.note(2)));
  await suspendAccount(a.app, 'system', { accountId: id });
  expect(await homeTimeline(alice)).toEqual([]);
  await eve.send(a, eve.create(eve.note(3)));
  await a.drain();
  await eve.send(a, eve.activity('Delete', `${eve.uri}/notes/1`));
  await a.drain();
  await unsuspendAccount(a.app, 'system', { accountId: id });
  expect(await homeTimeline(alice)).toEqual([]);
  await eve.send(a, eve.create(eve.note(4)));
  await a.drain();
  expect((await homeTimeline(alice)).map(({ uri }) => uri)).toEqual([`${eve.uri}/notes/4`]);
});

test("ACC-14: a suspension by the account's own server can be lifted by that server", async () => {
  await using scene = await followingScene();
  const { a, eve } = scene;
  const id = await resolveAccountOn(a, 'eve@peer.test');
  eve.documentOverrides = { suspended: true, '@context': [{ suspended: 'http://joinmastodon.org/ns#suspended' }] };
  await eve.send(a, eve.activity('Update', eve.json()));
  await a.drain();
  const origin = async () =>
    (await a.app.db.selectFrom('accounts').select('suspension_origin').where('id', '=', id).executeTakeFirstOrThrow())
      .suspension_origin;
  expect(await origin()).toBe('remote');
  await expect(unsuspendAccount(a.app, 'system', { accountId: id })).rejects.toThrow('suspended by its own server');
  // Once local staff suspend it too, only they can lift it.
  expect(await suspendAccount(a.app, 'system', { accountId: id })).toBe(true);
  expect(await origin()).toBe('local');
});

test('ACC-14: the deletion of a suspended account still reaches other servers', async () => {
  await using scene = await twoServers();
  const { network, a, b, alice, bob } = scene;
  const aliceId = await followAcross(scene, b, bob, 'alice@a.test');
  await postStatus(alice, { status: 'hello' });
  await network.drain();
  await suspendAccount(a.app, 'system', { accountId: alice.id });
  await network.drain();
  await deleteAccountAsStaff(a.app, 'system', { accountId: alice.id });
  await network.drain();
  expect((await bob.get(`/api/v1/accounts/${aliceId}`)).status).toBe(404);
  expect(await homeTimeline(bob)).toEqual([]);
});
