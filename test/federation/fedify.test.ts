import { createPublicKey, webcrypto } from 'node:crypto';
import { preloadedContexts } from '@fedify/fedify/runtime';
import { signObject, signRequest as fedifySign, verifyObject, verifyRequest } from '@fedify/fedify/sig';
import {
  Activity,
  Announce,
  Collection,
  Create,
  Delete,
  Emoji,
  Follow,
  isActor,
  Like,
  Note,
  Object as Thing,
  Person,
  Tombstone,
  Undo,
} from '@fedify/fedify/vocab';
import { expect, test } from 'vitest';
import { loadSigningKeys, type SigningKey } from '../../server/accounts/keys/index.ts';
import { sha256 } from '../../server/federation/signatures/digests.ts';
import { isProvenBy, parseIntegrityProof } from '../../server/federation/signatures/integrity-proof.ts';
import { isSignedBy, parseSignature } from '../../server/federation/signatures/parse-signature.ts';
import { signRequest } from '../../server/federation/signatures/sign-request.ts';
import { joinHeaders, type Dialect } from '../../server/federation/signatures/signed-request.ts';
import { addTestEmoji } from '../emoji-files.ts';
import { Network } from '../network.ts';
import type { TestServer } from '../server.ts';
import { Peer } from './peer.ts';
import { postStatus } from './two-servers.ts';

const specs = { cavage: 'draft-cavage-http-signatures-12', rfc9421: 'rfc9421' } as const;
const dialects: Dialect[] = ['cavage', 'rfc9421'];
const contexts = preloadedContexts as Readonly<Record<string, unknown>>;

/** A document loader for the contexts of the library and the documents of one server; it never uses the network. */
function documentLoader(server: TestServer) {
  return async (url: string) => {
    const context = contexts[url];
    if (context !== undefined) return { contextUrl: null, document: context, documentUrl: url };
    const { host, pathname, search } = new URL(url);
    if (host !== server.app.config.webDomain) throw new Error(`nothing is fetched from ${url}`);
    const response = await server.http.inject({
      url: pathname + search,
      headers: { accept: 'application/activity+json' },
    });
    return { contextUrl: null, document: response.json<unknown>(), documentUrl: url };
  };
}

const documentLoaders = (server: TestServer) => ({
  documentLoader: documentLoader(server),
  contextLoader: documentLoader(server),
});

