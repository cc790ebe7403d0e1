import { expect, test } from 'vitest';
import { encodeMultibase } from '../../../server/federation/documents/base58.ts';
import { resolveAccount } from '../../../server/federation/index.ts';
import type { PeerActor } from '../peer.ts';
import { followPeer, peerScene, type PeerScene } from '../peer-scene.ts';
import { getRelationship, homeTimeline, postStatus } from '../two-servers.ts';

const aliceUri = 'https://a.test/users/alice';

/** Sends a Like that is signed with the Ed25519 key of eve. */
const sendLike = ({ a, eve }: PeerScene, signer: Pick<PeerActor, 'keyId' | 'privateKey'> = eve.ed25519) =>
  eve.send(a, eve.activity('Like', `${aliceUri}/statuses/1`), { dialect: 'rfc9421', as: signer });

const storedKeyIds = async ({ a, eve }: PeerScene) => {
  const rows = await a.db.selectFrom('account_keys').select('key_id').orderBy('key_id').execute();
  return rows.map(({ key_id: id }) => id).filter((id) => id.startsWith(eve.uri));
};

test('FED-03: an actor that has only an Ed25519 key follows, is followed, posts, and gets replies', async () => {
  await using scene = await peerScene();
  const { network, a, alice, peer, eve } = scene;
  eve.documentOverrides = { publicKey: undefined, assertionMethod: [eve.ed25519.multikey] };
  const send = (activity: unknown) => eve.send(a, activity, { dialect: 'rfc9421', as: eve.ed25519 });
  expect(await send(eve.activity('Follow', aliceUri))).toBe(202);
  await network.drain();
  expect(peer.received.map(({ activity }) => activity['type'])).toEqual(['Accept']);
  const id = (await resolveAccount(a.app, eve.uri)) ?? '';
  await alice.post(`/api/v1/accounts/${id}/follow`);
  await network.drain();
  await send(eve.activity('Accept', peer.received.at(-1)?.activity));
  await network.drain();
  expect(await getRelationship(alice, id)).toMatchObject({ following: true, followed_by: true });
  await send(eve.create(eve.note(1)));
  await network.drain();
  const [post] = await homeTimeline(alice);
  expect(post).toMatchObject({ uri: `${eve.uri}/notes/1`, account: { acct: 'eve@peer.test' } });
  await postStatus(alice, { status: '@eve@peer.test Hello', in_reply_to_id: post?.id });
  await network.drain();
  expect(peer.received.at(-1)?.activity).toMatchObject({ type: 'Create', object: { inReplyTo: `${eve.uri}/notes/1` } });
  expect(await storedKeyIds(scene)).toEqual([eve.ed25519.keyId]);
});

test('FED-03: a key at an address of its own names its owner as controller', async () => {
  await using scene = await peerScene();
  const { peer, eve } = scene;
  const key = { ...eve.ed25519.multikey, id: `${eve.uri}/keys/1` };
  eve.documentOverrides = { assertionMethod: [key] };
  peer.serve(key);
  expect(await sendLike(scene, { keyId: key.id, privateKey: eve.ed25519.privateKey })).toBe(202);
  const other = { ...eve.ed25519.multikey, id: `${eve.uri}/keys/2` };
  peer.serve(other);
  expect(await sendLike(scene, { keyId: other.id, privateKey: eve.ed25519.privateKey })).toBe(401);
});

