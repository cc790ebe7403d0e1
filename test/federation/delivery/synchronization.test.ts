import { clearCaches } from '../../../server/platform/write/publish.ts';
import { expect, test } from 'vitest';
import { followersDigest, emptyDigest } from '../../../server/federation/delivery/followers-digest.ts';
import { parseSynchronizationHeader } from '../../../server/federation/delivery/synchronization-header.ts';
import { signRequest } from '../../../server/federation/signatures/sign-request.ts';
import { Network } from '../../network.ts';
import type { TestServer } from '../../server.ts';
import { Peer, type PeerActor } from '../peer.ts';
import { followPeer } from '../peer-scene.ts';
import { resolveAccountOn, followAcross, postStatus, getRelationship, twoServers } from '../two-servers.ts';

const activityJson = 'application/activity+json';

const synchronizationField = (actor: PeerActor, uris: string[], changes: Record<string, string> = {}) => {
  const parts = {
    collectionId: `${actor.uri}/followers`,
    url: `${actor.uri}/followers_synchronization`,
    digest: followersDigest(uris),
    ...changes,
  };
  return Object.entries(parts)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ');
};

async function addFollower(server: TestServer, peer: Peer, actor: PeerActor, username: string) {
  const user = await server.user(username);
  const id = await followPeer(server, user, peer, actor);
  return { user, id, uri: `https://a.test/users/${username}` };
}

test('FED-02: the followers digest does not depend on their order, and is zero without followers', () => {
  const [a, b] = ['https://a.test/users/a', 'https://a.test/users/b'];
  expect(followersDigest([a, b])).toBe(followersDigest([b, a]));
  expect(followersDigest([a, b, a, b])).toBe(emptyDigest);
  // An example from FEP-8fcf.
  expect(followersDigest(['https://testing.example.org/users/1', 'https://testing.example.org/users/2'])).toBe(
    'c33f48cd341ef046a206b8a72ec97af65079f9a3a9b90eef79c5920dce45c61f',
  );
  expect(parseSynchronizationHeader('collectionId="x", url="https://b.test/u", digest="zz"')).toBeUndefined();
  expect(parseSynchronizationHeader('nothing')).toBeUndefined();
});

test('FED-02: posts for followers carry a signed digest of the followers on that server, in both dialects', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'far.test');
  const alice = await server.user('alice');
  const followers = [peer.actor('fay'), peer.actor('gus')];
  for (const follower of followers)
    await follower.send(server, follower.activity('Follow', 'https://a.test/users/alice'));
  await server.drain();
  peer.received.length = 0;
  await postStatus(alice, { status: 'open' });
  await server.drain();
  expect(peer.received.at(-1)?.headers).not.toHaveProperty('collection-synchronization');
  await postStatus(alice, { status: 'closed', visibility: 'private' });
  await server.drain();
  const expected =
    'collectionId="https://a.test/users/alice/followers", url="https://a.test/users/alice/followers_synchronization", ' +
    `digest="${followersDigest(followers.map(({ uri }) => uri))}"`;
  const headers = peer.received.at(-1)?.headers ?? {};
  expect(headers['collection-synchronization']).toBe(expected);
  expect(headers['signature']).toMatch(/headers="[^"]* collection-synchronization"/);
  const gus = followers[1];
  await gus?.send(server, gus.activity('Undo', gus.activity('Follow', 'https://a.test/users/alice')));
  await server.drain();
  peer.respond = () => ({ status: peer.received.at(-1)?.headers['signature-input'] === undefined ? 401 : 202 });
  await postStatus(alice, { status: 'closed too', visibility: 'private' });
  await server.drain();
  const last = peer.received.at(-1)?.headers ?? {};
  expect(last['collection-synchronization']).toContain(followersDigest(followers.slice(0, 1).map(({ uri }) => uri)));
  expect(last['signature-input']).toContain('"collection-synchronization"');
  await server.db
    .updateTable('account_stats')
    .set({ followers_count: 25_000 })
    .where('account_id', '=', alice.id)
    .execute();
  clearCaches(server.app);
  await postStatus(alice, { status: 'too many', visibility: 'private' });
  await server.drain();
  expect(peer.received.at(-1)?.headers).not.toHaveProperty('collection-synchronization');
});

test('FED-02: only a server itself can fetch its own followers', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'far.test');
  await server.user('alice');
  const [fay, otto] = [peer.actor('fay'), new Peer(network, 'other.test').actor('otto')];
  for (const follower of [fay, otto])
    await follower.send(server, follower.activity('Follow', 'https://a.test/users/alice'));
  await server.drain();
  const path = '/users/alice/followers_synchronization';
  const getFollowers = async (actor?: PeerActor) => {
    const url = `https://a.test${path}`;
    const signed =
      actor === undefined ? {} : signRequest('cavage', { method: 'GET', url, now: network.clock.now() }, actor);
    const headers = { accept: activityJson, host: 'a.test', ...signed };
    return server.http.inject({ method: 'GET', url: path, headers });
  };
  expect((await getFollowers()).statusCode).toBe(401);
  const response = await getFollowers(fay);
  expect(response.headers['cache-control']).toBe('private, no-store');
  expect(response.json()).toMatchObject({ type: 'OrderedCollection', orderedItems: [fay.uri] });
  expect((await getFollowers(otto)).json()).toMatchObject({ orderedItems: [otto.uri] });
});

