import { expect, test } from 'vitest';
import { suspendAccount, unsuspendAccount } from '../../../server/moderation/index.ts';
import { followingScene, type PeerScene } from '../peer-scene.ts';
import { followAcross, homeTimeline, postStatus, resolveAccountOn, twoServers } from '../two-servers.ts';

/** eve changes whether her server suspends her, and returns the Update about it. */
function setSuspended({ eve }: PeerScene, suspended: boolean): Record<string, unknown> {
  eve.documentOverrides = { suspended };
  return eve.activity('Update', eve.json());
}

async function suspendedScene(): Promise<PeerScene> {
  const scene = await followingScene();
  await scene.eve.send(scene.a, setSuspended(scene, true));
  await scene.a.drain();
  scene.peer.requestedPaths.length = 0;
  return scene;
}

const contents = async ({ alice }: PeerScene): Promise<string[]> =>
  (await homeTimeline(alice)).map(({ content }) => content);
const fetches = ({ peer, eve }: PeerScene): number =>
  peer.requestedPaths.filter((path) => path === new URL(eve.uri).pathname).length;

test('FED-04: posts after a lifted suspension are stored in either order of the Update, the actor is fetched once', async () => {
  await using scene = await suspendedScene();
  const { a, eve } = scene;
  const update = setSuspended(scene, false);
  for (const id of ['first', 'second']) await eve.send(a, eve.create(eve.note(id)));
  await eve.send(a, update);
  await eve.send(a, eve.create(eve.note('third')));
  await a.drain();
  expect((await contents(scene)).toSorted()).toEqual(['<p>Note first</p>', '<p>Note second</p>', '<p>Note third</p>']);
  expect(fetches(scene)).toBe(1);
});

test('FED-04: nothing is fetched if the Update arrives first', async () => {
  await using scene = await suspendedScene();
  const { a, eve } = scene;
  await eve.send(a, setSuspended(scene, false));
  await eve.send(a, eve.create(eve.note('first')));
  await a.drain();
  expect(await contents(scene)).toEqual(['<p>Note first</p>']);
  expect(fetches(scene)).toBe(0);
});

test('FED-04: an actor that stays suspended is fetched at most once in five minutes, and its posts are ignored', async () => {
  await using scene = await suspendedScene();
  const { a, eve, network } = scene;
  for (const id of ['first', 'second']) await eve.send(a, eve.create(eve.note(id)));
  await a.drain();
  expect(fetches(scene)).toBe(1);
  await eve.send(a, eve.create(eve.note('third')));
  await a.drain();
  expect(fetches(scene)).toBe(1);
  network.clock.advance(301);
  setSuspended(scene, false);
  await eve.send(a, eve.create(eve.note('fourth')));
  await a.drain();
  expect(fetches(scene)).toBe(2);
  expect(await contents(scene)).toEqual(['<p>Note fourth</p>']);
});

test('FED-04: an actor that staff suspended is not fetched', async () => {
  await using scene = await suspendedScene();
  const { a, eve } = scene;
  await suspendAccount(a.app, 'system', { accountId: await resolveAccountOn(a, 'eve@peer.test') });
  await a.drain();
  scene.peer.requestedPaths.length = 0;
  setSuspended(scene, false);
  await eve.send(a, eve.create(eve.note('first')));
  await a.drain();
  expect([fetches(scene), await contents(scene)]).toEqual([0, []]);
});

test('FED-04: a post right after a lifted suspension reaches another server, whose Update is lost', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  await followAcross(servers, b, bob, 'alice@a.test');
  await suspendAccount(a.app, 'system', { accountId: alice.id });
  await network.drain();
  await unsuspendAccount(a.app, 'system', { accountId: alice.id });
  // The job that sends the Update.
  await a.db.deleteFrom('jobs').where('name', '=', 'account.deliver_suspension').execute();
  await postStatus(alice, { status: 'back again' });
  await network.drain();
  expect((await homeTimeline(bob)).map(({ content }) => content)).toEqual(['<p>back again</p>']);
});
