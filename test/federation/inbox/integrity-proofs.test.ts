import { expect, test } from 'vitest';
import {
  createIntegrityProof,
  isProvenBy,
  parseIntegrityProof,
} from '../../../server/federation/signatures/integrity-proof.ts';
import { loadSigningKeys } from '../../../server/accounts/keys/index.ts';
import { createPublicKey } from 'node:crypto';
import { Network } from '../../network.ts';
import { Peer, type PeerActor } from '../peer.ts';
import { followPeer, isoTime, type PeerScene } from '../peer-scene.ts';
import { homeTimeline, postStatus } from '../two-servers.ts';

type Json = Record<string, unknown>;

/** Alice follows eve, who has both keys. Mallory, on another server, forwards activities that eve signed with a proof. */
async function scene(): Promise<
  PeerScene & { readonly mallory: PeerActor; readonly forward: (activity: Json) => Promise<void> }
> {
  const network = new Network();
  const a = await network.start('a.test');
  const peer = new Peer(network, 'peer.test');
  const alice = await a.user('alice');
  const eve = peer.actor('eve');
  eve.documentOverrides = { assertionMethod: [eve.ed25519.multikey] };
  const mallory = new Peer(network, 'bad.test').actor('mallory');
  mallory.documentOverrides = { assertionMethod: [mallory.ed25519.multikey] };
  await followPeer(a, alice, peer, eve);
  peer.requestedPaths = [];
  const forward = async (activity: Json): Promise<void> => {
    expect(await mallory.send(a, activity)).toBe(202);
    await a.drain();
  };
  return {
    network,
    a,
    alice,
    peer,
    eve,
    mallory,
    forward,
    [Symbol.asyncDispose]: () => network[Symbol.asyncDispose](),
  };
}

const prove = ({ a, eve }: Pick<PeerScene, 'a' | 'eve'>, activity: Json, signer = eve.ed25519): Json => ({
  ...activity,
  proof: createIntegrityProof(activity, signer, a.clock.now()),
});

const contents = async ({ alice }: PeerScene) => (await homeTimeline(alice)).map(({ content }) => content);

test('FED-03: a forwarded post, edit and deletion with a proof of the author are accepted without a request to its server', async () => {
  await using s = await scene();
  const { a, eve, peer, forward } = s;
  const published = isoTime(a);
  const note = eve.note(1, { published });
  await forward(prove(s, eve.create(note)));
  expect(await contents(s)).toEqual(['<p>Note 1</p>']);
  a.clock.advance(60);
  const edited = { ...note, content: '<p>Edited</p>', updated: isoTime(a) };
  await forward(prove(s, eve.activity('Update', edited)));
  expect(await contents(s)).toEqual(['<p>Edited</p>']);
  await forward(prove(s, eve.activity('Delete', { id: note['id'], type: 'Tombstone' })));
  expect(await contents(s)).toEqual([]);
  expect(peer.requestedPaths.filter((path) => path.includes('/notes/'))).toEqual([]);
});

test('security 3: a proven post that was deleted does not come back while its proof holds', async () => {
  await using s = await scene();
  const { a, eve, peer, forward } = s;
  const note = eve.note(1);
  const create = prove(s, eve.create(note));
  await forward(create);
  peer.statuses.set(new URL(String(note['id'])).pathname, 410);
  await forward(eve.activity('Delete', { id: note['id'], type: 'Tombstone' }));
  expect(await contents(s)).toEqual([]);
  const other = new Peer(s.network, 'other.test').actor('trent');
  await other.send(a, create);
  await a.drain();
  expect(await contents(s)).toEqual([]);
});

test('security 3: without a valid proof of the author, a post is fetched from its server', async () => {
  await using s = await scene();
  const { a, eve, mallory, peer, forward } = s;
  const create = (id: number, members: Json = {}): Json => eve.create(eve.note(id, members));
  const old = prove(s, create(1));
  const proven = prove(s, create(2));
  const proof = proven['proof'] as Json;
  const forged: Json[] = [
    { ...proven, object: eve.note(2, { content: 'altered' }) },
    { ...proven, proof: [proof, proof] },
    { ...proven, proof: { ...proof, verificationMethod: eve.keyId } },
    prove(s, create(3), mallory.ed25519),
    prove(s, create(4), { ...mallory.ed25519, keyId: eve.ed25519.keyId }),
    prove(s, create(5, { attributedTo: mallory.uri })),
    prove(s, create(6, { to: [`${eve.uri}/followers`], cc: [] })),
  ];
  for (const activity of forged) await forward({ ...activity, id: `${eve.uri}#create/${crypto.randomUUID()}` });
  for (const activity of forged) await forward({ ...activity });
  a.clock.advance(2 * 3600);
  await forward(old);
  expect(await contents(s)).toEqual([]);
  expect(new Set(peer.requestedPaths.filter((path) => path.includes('/notes/')))).toEqual(
    new Set([1, 2, 3, 4, 5, 6].map((id) => `/users/eve/notes/${id}`)),
  );
});

test('security 3: a proof of another account does not edit or delete a post', async () => {
  await using s = await scene();
  const { a, eve, peer, mallory } = s;
  const neighbour = peer.actor('neighbour');
  neighbour.documentOverrides = { assertionMethod: [neighbour.ed25519.multikey] };
  const note = eve.note(1);
  peer.serve(note);
  await eve.send(a, eve.create(note));
  await a.drain();
  const attack = { a, eve: neighbour };
  const claimed = { ...note, attributedTo: neighbour.uri, content: '<p>Mine</p>', updated: isoTime(a, 60) };
  for (const activity of [
    neighbour.activity('Update', claimed),
    neighbour.activity('Delete', { id: note['id'], type: 'Tombstone' }),
  ]) {
    await mallory.send(a, prove(attack, activity));
    await a.drain();
  }
  expect(await contents(s)).toEqual(['<p>Note 1</p>']);
});

test('FED-02: public posts, edits and deletions carry a proof by the key of the author; others do not', async () => {
  await using s = await scene();
  const { a, alice, eve, peer } = s;
  await eve.send(a, eve.activity('Follow', 'https://a.test/users/alice'));
  await a.drain();
  peer.received.length = 0;
  const status = await postStatus(alice, { status: 'Public' });
  await a.drain();
  await alice.put(`/api/v1/statuses/${status.id}`, { status: 'Edited' });
  await a.drain();
  await alice.delete(`/api/v1/statuses/${status.id}`);
  await a.drain();
  await postStatus(alice, { status: 'For followers', visibility: 'private' });
  await a.drain();
  const { ed25519 } = await loadSigningKeys(a.app, alice.id);
  const key = createPublicKey(ed25519?.publicKeyPem ?? '');
  const sent = peer.received.map(({ activity }) => {
    const proof = parseIntegrityProof(activity, a.clock.now());
    return [activity['type'], proof !== undefined && isProvenBy(proof, key) && proof.keyId];
  });
  const keyId = 'https://a.test/users/alice#ed25519-key';
  expect(sent).toEqual([...['Create', 'Update', 'Delete'].map((type) => [type, keyId]), ['Create', false]]);
});
