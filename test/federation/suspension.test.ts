import { expect, test } from 'vitest';
import { deleteAccountAsStaff, suspendAccount, unsuspendAccount } from '../../server/moderation/index.ts';
import { followedScene } from './peer-scene.ts';
import { accountOn, follow, home, posted, twoServers } from './two-servers.ts';

test('ACC-14: what a suspended account had waiting for other servers is dropped, and nothing more is stored', async () => {
  await using scene = await twoServers();
  const { network, a, b, alice, bob } = scene;
  await follow(scene, b, bob, 'alice@a.test');
  network.break('b.test');
  await posted(alice, { status: 'before' });
  await a.drain();
  const waiting = async () => (await a.app.db.selectFrom('deliveries').select('id').execute()).length;
  expect(await waiting()).toBe(1);
  // Its job is stored, but not done yet.
  await posted(alice, { status: 'just before' });
  await suspendAccount(a.app, 'system', { accountId: alice.id });
  expect(await waiting()).toBe(0);
  await a.drain();
  expect(await waiting()).toBe(0);
  network.mend('b.test');
  network.clock.advance(86_400);
  await network.drain();
  expect(await home(bob)).toEqual([]);
  await unsuspendAccount(a.app, 'system', { accountId: alice.id });
  await posted(alice, { status: 'after' });
  await network.drain();
  expect((await home(bob)).map(({ content }) => content)).toEqual(['<p>after</p>']);
});

test('ACC-14: of a suspended remote account only what takes something back is processed, at once and while it waits', async () => {
  await using scene = await followedScene();
  const { a, alice, eve } = scene;
  const id = await accountOn(a, 'eve@peer.test');
  await eve.send(a, eve.create(eve.note(1)));
  await a.drain();
  expect(await home(alice)).toHaveLength(1);
  // Received, and not acted upon yet.
  await eve.send(a, eve.create(eve.note(2)));
  await suspendAccount(a.app, 'system', { accountId: id });
  expect(await home(alice)).toEqual([]);
  await eve.send(a, eve.create(eve.note(3)));
  await a.drain();
  await eve.send(a, eve.activity('Delete', `${eve.uri}/notes/1`));
  await a.drain();
  await unsuspendAccount(a.app, 'system', { accountId: id });
  expect(await home(alice)).toEqual([]);
  await eve.send(a, eve.create(eve.note(4)));
  await a.drain();
  expect((await home(alice)).map(({ uri }) => uri)).toEqual([`${eve.uri}/notes/4`]);
});

test('ACC-14: a suspension by its own server is its to lift', async () => {
  await using scene = await followedScene();
  const { a, eve } = scene;
  const id = await accountOn(a, 'eve@peer.test');
  eve.document = { suspended: true, '@context': [{ suspended: 'http://joinmastodon.org/ns#suspended' }] };
  await eve.send(a, eve.activity('Update', eve.json()));
  await a.drain();
  const origin = async () =>
    (await a.app.db.selectFrom('accounts').select('suspension_origin').where('id', '=', id).executeTakeFirstOrThrow())
      .suspension_origin;
  expect(await origin()).toBe('remote');
  await expect(unsuspendAccount(a.app, 'system', { accountId: id })).rejects.toThrow('suspended by its own server');
  // Staff who suspend it too decide from then on.
  expect(await suspendAccount(a.app, 'system', { accountId: id })).toBe(true);
  expect(await origin()).toBe('local');
});

test('ACC-14: the deletion of a suspended account still reaches other servers', async () => {
  await using scene = await twoServers();
  const { network, a, b, alice, bob } = scene;
  const aliceId = await follow(scene, b, bob, 'alice@a.test');
  await posted(alice, { status: 'hello' });
  await network.drain();
  await suspendAccount(a.app, 'system', { accountId: alice.id });
  await network.drain();
  await deleteAccountAsStaff(a.app, 'system', { accountId: alice.id });
  await network.drain();
  expect((await bob.get(`/api/v1/accounts/${aliceId}`)).status).toBe(404);
  expect(await home(bob)).toEqual([]);
});
