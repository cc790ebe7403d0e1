import { preloadedContexts } from '@fedify/fedify/runtime';
import { verifyJsonLd } from '@fedify/fedify/sig';
import { expect, test } from 'vitest';
import { Network } from '../../network.ts';
import type { TestServer } from '../../server.ts';
import { Peer } from '../peer.ts';
import { resolveAccountOn, followAcross, postStatus, resolveStatusOn, twoServers } from '../two-servers.ts';

const contexts = preloadedContexts as Readonly<Record<string, unknown>>;

/** Verifies the signature in a document with Fedify, which may fetch keys only from that server. */
async function verifiesWithFedify(server: TestServer, document: unknown): Promise<boolean> {
  const load = async (url: string) => {
    const context = contexts[url];
    if (context !== undefined) return { contextUrl: null, document: context, documentUrl: url };
    const { pathname } = new URL(url);
    const response = await server.http.inject({ url: pathname, headers: { accept: 'application/activity+json' } });
    return { contextUrl: null, document: response.json<unknown>(), documentUrl: url };
  };
  return verifyJsonLd(document, { documentLoader: load, contextLoader: load });
}

test('FED-02: public replies and their deletion are signed for forwarding, other activities are not', async () => {
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
  const response = (visibility: string) => async () => {
    const status = { status: '@fay@far.test yes, #really “so”', visibility, in_reply_to_id: parent, language: 'en' };
    ({ id } = await postStatus(alice, status));
  };
  const create = await sent(response('public'));
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
  expect(await sent(response('private'))).not.toHaveProperty('signature');
  expect(await sent(() => alice.delete(`/api/v1/statuses/${id}`))).not.toHaveProperty('signature');
  expect(await sent(() => postStatus(alice, { status: 'no answer' }))).not.toHaveProperty('signature');
});

test('FED-02: in secure mode no activity gets a forwardable signature', async () => {
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

test('FED-02: replies to local posts are forwarded unchanged to the followers of the author replied to', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const [far, third] = [new Peer(network, 'far.test'), new Peer(network, 'third.test')];
  const [fay, tess] = [far.actor('fay'), third.actor('tess')];
  const alice = await server.user('alice');
  for (const follower of [fay, tess])
    await follower.send(server, follower.activity('Follow', 'https://a.test/users/alice'));
  const open = await postStatus(alice, { status: 'open' });
  const closed = await postStatus(alice, { status: 'closed', visibility: 'private' });
  await server.drain();
  const signature = {
    type: 'RsaSignature2017',
    creator: fay.keyId,
    created: '2026-01-01T00:00:00Z',
    signatureValue: 'x',
  };
  const forwarded = async (activity: Record<string, unknown>) => {
    third.received.length = 0;
    far.received.length = 0;
    await fay.send(server, activity);
    await server.drain();
    expect(far.received).toEqual([]);
    return third.received.map((item) => item.activity);
  };
  const note = (id: string, inReplyTo: string, members: object = {}) => fay.note(id, { inReplyTo, ...members });
  const create = { ...fay.create(note('1', open.uri)), signature };
  expect(await forwarded(create)).toEqual([create]);
  expect(await forwarded(create)).toEqual([]);
  const update = {
    ...fay.activity('Update', note('1', open.uri, { updated: '2030-01-01T00:00:00Z' })),
    signature,
    to: ['as:Public'],
  };
  expect(await forwarded(update)).toEqual([update]);
  const end = { ...fay.activity('Delete', `${fay.uri}/notes/1`), signature };
  expect(await forwarded(end)).toEqual([end]);
  // Without a signature, not public, not a reply, and a reply to a private post.
  expect(await forwarded(fay.create(note('2', open.uri)))).toEqual([]);
  const limited = { to: ['https://a.test/users/alice'], cc: [] };
  expect(await forwarded({ ...fay.create(note('3', open.uri, limited)), signature })).toEqual([]);
  expect(await forwarded({ ...fay.create(fay.note('4')), signature })).toEqual([]);
  expect(await forwarded({ ...fay.create(note('5', closed.uri)), signature })).toEqual([]);
  // By an account that the author blocks.
  await alice.post(`/api/v1/accounts/${await resolveAccountOn(server, 'fay@far.test')}/block`);
  await server.drain();
  expect(await forwarded({ ...fay.create(note('7', open.uri)), signature })).toEqual([]);
  // By another actor: the post is not accepted, so it is not forwarded.
  const stolen = { ...tess.note('6', { inReplyTo: open.uri }), attributedTo: tess.uri };
  expect(await forwarded({ ...fay.activity('Create', stolen, { to: ['as:Public'] }), signature })).toEqual([]);
});

test('FED-02: the Delete of a post is forwarded to the followers of local accounts that boosted or quoted it', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const [far, third, fourth] = [
    new Peer(network, 'far.test'),
    new Peer(network, 'third.test'),
    new Peer(network, 'fourth.test'),
  ];
  const fay = far.actor('fay');
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  for (const [follower, name] of [
    [third.actor('tess'), 'alice'],
    [fourth.actor('finn'), 'bob'],
  ] as const)
    await follower.send(server, follower.activity('Follow', `https://a.test/users/${name}`));
  const interactionPolicy = { canQuote: { automaticApproval: ['https://www.w3.org/ns/activitystreams#Public'] } };
  const [first, second, other] = [1, 2, 3].map((n) => fay.note(n, { interactionPolicy }));
  for (const document of [first, second, other]) far.serve(document ?? {});
  const ids = await Promise.all(
    [first, second, other].map((document) => resolveStatusOn(server, String(document?.['id']))),
  );
  await alice.post(`/api/v1/statuses/${ids[0]}/reblog`);
  const quoting = await postStatus(bob, { status: 'Look', quoted_status_id: ids[1] });
  await server.drain();
  const request = far.received.find(({ activity }) => activity['type'] === 'QuoteRequest')?.activity;
  const authorization = {
    id: `${fay.uri}/authorizations/1`,
    type: 'QuoteAuthorization',
    attributedTo: fay.uri,
    interactingObject: quoting.uri,
    interactionTarget: second?.['id'],
  };
  far.serve(authorization);
  await fay.send(server, { ...fay.activity('Accept', request), result: authorization.id });
  await server.drain();
  const signature = {
    type: 'RsaSignature2017',
    creator: fay.keyId,
    created: '2026-01-01T00:00:00Z',
    signatureValue: 'x',
  };
  const deliveredAfterDelete = async (
    document: Record<string, unknown> | undefined,
    members: object = { signature },
  ) => {
    for (const peer of [far, third, fourth]) peer.received.length = 0;
    await fay.send(server, { ...fay.activity('Delete', document?.['id']), ...members });
    await server.drain();
    const forwarded = (peer: Peer) => peer.received.filter(({ activity }) => activity['actor'] === fay.uri).length;
    return [far, third, fourth].map(forwarded);
  };
  expect(await deliveredAfterDelete(first)).toEqual([0, 1, 0]);
  expect(await deliveredAfterDelete(second)).toEqual([0, 0, 1]);
  expect(await deliveredAfterDelete(other)).toEqual([0, 0, 0]);
});