async function start() {
  const network = new Network();
  const a = await network.start('a.test');
  return { network, a, alice: await a.user('alice'), [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
}

function signedRequest(dialect: Dialect, key: SigningKey, now: Date, body?: string): Request {
  const url = 'https://b.test/inbox';
  const contentType = 'application/activity+json';
  if (body === undefined)
    return new Request(url, { headers: { host: 'b.test', ...signRequest(dialect, { method: 'GET', url, now }, key) } });
  const headers = signRequest(dialect, { method: 'POST', url, digest: sha256(body), contentType, now }, key);
  return new Request(url, {
    method: 'POST',
    body,
    headers: { host: 'b.test', 'content-type': contentType, ...headers },
  });
}

test.each(dialects)('FED-01: Fedify verifies our signatures (%s)', async (dialect) => {
  await using server = await start();
  const { a, alice } = server;
  const { rsa: key } = await loadSigningKeys(a.app, alice.id);
  for (const body of [undefined, '{"type":"Like"}']) {
    const found = await verifyRequest(signedRequest(dialect, key, a.clock.now(), body), {
      ...documentLoaders(a),
      spec: specs[dialect],
    });
    expect(found?.id?.href).toBe('https://a.test/users/alice#main-key');
  }
});

test('FED-01: Fedify verifies our Ed25519 signatures', async () => {
  await using server = await start();
  const { a, alice } = server;
  const { ed25519 } = await loadSigningKeys(a.app, alice.id);
  if (ed25519 === undefined) throw new Error('alice has no Ed25519 key');
  const { keyId: id, publicKeyPem } = ed25519;
  // For requests, the library reads keys of the older form only.
  const document = {
    '@context': 'https://w3id.org/security/v1',
    id,
    type: 'CryptographicKey',
    owner: 'https://a.test/users/alice',
    publicKeyPem,
  };
  const load = documentLoader(a);
  const loadKey = async (url: string) => (url === id ? { contextUrl: null, document, documentUrl: url } : load(url));
  for (const body of [undefined, '{"type":"Like"}']) {
    const request = signedRequest('rfc9421', ed25519, a.clock.now(), body);
    const loaders = { documentLoader: loadKey, contextLoader: load };
    expect((await verifyRequest(request, { ...loaders, spec: 'rfc9421' }))?.id?.href).toBe(id);
  }
});

test.each(dialects)("FED-01: we verify Fedify's signatures (%s)", async (dialect) => {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const pair = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const publicKey = createPublicKey({
    key: Buffer.from(await webcrypto.subtle.exportKey('spki', pair.publicKey)),
    type: 'spki',
    format: 'der',
  });
  const body = '{"type":"Like"}';
  const init = { method: 'POST', body, headers: { 'content-type': 'application/activity+json' } };
  for (const unsigned of [new Request('https://a.test/inbox', init), new Request('https://a.test/users/alice?x=1')]) {
    const signed = await fedifySign(unsigned, pair.privateKey, new URL('https://b.test/actor#main-key'), {
      spec: specs[dialect],
    });
    const { pathname, search } = new URL(signed.url);
    const claim = parseSignature({
      method: signed.method,
      url: pathname + search,
      headers: joinHeaders(Object.fromEntries(signed.headers)),
      body: signed.method === 'POST' ? Buffer.from(body) : undefined,
      baseUrl: 'https://a.test',
      now: new Date(),
    });
    expect([claim.keyId, isSignedBy(claim, publicKey)]).toEqual(['https://b.test/actor#main-key', true]);
  }
});

test('FED-01: Fedify parses every document that we serve', async () => {
  await using server = await start();
  const { a, alice } = server;
  await a.user('bert');
  await addTestEmoji(a, 'bird');
  await alice.patch('/api/v1/accounts/update_credentials', {
    display_name: 'Alice',
    note: 'Hi',
    fields_attributes: [{ name: 'x', value: 'y' }],
  });
  const status = await postStatus(alice, {
    status: '@bert *look* at #Birds :bird:',
    content_type: 'text/markdown',
    spoiler_text: 'cw',
    language: 'en',
  });
  await alice.post(`/api/v1/statuses/${status.id}/pin`);
  const read = async (url: string) => Thing.fromJsonLd((await documentLoader(a)(url)).document, documentLoaders(a));
  const actor = await read('https://a.test/users/alice');
  if (!(actor instanceof Person)) throw new Error('the actor is not a Person');
  expect([
    actor.preferredUsername,
    actor.name,
    actor.summary,
    actor.inboxId?.href,
    actor.endpoints?.sharedInbox?.href,
  ]).toEqual(['alice', 'Alice', '<p>Hi</p>', 'https://a.test/users/alice/inbox', 'https://a.test/inbox']);
  expect((await actor.getPublicKey(documentLoaders(a)))?.ownerId?.href).toBe('https://a.test/users/alice');
  const multikeys = await Array.fromAsync(actor.getAssertionMethods(documentLoaders(a)));
  expect(multikeys.map(({ id, controllerId }) => [id?.href, controllerId?.href])).toEqual([
    ['https://a.test/users/alice#ed25519-key', 'https://a.test/users/alice'],
  ]);
  const note = await read(status.uri);
  if (!(note instanceof Note)) throw new Error('the post is not a Note');
  expect([
    note.attributionId?.href,
    String(note.content),
    note.summary,
    note.sensitive,
    note.published?.epochMilliseconds,
  ]).toEqual(['https://a.test/users/alice', status.content, 'cw', true, a.clock.now().getTime()]);
  expect(note.toIds.map(String)).toEqual(['https://www.w3.org/ns/activitystreams#Public']);
  expect(note.ccIds.map(String)).toEqual(['https://a.test/users/alice/followers', 'https://a.test/users/bert']);
  const tags = await Array.fromAsync(note.getTags(documentLoaders(a)));
  expect(tags.map((tag) => [tag.constructor.name, tag.name])).toEqual([
    ['Mention', '@bert@a.test'],
    ['Hashtag', '#Birds'],
    ['Emoji', ':bird:'],
  ]);
  const [, , bird] = tags;
  if (!(bird instanceof Emoji)) throw new Error('the tag is not an Emoji');
  const served = await read(String(bird.id));
  expect([served?.constructor, served?.name, (await bird.getIcon(documentLoaders(a)))?.mediaType]).toEqual([
    Emoji,
    ':bird:',
    'image/png',
  ]);
  expect([note.source?.mediaType, String(note.source?.content)]).toEqual([
    'text/markdown',
    '@bert *look* at #Birds :bird:',
  ]);
  expect(await read(`${status.uri}/activity`)).toBeInstanceOf(Create);
  expect(isActor((await read('https://a.test/actor')) as Person)).toBe(true);
  for (const path of [
    'outbox',
    'outbox?page=true',
    'followers',
    'followers?page=1',
    'following',
    'collections/featured',
    'collections/tags',
  ]) {
    expect(await read(`https://a.test/users/alice/${path}`)).toBeInstanceOf(Collection);
  }
  for (const path of ['replies', 'likes', 'shares'])
    expect(await read(`${status.uri}/${path}`)).toBeInstanceOf(Collection);
});

test('FED-02: Fedify parses every activity that we send', async () => {
  await using server = await start();
  const { network, a, alice } = server;
  const peer = new Peer(network, 'peer.test');
  const eve = peer.actor('eve');
  await eve.send(a, eve.activity('Follow', 'https://a.test/users/alice'));
  await eve.send(
    a,
    eve.create(
      eve.note(1, {
        cc: ['https://a.test/users/alice'],
        tag: [{ type: 'Mention', href: 'https://a.test/users/alice', name: '@alice' }],
      }),
    ),
  );
  await network.drain();
  const [mention] = (await alice.get('/api/v1/notifications?types[]=mention')).json as {
    status: { id: string; account: { id: string } };
  }[];
  const statusId = mention?.status.id;
  const eveId = mention?.status.account.id;
  const own = await postStatus(alice, { status: 'Hello' });
  for (const path of [
    `/api/v1/accounts/${eveId}/follow`,
    `/api/v1/statuses/${statusId}/favourite`,
    `/api/v1/statuses/${statusId}/reblog`,
    `/api/v1/statuses/${statusId}/unfavourite`,
    `/api/v1/statuses/${statusId}/unreblog`,
    `/api/v1/accounts/${eveId}/unfollow`,
  ]) {
    expect((await alice.post(path)).status).toBe(200);
    await network.drain();
  }
  await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'New' });
  await network.drain();
  await alice.delete(`/api/v1/statuses/${own.id}`);
  await network.drain();
  await alice.post(`/api/v1/accounts/${eveId}/block`);
  await network.drain();
  const read = await Promise.all(
    peer.received.map(({ activity }) => Activity.fromJsonLd(activity, documentLoaders(a))),
  );
  const kinds = read.map((activity) => activity.constructor.name);
  expect(kinds.toSorted()).toEqual(
    'Accept Announce Block Create Delete Follow Like Reject Undo Undo Undo Update'.split(' '),
  );
  for (const activity of read) expect(activity.actorId?.href).toBe('https://a.test/users/alice');
  const inner = async (activity: Activity | undefined) =>
    activity?.getObject({ ...documentLoaders(a), crossOrigin: 'trust' });
  const undone = await Promise.all(read.filter((activity) => activity instanceof Undo).map(inner));
  expect(undone.map((object) => object?.constructor)).toEqual([Like, Announce, Follow]);
  expect(await inner(read.find((activity) => activity instanceof Delete))).toBeInstanceOf(Tombstone);
  expect(await inner(read.find((activity) => activity instanceof Create))).toMatchObject({ id: new URL(own.uri) });
});

