import { createPublicKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { replaceKeys } from '../../../server/accounts/keys/index.ts';
import { parseMultikey } from '../../../server/federation/documents/multikey.ts';
import { isSignedBy, parseSignature } from '../../../server/federation/signatures/parse-signature.ts';
import type { TestServer } from '../../server.ts';
import type { Peer } from '../peer.ts';
import { peerScene, type PeerScene } from '../peer-scene.ts';
import { followAcross, getRelationship, homeTimeline, postStatus, twoServers } from '../two-servers.ts';

const aliceUri = 'https://a.test/users/alice';
const daySeconds = 86_400;

/** Eve has both kinds of keys, follows alice with RSA, and sends a Like that is signed with Ed25519. */
async function provenScene(): Promise<PeerScene> {
  const scene = await peerScene();
  const { a, eve, peer } = scene;
  eve.documentOverrides = { assertionMethod: [eve.ed25519.multikey] };
  await eve.send(a, eve.activity('Follow', aliceUri));
  await a.drain();
  expect(algorithms(peer)).toEqual(['rsa-sha256']);
  await sendWithEd25519(scene);
  peer.received.length = 0;
  return scene;
}

async function sendWithEd25519({ a, eve }: PeerScene): Promise<void> {
  const like = eve.activity('Like', `${aliceUri}/statuses/1`);
  expect(await eve.send(a, like, { dialect: 'rfc9421', as: eve.ed25519 })).toBe(202);
}

const algorithmOf = (headers: Record<string, string>): string | undefined =>
  /alg(?:orithm)?="([^"]*)"/.exec(headers['signature-input'] ?? headers['signature'] ?? '')?.[1];

/** The algorithms of the signatures that a peer received. */
const algorithms = ({ received }: Peer) => received.map(({ headers }) => algorithmOf(headers));

async function postAndDeliver({ a, alice }: Pick<PeerScene, 'a' | 'alice'>): Promise<void> {
  await postStatus(alice, { status: 'Hello' });
  await a.drain();
}

/** Lets the inboxes of a peer answer Ed25519 signatures with a status. */
function refuseEd25519(peer: Peer, status: number): void {
  peer.respond = () => ({ status: algorithmOf(peer.received.at(-1)?.headers ?? {}) === 'ed25519' ? status : 202 });
}

async function aliceMultikey(a: TestServer): Promise<Record<string, string>> {
  const response = await a.http.inject({ url: '/users/alice', headers: { accept: 'application/activity+json' } });
  return response.json<{ assertionMethod: [Record<string, string>] }>().assertionMethod[0];
}

test('FED-02: a host that signs with Ed25519 gets Ed25519 signatures, which the key of the actor verifies', async () => {
  await using scene = await provenScene();
  await postAndDeliver(scene);
  const [received] = scene.peer.received;
  if (received === undefined) throw new Error('nothing was delivered');
  const { headers, activity } = received;
  expect(algorithms(scene.peer)).toEqual(['ed25519']);
  const multikey = await aliceMultikey(scene.a);
  expect(multikey).toMatchObject({ id: `${aliceUri}#ed25519-key`, type: 'Multikey', controller: aliceUri });
  const claim = parseSignature({
    method: 'POST',
    url: '/users/eve/inbox',
    headers,
    body: Buffer.from(JSON.stringify(activity)),
    baseUrl: 'https://peer.test',
    now: scene.a.clock.now(),
  });
  expect(claim.keyId).toBe(multikey['id']);
  expect(isSignedBy(claim, createPublicKey(parseMultikey(multikey['publicKeyMultibase']) ?? ''))).toBe(true);
});

test('FED-02: a host that has Ed25519 keys but does not sign with them gets RSA signatures', async () => {
  await using scene = await peerScene();
  const { a, eve, peer } = scene;
  eve.documentOverrides = { assertionMethod: [eve.ed25519.multikey] };
  await eve.send(a, eve.activity('Follow', aliceUri));
  await a.drain();
  await postAndDeliver(scene);
  expect(algorithms(peer)).toEqual(['rsa-sha256', 'rsa-sha256']);
});

