import { expect, test } from 'vitest';
import { resolveAccount } from '../../../server/federation/index.ts';
import { Network } from '../../network.ts';
import { followingScene, isoTime, peerScene, type PeerScene } from '../peer-scene.ts';
import { resolveAccountOn, followAcross, getRelationship } from '../two-servers.ts';

const receivedFollows = ({ peer }: PeerScene) => peer.received.filter(({ activity }) => activity['type'] === 'Follow');
const likedUri = 'https://a.test/users/alice/statuses/1';

test('FED-03: local followers follow again when all keys of an account change without a signed Update', async () => {
  await using scene = await followingScene();
  const { a, alice, eve } = scene;
  const id = await resolveAccountOn(a, 'eve@peer.test');
  expect(receivedFollows(scene)).toHaveLength(1);
  eve.rotateKey();
  expect(await eve.send(a, eve.activity('Like', likedUri))).toBe(202);
  await a.drain();
  expect(receivedFollows(scene)).toHaveLength(2);
  expect(receivedFollows(scene)[1]?.activity).toMatchObject({ actor: 'https://a.test/users/alice', object: eve.uri });
  expect(await getRelationship(alice, id)).toMatchObject({ following: true });
  // The new server may reject them.
  await eve.send(a, eve.activity('Reject', receivedFollows(scene)[1]?.activity));
  await a.drain();
  expect(await getRelationship(alice, id)).toMatchObject({ following: false });
});

test('FED-03: nobody follows again if the account announces its new key itself, or keeps one of its keys', async () => {
  await using scene = await followingScene();
  const { a, eve } = scene;
  const old = { keyId: eve.keyId, privateKey: eve.privateKey };
  const oldPem = eve.publicKeyPem;
  eve.rotateKey();
  expect(await eve.send(a, eve.activity('Update', eve.json()), { as: old })).toBe(202);
  await a.drain();
  expect(await eve.send(a, eve.activity('Like', likedUri))).toBe(202);
  eve.documentOverrides = {
    publicKey: [
      { id: eve.keyId, owner: eve.uri, publicKeyPem: eve.publicKeyPem },
      { id: `${eve.uri}#old`, owner: eve.uri, publicKeyPem: oldPem },
    ],
  };
  await resolveAccount(a.app, eve.uri, { fresh: true });
  await a.drain();
  expect(receivedFollows(scene)).toHaveLength(1);
});

test('FED-03: a key may be named by the handle of its owner, as old software does', async () => {
  await using scene = await peerScene();
  const { a, eve } = scene;
  const mallory = scene.peer.actor('mallory');
  const as = { keyId: 'acct:eve@peer.test', privateKey: eve.privateKey };
  for (const _ of ['unknown', 'stored']) expect(await eve.send(a, eve.activity('Like', likedUri), { as })).toBe(202);
  const foreign = { keyId: as.keyId, privateKey: mallory.privateKey };
  expect(await eve.send(a, eve.activity('Like', likedUri), { as: foreign })).toBe(401);
});

test('FED-03: concurrent requests after a key change share one fetch', async () => {
  await using scene = await peerScene();
  const { a, eve, peer } = scene;
  await eve.send(a, eve.activity('Like', likedUri));
  eve.rotateKey();
  peer.requestedPaths = [];
  const statuses = await Promise.all([1, 2, 3].map(() => eve.send(a, eve.activity('Like', likedUri))));
  expect(statuses).toEqual([202, 202, 202]);
  expect(peer.requestedPaths.filter((path) => path === '/users/eve')).toHaveLength(1);
});

test('FED-03: a key that could not be refreshed is fetched again after a minute', async () => {
  await using scene = await peerScene();
  const { network, a, eve } = scene;
  await eve.send(a, eve.activity('Like', likedUri));
  eve.rotateKey();
  network.takeDown('peer.test');
  expect(await eve.send(a, eve.activity('Like', likedUri))).toBe(503);
  network.bringUp('peer.test');
  a.clock.advance(30);
  expect(await eve.send(a, eve.activity('Like', likedUri))).toBe(503);
  a.clock.advance(31);
  expect(await eve.send(a, eve.activity('Like', likedUri))).toBe(202);
});

