import { preloadedContexts } from '@fedify/fedify/runtime';
import { verifyJsonLd } from '@fedify/fedify/sig';
import { expect, test } from 'vitest';
import { Network } from '../network.ts';
import type { TestServer } from '../server.ts';
import { Peer } from './peer.ts';
import { resolveAccountOn, followAcross, postStatus, resolveStatusOn, twoServers } from './two-servers.ts';

const contexts = preloadedContexts as Readonly<Record<string, unknown>>;

/** Says whether another implementation believes the signature in a document; it may ask the server for keys only. */
async function verifiesWithFedify(server: TestServer, document: unknown): Promise<boolean> {
  const load = async (url: string) => {
    const context = contexts[url];
    if (context !== undefined) return { contextUrl: null, document: context, documentUrl: url };
    const { pathname } = new URL(url);
    const answer = await server.http.inject({ url: pathname, headers: { accept: 'application/activity+json' } });
    return { contextUrl: null, document: answer.json<unknown>(), documentUrl: url };
  };
  return verifyJsonLd(document, { documentLoader: load, contextLoader: load });
}

test('FED-02: answers that everybody may read are signed for others, and so is their end; nothing else is', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'far.test');
  const fay = peer.actor('fay');
  const alice = await server.user('alice');
  await fay.send(server, fay.activity('Follow', 'https://a.test/users/alice'));
  await server.drain();
  const sent = async (act: () => Promise<unknown>) => {
    peer.received.length = 0;
    await act();
    await server.drain();
    return peer.received.at(-1)?.activity ?? {};
  };
  await fay.send(server, fay.create(fay.note(1, { to: ['https://a.test/users/alice', 'as:Public'] })));
  await server.drain();
  const parent = await resolveStatusOn(server, `${fay.uri}/notes/1`);
  let id = '';
  const answer = (visibility: string) => async () => {
    const status = { status: '@fay@far.test yes, #really “so”', visibility, in_reply_to_id: parent, language: 'en' };
    ({ id } = await postStatus(alice, status));
  };
  const create = await sent(answer('public'));
  expect(create).toMatchObject({
    type: 'Create',
    signature: { type: 'RsaSignature2017', creator: 'https://a.test/users/alice#main-key' },
  });
  expect(await verifiesWithFedify(server, create)).toBe(true);
  expect(
    await verifiesWithFedify(server, { ...create, object: { ...(create['object'] as object), content: 'no' } }),
  ).toBe(false);
  const end = await sent(() => alice.delete(`/api/v1/statuses/${id}`));
  expect(end).toMatchObject({ type: 'Delete', signature: {} });
  expect(await verifiesWithFedify(server, end)).toBe(true);
  expect(await sent(answer('private'))).not.toHaveProperty('signature');
  expect(await sent(() => alice.delete(`/api/v1/statuses/${id}`))).not.toHaveProperty('signature');
  expect(await sent(() => postStatus(alice, { status: 'no answer' }))).not.toHaveProperty('signature');
});

test('FED-02: in secure mode nothing is signed that could be shown to anybody', async () => {
  await using servers = await twoServers({ b: { SECURE_MODE: 'true' } });
  const { a, b, alice, bob, network } = servers;
  await followAcross(servers, a, alice, 'bob@b.test');
  const post = await postStatus(alice, { status: '@bob@b.test hi' });
  await network.drain();
  const parent = await resolveStatusOn(b, post.uri);
  await postStatus(bob, { status: '@alice@a.test ho', in_reply_to_id: parent });
  const rows = await b.app.db.selectFrom('activities').select('body').execute();
  await b.drain();
  expect(rows.filter(({ body }) => body.includes('RsaSignature2017'))).toEqual([]);
});