test('FED-02: two servers that disagree about followers agree again after the next followers-only post', async () => {
  await using servers = await twoServers();
  const { a, b, alice, bob, network } = servers;
  const bobOnA = await followAcross(servers, a, alice, 'bob@b.test');
  const ann = await a.user('ann');
  await followAcross(servers, a, ann, 'bob@b.test');
  // Each side loses one follow.
  const deleteFollows = async (server: TestServer, acct: string) => {
    const { id } = (await server.anonymous.get(`/api/v1/accounts/lookup?acct=${acct}`)).json as { id: string };
    await server.db
      .deleteFrom('follows')
      .where('account_id', '=', id as never)
      .execute();
    clearCaches(server.app);
    return id;
  };
  await deleteFollows(b, 'alice@a.test');
  const annOnB = (await b.anonymous.get('/api/v1/accounts/lookup?acct=ann@a.test')).json.id as string;
  await deleteFollows(a, 'ann');
  await postStatus(bob, { status: 'for you', visibility: 'private' });
  await network.drain();
  expect(await getRelationship(alice, bobOnA)).toMatchObject({ following: false });
  expect(await getRelationship(bob, annOnB)).toMatchObject({ followed_by: false });
});

test('FED-02: a lost Accept is repaired', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'far.test');
  const fay = peer.actor('fay');
  const alice = await server.user('alice');
  const id = await resolveAccountOn(server, 'fay@far.test');
  await alice.post(`/api/v1/accounts/${id}/follow`);
  await server.drain();
  const uri = 'https://a.test/users/alice';
  peer.serve({ id: `${fay.uri}/followers_synchronization`, type: 'OrderedCollection', orderedItems: [uri] });
  await fay.send(server, fay.create(fay.note(1)), {
    headers: { 'collection-synchronization': synchronizationField(fay, [uri]) },
  });
  await server.drain();
  expect(await getRelationship(alice, id)).toMatchObject({ following: true, requested: false });
});

test('FED-03: followers are removed only by the complete list of the account itself, served on its own host', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'far.test');
  const elsewhere = new Peer(network, 'elsewhere.test');
  const [fay, mallory] = [peer.actor('fay'), peer.actor('mallory')];
  const { user, id, uri } = await addFollower(server, peer, fay, 'alice');
  let number = 0;
  const announce = async (actor: PeerActor, value: string) => {
    number += 1;
    await actor.send(server, actor.create(actor.note(number)), { headers: { 'collection-synchronization': value } });
    await server.drain();
    network.clock.advance(601);
    return (await getRelationship(user, id))['following'];
  };
  const requestCount = () => peer.requestedPaths.filter((path) => path.endsWith('_synchronization')).length;
  const serve = (items: string[], members: object = {}) =>
    peer.serve({
      id: `${fay.uri}/followers_synchronization`,
      type: 'OrderedCollection',
      orderedItems: items,
      ...members,
    });
  serve([]);
  elsewhere.serve({ id: 'https://elsewhere.test/x', type: 'OrderedCollection', orderedItems: [] });
  // Both sides agree.
  expect(await announce(fay, synchronizationField(fay, [uri]))).toBe(true);
  // About another account, on another host, and malformed.
  expect(await announce(mallory, synchronizationField(fay, []))).toBe(true);
  expect(await announce(fay, synchronizationField(fay, [], { url: 'https://elsewhere.test/x' }))).toBe(true);
  expect(await announce(fay, synchronizationField(fay, [], { digest: 'x' }))).toBe(true);
  expect(requestCount()).toBe(0);
  expect(elsewhere.requestedPaths).toEqual([]);
  // The list does not match the digest, or is incomplete.
  expect(await announce(fay, synchronizationField(fay, ['https://a.test/users/carol']))).toBe(true);
  serve([], { first: `${fay.uri}/gone` });
  expect(await announce(fay, synchronizationField(fay, []))).toBe(true);
  expect(requestCount()).toBe(2);
  serve([]);
  expect(await announce(fay, synchronizationField(fay, []))).toBe(false);
  expect(peer.received.at(-1)?.activity).toMatchObject({ type: 'Undo', object: { type: 'Follow', actor: uri } });
});

test('FED-02: a difference is checked at most every ten minutes, and a failed check is repeated', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'far.test');
  const fay = peer.actor('fay');
  const { user, id, uri } = await addFollower(server, peer, fay, 'alice');
  const other = 'https://a.test/users/other';
  peer.serve({ id: `${fay.uri}/followers_synchronization`, type: 'OrderedCollection', orderedItems: [uri, other] });
  for (const number of [1, 2, 3]) {
    const headers = { 'collection-synchronization': synchronizationField(fay, [uri, other]) };
    await fay.send(server, fay.create(fay.note(number)), { headers });
    await server.drain();
  }
  expect(peer.requestedPaths.filter((path) => path.endsWith('_synchronization'))).toHaveLength(1);
  expect(await getRelationship(user, id)).toMatchObject({ following: true });
});