test('FED-03: the key of an unknown account that could not be fetched is fetched again after 45 seconds', async () => {
  await using scene = await peerScene();
  const { network, a, eve } = scene;
  network.takeDown('peer.test');
  expect(await eve.send(a, eve.activity('Like', likedUri))).toBe(503);
  network.bringUp('peer.test');
  expect(await eve.send(a, eve.activity('Like', likedUri))).toBe(503);
  a.clock.advance(46);
  expect(await eve.send(a, eve.activity('Like', likedUri))).toBe(202);
});

test('FED-05: the instance actor has a handle and can sign on a server with a port in its address', async () => {
  await using network = new Network();
  const settings = (host: string) => ({ BASE_URL: `http://${host}`, ALLOW_PRIVATE_ADDRESSES: 'on', SECURE_MODE: 'on' });
  const [a, b] = [
    await network.start('localhost:3000', { settings: settings('localhost:3000') }),
    await network.start('localhost:4000', { settings: settings('localhost:4000') }),
  ];
  const [alice, bob] = [await a.user('alice'), await b.user('bob')];
  const actor = (await a.anonymous.get('/actor', { headers: { accept: 'application/activity+json' } })).json;
  expect(actor).toMatchObject({
    id: 'http://localhost:3000/actor',
    type: 'Application',
    preferredUsername: 'fieldfare.internal',
    webfinger: 'fieldfare.internal@localhost:3000',
    publicKey: { id: 'http://localhost:3000/actor#main-key', owner: 'http://localhost:3000/actor' },
  });
  const finger = (await a.anonymous.get('/.well-known/webfinger?resource=acct:fieldfare.internal@localhost:3000')).json;
  expect(finger).toMatchObject({
    subject: 'acct:fieldfare.internal@localhost:3000',
    links: expect.arrayContaining([expect.objectContaining({ rel: 'self', href: 'http://localhost:3000/actor' })]),
  });
  await followAcross(
    { network, a, b, alice, bob, [Symbol.asyncDispose]: async () => {} },
    a,
    alice,
    'bob@localhost:4000',
  );
  const id = await resolveAccountOn(a, 'bob@localhost:4000');
  expect(await getRelationship(alice, id)).toMatchObject({ following: true });
  const signer = await b.app.db
    .selectFrom('accounts')
    .select(['username', 'domain'])
    .where('uri', '=', 'http://localhost:3000/actor')
    .executeTakeFirst();
  expect(signer).toEqual({ username: 'fieldfare.internal', domain: 'localhost:3000' });
});

test('STA-17: featured posts of an account are fetched again after its Update', async () => {
  await using scene = await followingScene();
  const { a, alice, eve, peer } = scene;
  const id = await resolveAccountOn(a, 'eve@peer.test');
  const pins = async () =>
    ((await alice.get(`/api/v1/accounts/${id}/statuses?pinned=true`)).json as { uri: string }[]).map(({ uri }) => uri);
  const notes = [eve.note(1, { published: isoTime(a) }), eve.note(2, { published: isoTime(a) })];
  const feature = (items: unknown[]) =>
    peer.serve({ id: `${eve.uri}/featured`, type: 'OrderedCollection', orderedItems: items });
  eve.documentOverrides = { featured: `${eve.uri}/featured` };
  feature([notes[0]]);
  await eve.send(a, eve.activity('Update', eve.json()));
  await a.drain();
  expect(await pins()).toEqual([notes[0]?.['id']]);
  feature([notes[1]]);
  await eve.send(a, eve.activity('Update', eve.json()));
  await a.drain();
  expect(await pins()).toEqual([notes[1]?.['id']]);
  // An Update that only names the actor causes a fetch.
  feature([]);
  await eve.send(a, eve.activity('Update', eve.uri));
  await a.drain();
  expect(await pins()).toEqual([]);
});