test('FED-02: the proof of a host ends after 30 days without another one', async () => {
  await using scene = await provenScene();
  const { a, peer } = scene;
  a.clock.advance(29 * daySeconds);
  await sendWithEd25519(scene);
  a.clock.advance(29 * daySeconds);
  await postAndDeliver(scene);
  a.clock.advance(2 * daySeconds);
  await postAndDeliver(scene);
  expect(algorithms(peer)).toEqual(['ed25519', 'rsa-sha256']);
});

test.each([400, 401, 403, 500])(
  'FED-06: an activity that a host refuses with %i because of Ed25519 arrives at once with RSA, as all later ones',
  async (status) => {
    await using scene = await provenScene();
    const { a, peer } = scene;
    refuseEd25519(peer, status);
    await postAndDeliver(scene);
    expect(algorithms(peer)).toEqual(['ed25519', 'rsa-sha256']);
    expect(await a.app.db.selectFrom('deliveries').select('id').execute()).toEqual([]);
    peer.received.length = 0;
    // The host proves it again, which counts only after a week.
    a.clock.advance(2 * daySeconds);
    await sendWithEd25519(scene);
    await postAndDeliver(scene);
    expect(algorithms(peer)).toEqual(['rsa-sha256']);
    a.clock.advance(6 * daySeconds);
    await sendWithEd25519(scene);
    await postAndDeliver(scene);
    expect(algorithms(peer)).toEqual(['rsa-sha256', 'ed25519', 'rsa-sha256']);
  },
);

test('FED-06: a missing inbox or a busy host says nothing about Ed25519', async () => {
  await using scene = await provenScene();
  const { a, peer } = scene;
  for (const status of [404, 429, 503]) {
    peer.respond = () => ({ status, headers: { 'retry-after': '60' } });
    peer.received.length = 0;
    await postAndDeliver(scene);
    expect(algorithms(peer)).toEqual(['ed25519']);
    peer.respond = () => ({ status: 202 });
    a.clock.advance(3600);
    await a.drain();
    expect(algorithms(peer)).toEqual(['ed25519', 'ed25519']);
  }
});

test('FED-02: two of our servers change to Ed25519 only after a proof, and still understand each other', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  await followAcross(servers, b, bob, 'alice@a.test');
  await followAcross(servers, a, alice, 'bob@b.test');
  await a.db
    .updateTable('hosts')
    .set({ ed25519_until: new Date('2100-01-01') })
    .execute();
  const { uri } = await postStatus(alice, { status: 'With Ed25519' });
  await network.drain();
  expect(await homeTimeline(bob)).toMatchObject([{ uri }]);
  const proofs = await b.db.selectFrom('hosts').select(['domain', 'ed25519_until']).execute();
  expect(proofs).toEqual([{ domain: 'a.test', ed25519_until: expect.any(Date) }]);
  const answer = await postStatus(bob, { status: 'With Ed25519, too' });
  await network.drain();
  expect((await homeTimeline(alice)).map((status) => status.uri)).toContain(answer.uri);
});

test('FED-02: after a change of the keys of an account, other servers know its new ones and keep its follows', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  const id = await followAcross(servers, b, bob, 'alice@a.test');
  const keysOnB = () =>
    b.db
      .selectFrom('account_keys')
      .select(['key_id', 'public_key_pem'])
      .where('account_id', '=', id)
      .orderBy('key_id')
      .execute();
  const before = await keysOnB();
  expect(before.map(({ key_id }) => key_id)).toEqual([`${aliceUri}#ed25519-key`, `${aliceUri}#main-key`]);
  await replaceKeys(a.app, alice.id);
  await network.drain();
  const after = await keysOnB();
  expect(after.map(({ key_id }) => key_id)).toEqual(before.map(({ key_id }) => key_id));
  for (const [index, { public_key_pem: pem }] of after.entries()) expect(pem).not.toBe(before[index]?.public_key_pem);
  const { uri } = await postStatus(alice, { status: 'With new keys' });
  await network.drain();
  expect(await homeTimeline(bob)).toMatchObject([{ uri }]);
  expect(await getRelationship(bob, id)).toMatchObject({ following: true });
});
