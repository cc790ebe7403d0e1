import { expect, test } from 'vitest';
import { Network } from '../../network.ts';
import type { TestUser } from '../../server.ts';
import { Peer, type PeerActor } from '../peer.ts';
import { resolveAccountOn, postStatus, twoServers } from '../two-servers.ts';

const daySeconds = 86_400;

async function getAccount(viewer: TestUser, id: string) {
  return (await viewer.get(`/api/v1/accounts/${id}`)).json as Record<string, unknown>;
}

function serveTotals(peer: Peer, actor: PeerActor, totals: Record<string, unknown>, members: object = {}): void {
  for (const [kind, totalItems] of Object.entries(totals)) {
    const id = `${actor.uri}/${kind}`;
    peer.serve({ id, type: 'OrderedCollection', totalItems, first: `${id}?page=1`, ...members });
  }
}

test('FED-01: the counters of a remote account are those that its server reports', async () => {
  await using servers = await twoServers();
  const { a, b, alice, bob, network } = servers;
  const fan = await b.user('fern');
  await fan.post(`/api/v1/accounts/${bob.id}/follow`);
  for (const text of ['one', 'two', 'three']) await postStatus(bob, { status: text });
  const id = await resolveAccountOn(a, 'bob@b.test');
  expect(await getAccount(alice, id)).toMatchObject({ statuses_count: 0, followers_count: 0 });
  await network.drain();
  expect(await getAccount(alice, id)).toMatchObject({
    statuses_count: 3,
    followers_count: 1,
    following_count: 0,
    hide_collections: false,
  });
  await bob.patch('/api/v1/accounts/update_credentials', { hide_collections: true });
  await fan.post(`/api/v1/accounts/${bob.id}/unfollow`);
  await alice.get(`/api/v1/accounts/${id}`);
  await network.drain();
  expect(await getAccount(alice, id)).toMatchObject({ followers_count: 1, hide_collections: false });
  network.clock.advance(daySeconds);
  await a.anonymous.get(`/api/v1/accounts/${id}`);
  await a.drain();
  expect((await getAccount(alice, id))['hide_collections']).toBe(false);
  await network.drain();
  expect(await getAccount(alice, id)).toMatchObject({ followers_count: 0, hide_collections: false });
  await postStatus(bob, { status: 'four' });
  await fan.post(`/api/v1/accounts/${bob.id}/follow`);
  network.clock.advance(daySeconds);
  await alice.get(`/api/v1/accounts/${id}`);
  await network.drain();
  expect(await getAccount(alice, id)).toMatchObject({ statuses_count: 4, followers_count: 1, hide_collections: true });
});

test('FED-01: remote counters are limited to a sane range, and invalid ones do not replace the stored ones', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'far.test');
  const alice = await server.user('alice');
  const [fay, gus] = [peer.actor('fay'), peer.actor('gus')];
  serveTotals(peer, fay, { outbox: 7, followers: 1e300, following: -4 });
  serveTotals(peer, gus, { outbox: '12', followers: 3 });
  const [fayId, gusId] = [
    await resolveAccountOn(server, 'fay@far.test'),
    await resolveAccountOn(server, 'gus@far.test'),
  ];
  await server.drain();
  expect(await getAccount(alice, fayId)).toMatchObject({
    statuses_count: 7,
    followers_count: 1_000_000_000,
    following_count: 0,
    hide_collections: false,
  });
  expect(await getAccount(alice, gusId)).toMatchObject({
    statuses_count: 0,
    followers_count: 3,
    following_count: 0,
    hide_collections: false,
  });
  await fay.send(
    server,
    fay.create(fay.note(1, { to: ['https://a.test/users/alice'], published: network.clock.now() })),
  );
  await server.drain();
  expect((await getAccount(alice, fayId))['last_status_at']).toBe(network.clock.now().toISOString().slice(0, 10));
});

test('FED-01: counters of collections on another host, of another type or with an id on another host are ignored', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'far.test');
  const elsewhere = new Peer(network, 'elsewhere.test');
  const alice = await server.user('alice');
  const mallory = peer.actor('mallory');
  mallory.documentOverrides = { followers: 'https://elsewhere.test/many', following: `${mallory.uri}/odd` };
  elsewhere.serve({ id: 'https://elsewhere.test/many', type: 'Collection', totalItems: 99, items: ['x'] });
  peer.serve({ id: `${mallory.uri}/odd`, type: 'Note', totalItems: 98 });
  peer.documents.set(`/users/mallory/outbox`, {
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: 'https://elsewhere.test/outbox',
    type: 'OrderedCollection',
    totalItems: 97,
  });
  const id = await resolveAccountOn(server, 'mallory@far.test');
  await server.drain();
  expect(await getAccount(alice, id)).toMatchObject({
    statuses_count: 0,
    followers_count: 0,
    following_count: 0,
    hide_collections: null,
  });
  expect(elsewhere.requestedPaths).toEqual([]);
});