test('FED-02: answers to posts of this server are passed on as they came to who follows the one who is answered', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const [near, third] = [new Peer(network, 'far.test'), new Peer(network, 'third.test')];
  const [fay, tess] = [near.actor('fay'), third.actor('tess')];
  const alice = await server.user('alice');
  for (const fan of [fay, tess]) await fan.send(server, fan.activity('Follow', 'https://a.test/users/alice'));
  const open = await postStatus(alice, { status: 'open' });
  const closed = await postStatus(alice, { status: 'closed', visibility: 'private' });
  await server.drain();
  const signature = {
    type: 'RsaSignature2017',
    creator: fay.keyId,
    created: '2026-01-01T00:00:00Z',
    signatureValue: 'x',
  };
  const passed = async (activity: Record<string, unknown>) => {
    third.received.length = 0;
    near.received.length = 0;
    await fay.send(server, activity);
    await server.drain();
    expect(near.received).toEqual([]);
    return third.received.map((item) => item.activity);
  };
  const note = (id: string, inReplyTo: string, members: object = {}) => fay.note(id, { inReplyTo, ...members });
  const create = { ...fay.create(note('1', open.uri)), signature };
  expect(await passed(create)).toEqual([create]);
  expect(await passed(create)).toEqual([]);
  const update = {
    ...fay.activity('Update', note('1', open.uri, { updated: '2030-01-01T00:00:00Z' })),
    signature,
    to: ['as:Public'],
  };
  expect(await passed(update)).toEqual([update]);
  const end = { ...fay.activity('Delete', `${fay.uri}/notes/1`), signature };
  expect(await passed(end)).toEqual([end]);
  // Not signed, not for everybody, no answer, to a post for few.
  expect(await passed(fay.create(note('2', open.uri)))).toEqual([]);
  const few = { to: ['https://a.test/users/alice'], cc: [] };
  expect(await passed({ ...fay.create(note('3', open.uri, few)), signature })).toEqual([]);
  expect(await passed({ ...fay.create(fay.note('4')), signature })).toEqual([]);
  expect(await passed({ ...fay.create(note('5', closed.uri)), signature })).toEqual([]);
  // Of whom the one who is answered blocks.
  await alice.post(`/api/v1/accounts/${await resolveAccountOn(server, 'fay@far.test')}/block`);
  await server.drain();
  expect(await passed({ ...fay.create(note('7', open.uri)), signature })).toEqual([]);
  // Of somebody else: it is not taken, so it is not passed on.
  const stolen = { ...tess.note('6', { inReplyTo: open.uri }), attributedTo: tess.uri };
  expect(await passed({ ...fay.activity('Create', stolen, { to: ['as:Public'] }), signature })).toEqual([]);
});

test('FED-02: the end of a post is passed on to who follows those who reblogged or quoted it here', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const [near, third, fourth] = [
    new Peer(network, 'far.test'),
    new Peer(network, 'third.test'),
    new Peer(network, 'fourth.test'),
  ];
  const fay = near.actor('fay');
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  for (const [fan, name] of [
    [third.actor('tess'), 'alice'],
    [fourth.actor('finn'), 'bob'],
  ] as const)
    await fan.send(server, fan.activity('Follow', `https://a.test/users/${name}`));
  const interactionPolicy = { canQuote: { automaticApproval: ['https://www.w3.org/ns/activitystreams#Public'] } };
  const [first, second, other] = [1, 2, 3].map((n) => fay.note(n, { interactionPolicy }));
  for (const document of [first, second, other]) near.serve(document ?? {});
  const ids = await Promise.all(
    [first, second, other].map((document) => resolveStatusOn(server, String(document?.['id']))),
  );
  await alice.post(`/api/v1/statuses/${ids[0]}/reblog`);
  const quoting = await postStatus(bob, { status: 'Look', quoted_status_id: ids[1] });
  await server.drain();
  const asked = near.received.find(({ activity }) => activity['type'] === 'QuoteRequest')?.activity;
  const stamp = {
    id: `${fay.uri}/stamps/1`,
    type: 'QuoteAuthorization',
    attributedTo: fay.uri,
    interactingObject: quoting.uri,
    interactionTarget: second?.['id'],
  };
  near.serve(stamp);
  await fay.send(server, { ...fay.activity('Accept', asked), result: stamp.id });
  await server.drain();
  const signature = {
    type: 'RsaSignature2017',
    creator: fay.keyId,
    created: '2026-01-01T00:00:00Z',
    signatureValue: 'x',
  };
  const ended = async (document: Record<string, unknown> | undefined, members: object = { signature }) => {
    for (const peer of [near, third, fourth]) peer.received.length = 0;
    await fay.send(server, { ...fay.activity('Delete', document?.['id']), ...members });
    await server.drain();
    const passed = (peer: Peer) => peer.received.filter(({ activity }) => activity['actor'] === fay.uri).length;
    return [near, third, fourth].map(passed);
  };
  expect(await ended(first)).toEqual([0, 1, 0]);
  expect(await ended(second)).toEqual([0, 0, 1]);
  expect(await ended(other)).toEqual([0, 0, 0]);
});