test('FED-02: Fedify verifies our integrity proofs, and not those of altered posts', async () => {
  await using server = await start();
  const { network, a, alice } = server;
  const peer = new Peer(network, 'peer.test');
  const eve = peer.actor('eve');
  await eve.send(a, eve.activity('Follow', 'https://a.test/users/alice'));
  await network.drain();
  peer.received.length = 0;
  const first = await postStatus(alice, { status: 'Hello' });
  await network.drain();
  // A reply has a linked data signature as well.
  await postStatus(alice, { status: 'Hello again', in_reply_to_id: first.id });
  await network.drain();
  const creates = peer.received.map(({ activity }) => activity);
  expect(creates.map((activity) => 'signature' in activity)).toEqual([false, true]);
  for (const { signature: _, ...create } of creates) {
    expect(await verifyObject(Create, create, documentLoaders(a))).toBeInstanceOf(Create);
    expect(await verifyObject(Create, { ...create, published: '2020-01-01T00:00:00Z' }, documentLoaders(a))).toBeNull();
  }
});

test("FED-03: we verify Fedify's integrity proofs", async () => {
  await using server = await start();
  const { a } = server;
  const pair = (await webcrypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const key = createPublicKey({
    key: Buffer.from(await webcrypto.subtle.exportKey('spki', pair.publicKey)),
    type: 'spki',
    format: 'der',
  });
  const actor = new URL('https://b.test/users/bob');
  const note = new Note({ id: new URL('https://b.test/notes/1'), attribution: actor, content: 'Hello' });
  const create = new Create({ id: new URL('https://b.test/notes/1#create'), actor, object: note });
  const keyId = new URL('https://b.test/users/bob#ed25519-key');
  const signed = await signObject(create, pair.privateKey, keyId, documentLoaders(a));
  const document = (await signed.toJsonLd({ ...documentLoaders(a), format: 'compact' })) as Record<string, unknown>;
  const madeAt = new Date(String((document['proof'] as Record<string, unknown>)['created']));
  const proof = parseIntegrityProof(document, madeAt);
  expect(proof?.keyId).toBe(keyId.href);
  expect(proof !== undefined && isProvenBy(proof, key)).toBe(true);
  const altered = parseIntegrityProof({ ...document, published: '2020-01-01T00:00:00Z' }, madeAt);
  expect(altered !== undefined && isProvenBy(altered, key)).toBe(false);
});