test('security 3: multikeys that are not those of the actor, or no Ed25519 keys, verify nothing', async () => {
  const bytes = Buffer.alloc(32, 7);
  const multibase = (...parts: Buffer[]) => encodeMultibase(Buffer.concat(parts));
  const prefix = Buffer.from([0xed, 0x01]);
  const changes: Record<string, Record<string, unknown>> = {
    'of another controller': { controller: 'https://peer.test/users/mallory' },
    'without a controller': { controller: undefined },
    'with several controllers': { controller: ['https://peer.test/users/mallory', 'https://peer.test/users/eve'] },
    'on another host': { id: 'https://other.test/users/eve#ed25519-key' },
    'of another type': { type: 'Key' },
    'too short': { publicKeyMultibase: multibase(prefix, bytes.subarray(1)) },
    'too long': { publicKeyMultibase: multibase(prefix, bytes, bytes) },
    'with another prefix': { publicKeyMultibase: multibase(Buffer.from([0xec, 0x01]), bytes) },
    'in another encoding': { publicKeyMultibase: `u${Buffer.concat([prefix, bytes]).toString('base64url')}` },
    'very long': { publicKeyMultibase: `z${'2'.repeat(500_000)}` },
    'not a text': { publicKeyMultibase: [{}] },
    expired: { expires: '2020-01-01T00:00:00Z' },
    revoked: { expires: '2999-01-01T00:00:00Z', revoked: '2020-01-01T00:00:00Z' },
  };
  await using scene = await peerScene();
  const { a, eve } = scene;
  for (const [name, change] of Object.entries(changes)) {
    eve.documentOverrides = { assertionMethod: [{ ...eve.ed25519.multikey, ...change }] };
    await resolveAccount(a.app, eve.uri, { fresh: true });
    expect(await sendLike(scene), name).toBe(401);
    a.clock.advance(600);
  }
  eve.documentOverrides = { assertionMethod: [{ ...eve.ed25519.multikey, expires: '2999-01-01T00:00:00Z' }] };
  expect(await sendLike(scene)).toBe(202);
});

test('FED-03: a key counts until it expires', async () => {
  await using scene = await peerScene();
  const { a, eve } = scene;
  const expires = new Date(a.clock.now().getTime() + 3600_000).toISOString();
  eve.documentOverrides = { assertionMethod: [{ ...eve.ed25519.multikey, expires }] };
  expect(await sendLike(scene)).toBe(202);
  a.clock.advance(7200);
  expect(await sendLike(scene)).toBe(401);
});

test('security 3: an RSA key and an Ed25519 key are never taken for each other', async () => {
  await using scene = await peerScene();
  const { a, eve } = scene;
  eve.documentOverrides = { assertionMethod: [eve.ed25519.multikey] };
  const send = (keyId: string, privateKey: PeerActor['privateKey'], dialect: 'cavage' | 'rfc9421') =>
    eve.send(a, eve.activity('Like', `${aliceUri}/statuses/1`), { dialect, as: { keyId, privateKey } });
  expect(await send(eve.ed25519.keyId, eve.privateKey, 'rfc9421')).toBe(401);
  expect(await send(eve.ed25519.keyId, eve.privateKey, 'cavage')).toBe(401);
  expect(await send(eve.keyId, eve.ed25519.privateKey, 'rfc9421')).toBe(401);
  expect(await send(eve.ed25519.keyId, eve.ed25519.privateKey, 'rfc9421')).toBe(202);
  expect(await send(eve.keyId, eve.privateKey, 'rfc9421')).toBe(202);
});

test('security 3: of several keys with one id the first counts, and an actor has at most ten', async () => {
  await using scene = await peerScene();
  const { a, eve } = scene;
  const mallory = { ...eve.ed25519.multikey, id: eve.keyId };
  const many = Array.from({ length: 30 }, (_, index) => ({ ...eve.ed25519.multikey, id: `${eve.uri}#key-${index}` }));
  eve.documentOverrides = { assertionMethod: [mallory, mallory, ...many] };
  expect(await eve.send(a, eve.activity('Like', `${aliceUri}/statuses/1`))).toBe(202);
  expect(await sendLike(scene, { keyId: eve.keyId, privateKey: eve.ed25519.privateKey })).toBe(401);
  expect(await storedKeyIds(scene)).toHaveLength(9);
});

test('security 3: the RSA key of an actor may not be named twice with different owners', async () => {
  await using scene = await peerScene();
  const { a, alice, peer, eve } = scene;
  const publicKey = { id: eve.keyId, owner: eve.uri, publicKeyPem: eve.publicKeyPem };
  eve.documentOverrides = { publicKey: [publicKey, publicKey] };
  const id = await followPeer(a, alice, peer, eve);
  expect(await getRelationship(alice, id)).toMatchObject({ following: true });
});
