import { expect, test } from 'vitest';
import { approved, decideAll, publicCollection } from '../interaction-scene.ts';
import { Peer, type PeerActor } from '../peer.ts';
import { followingScene, followPeer, type PeerScene } from '../peer-scene.ts';
import { followAcross, postStatus, resolveStatusOn, twoServers } from '../two-servers.ts';

const ask = { manualApproval: [publicCollection] };
const interactionPolicy = { canLike: ask, canReply: ask, canAnnounce: ask };

test('FED-02 a revocation undoes the interactions of another server, and reaches those who saw them', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  const peer = new Peer(network, 'peer.test');
  const [fay, gil] = [peer.actor('fay'), peer.actor('gil')];
  await fay.send(a, fay.activity('Follow', 'https://a.test/users/alice'));
  await gil.send(b, gil.activity('Follow', 'https://b.test/users/bob'));
  const post = await postStatus(bob, { status: 'Ask me', interaction_policy: approved });
  const id = await resolveStatusOn(a, post.uri);
  await alice.post(`/api/v1/statuses/${id}/favourite`);
  await alice.post(`/api/v1/statuses/${id}/reblog`);
  const reply = await postStatus(alice, { status: 'Hello', in_reply_to_id: id });
  await network.drain();
  expect(await decideAll(bob, 'authorize')).toHaveLength(3);
  await network.drain();
  const reactions = { favourited: true, reblogged: true, replies_count: 1 };
  expect((await alice.get(`/api/v1/statuses/${id}`)).json).toMatchObject(reactions);
  const create = peer.received.find(({ activity }) => activity['type'] === 'Create' && activity['actor'] !== post.uri);
  expect(create).toBeDefined();
  peer.received.length = 0;
  expect(await decideAll(bob, 'revoke')).toHaveLength(3);
  await network.drain();
  const undone = { favourited: false, reblogged: false, replies_count: 0 };
  expect((await alice.get(`/api/v1/statuses/${id}`)).json).toMatchObject(undone);
  const counts = { favourites_count: 0, reblogs_count: 0, replies_count: 0 };
  expect((await bob.get(`/api/v1/statuses/${post.id}`)).json).toMatchObject(counts);
  const detached = { visibility: 'public', in_reply_to_id: null, content: expect.stringContaining('Hello') };
  expect((await alice.get(`/api/v1/statuses/${reply.id}`)).json).toMatchObject(detached);
  const seen = peer.received.map(({ activity }) => activity);
  const deletes = seen.filter(({ type }) => type === 'Delete');
  // That of the reply is sent by b.test and forwarded by a.test; gil and fay are on the same host.
  expect(deletes.map(({ actor }) => actor)).toEqual(Array.from({ length: 3 }, () => 'https://b.test/users/bob'));
  expect(new Set(deletes.map(({ object }) => object)).size).toBe(2);
  for (const { object } of deletes) {
    const path = new URL(String(object)).pathname;
    expect(path).toMatch(/^\/users\/bob\/interaction_authorizations\/\d+$/);
    const headers = { host: 'b.test', accept: 'application/activity+json' };
    expect((await b.http.inject({ method: 'GET', url: path, headers })).statusCode).toBe(404);
  }
  expect(seen).toContainEqual(expect.objectContaining({ type: 'Undo', actor: 'https://a.test/users/alice' }));
  const update = seen.find(({ type }) => type === 'Update')?.['object'] as Record<string, unknown>;
  expect(update['id']).toBe(reply.uri);
  expect([update['inReplyTo'] ?? null, update['replyAuthorization'], update['approvedBy']]).toEqual([
    null,
    undefined,
    undefined,
  ]);
});

test('FED-02 a Delete of an authorization is forwarded to followers of the account that replied', async () => {
  await using servers = await twoServers();
  const { network, a, alice, bob } = servers;
  const c = await network.start('c.test');
  const carol = await c.user('carol');
  await followAcross(servers, c, carol, 'alice@a.test');
  const post = await postStatus(bob, { status: 'Ask me', interaction_policy: approved });
  const id = await resolveStatusOn(a, post.uri);
  const reply = await postStatus(alice, { status: 'Hello', in_reply_to_id: id });
  await network.drain();
  expect(await decideAll(bob, 'authorize')).toHaveLength(1);
  await network.drain();
  const [postOnC, replyOnC] = [await resolveStatusOn(c, post.uri), await resolveStatusOn(c, reply.uri)];
  const repliesOnC = async () => {
    const { descendants } = (await carol.get(`/api/v1/statuses/${postOnC}/context`)).json;
    return (descendants as { id: string }[]).map((status) => status.id);
  };
  expect(await repliesOnC()).toEqual([replyOnC]);
  network.requests.length = 0;
  expect(await decideAll(bob, 'revoke')).toHaveLength(1);
  await network.drain();
  expect(await repliesOnC()).toEqual([]);
  expect((await carol.get(`/api/v1/statuses/${replyOnC}`)).json).toMatchObject({ in_reply_to_id: null });
  const fromB = network.requests.filter(({ from, method, url }) => {
    return from === 'b.test' && method === 'POST' && url.startsWith('https://c.test/');
  });
  expect(fromB).toEqual([]);
});

test('FED-03 a forwarded Delete of an authorization that its origin still has revokes nothing', async () => {
  await using scene = await followingScene();
  const { a, alice, peer, eve } = scene;
  const zoe = await followedStranger(scene);
  const { target, id } = await askingPost(scene);
  const reply = zoe.note('reply', { inReplyTo: target });
  const proof = serveProof(scene, 'ReplyAuthorization', reply['id'], target);
  await zoe.send(a, zoe.create({ ...reply, replyAuthorization: proof }));
  await a.drain();
  const replies = async () => (await alice.get(`/api/v1/statuses/${id}`)).json.replies_count;
  const forwarded = () => eve.activity('Delete', proof);
  await zoe.send(a, forwarded());
  await a.drain();
  expect(await replies()).toBe(1);
  peer.statuses.set(new URL(proof).pathname, 404);
  await zoe.send(a, forwarded());
  await a.drain();
  expect(await replies()).toBe(0);
});

interface Thread {
  /** A post of eve, who approves everything, and its id on a.test. */
  readonly target: string;
  readonly id: string;
}

async function askingPost({ a, eve }: PeerScene): Promise<Thread> {
  const post = eve.note('post', { interactionPolicy });
  await eve.send(a, eve.create(post));
  await a.drain();
  const target = String(post['id']);
  return { target, id: String(await resolveStatusOn(a, target)) };
}

/** Serves an authorization by eve. */
function serveProof({ peer, eve }: PeerScene, type: string, uri: unknown, target: string): string {
  const id = `https://${peer.host}/proofs/${crypto.randomUUID()}`;
  peer.serve({ id, type, attributedTo: eve.uri, interactingObject: uri, interactionTarget: target });
  return id;
}

async function followedStranger({ network, a, alice }: PeerScene): Promise<PeerActor> {
  const far = new Peer(network, 'far.test');
  const zoe = far.actor('zoe');
  await followPeer(a, alice, far, zoe);
  return zoe;
}

test('FED-03 only the issuer revokes an authorization between other servers', async () => {
  await using scene = await followingScene();
  const { a, alice, eve } = scene;
  const zoe = await followedStranger(scene);
  const { target, id } = await askingPost(scene);
  const reply = zoe.note('reply', { inReplyTo: target });
  const replyProof = serveProof(scene, 'ReplyAuthorization', reply['id'], target);
  const announce = zoe.activity('Announce', target, { to: [publicCollection] });
  const announceProof = serveProof(scene, 'AnnounceAuthorization', announce['id'], target);
  await zoe.send(a, zoe.create({ ...reply, replyAuthorization: replyProof }));
  await zoe.send(a, { ...announce, announceAuthorization: announceProof });
  await a.drain();
  const counts = async () => {
    const { replies_count, reblogs_count } = (await alice.get(`/api/v1/statuses/${id}`)).json;
    return [replies_count, reblogs_count];
  };
  expect(await counts()).toEqual([1, 1]);
  await zoe.send(a, zoe.activity('Delete', replyProof));
  await zoe.send(a, zoe.activity('Delete', { id: announceProof, type: 'AnnounceAuthorization' }));
  await a.drain();
  expect(await counts()).toEqual([1, 1]);
  await eve.send(a, eve.activity('Delete', replyProof));
  await eve.send(a, eve.activity('Delete', { id: announceProof, type: 'AnnounceAuthorization' }));
  await eve.send(a, eve.activity('Delete', replyProof));
  await a.drain();
  expect(await counts()).toEqual([0, 0]);
  const replyId = await resolveStatusOn(a, String(reply['id']));
  expect((await alice.get(`/api/v1/statuses/${replyId}`)).json).toMatchObject({ in_reply_to_id: null });
  expect((await alice.get(`/api/v1/statuses/${id}/context`)).json.descendants).toEqual([]);
});

test('FED-03 an interaction whose authorization was deleted before it arrives is not stored', async () => {
  await using scene = await followingScene();
  const { a, alice, eve } = scene;
  const zoe = await followedStranger(scene);
  const { target, id } = await askingPost(scene);
  const reply = zoe.note('reply', { inReplyTo: target });
  const announce = zoe.activity('Announce', target, { to: [publicCollection] });
  const replyProof = serveProof(scene, 'ReplyAuthorization', reply['id'], target);
  const announceProof = serveProof(scene, 'AnnounceAuthorization', announce['id'], target);
  for (const proof of [replyProof, announceProof]) await eve.send(a, eve.activity('Delete', proof));
  await a.drain();
  await zoe.send(a, zoe.create({ ...reply, replyAuthorization: replyProof }));
  await zoe.send(a, { ...announce, announceAuthorization: announceProof });
  await a.drain();
  expect((await alice.get(`/api/v1/statuses/${id}`)).json).toMatchObject({ replies_count: 0, reblogs_count: 0 });
  expect((await alice.get(`/api/v1/statuses/${id}/context`)).json.descendants).toEqual([]);
});

test('FED-03 an author may revoke before and after the Accept, and accept a favourite again', async () => {
  await using scene = await followingScene();
  const { a, alice, peer, eve } = scene;
  const { target, id } = await askingPost(scene);
  const reply = await postStatus(alice, { status: 'Hello', in_reply_to_id: id });
  await alice.post(`/api/v1/statuses/${id}/reblog`);
  await alice.post(`/api/v1/statuses/${id}/favourite`);
  await a.drain();
  const sent = (type: string) =>
    String(peer.received.findLast(({ activity }) => activity['type'] === type)?.activity['id']);
  const state = async () => {
    const { favourited, reblogged } = (await alice.get(`/api/v1/statuses/${id}`)).json;
    return { favourited, reblogged };
  };
  const accept = async (type: string, uri: string): Promise<string> => {
    const result = serveProof(scene, type, uri, target);
    await eve.send(a, eve.activity('Accept', uri, { result }));
    await a.drain();
    return result;
  };
  const revoke = async (proof: string): Promise<void> => {
    await eve.send(a, eve.activity('Delete', proof));
    await a.drain();
  };
  const late = serveProof(scene, 'ReplyAuthorization', reply.uri, target);
  await revoke(late);
  await eve.send(a, eve.activity('Accept', reply.uri, { result: late }));
  await a.drain();
  expect((await alice.get(`/api/v1/statuses/${reply.id}`)).status).toBe(404);
  const announceProof = await accept('AnnounceAuthorization', sent('Announce'));
  const likeProof = await accept('LikeAuthorization', sent('Like'));
  expect(await state()).toEqual({ favourited: true, reblogged: true });
  await revoke(announceProof);
  expect(await state()).toEqual({ favourited: true, reblogged: false });
  await revoke(likeProof);
  expect(await state()).toEqual({ favourited: false, reblogged: false });
  await alice.post(`/api/v1/statuses/${id}/favourite`);
  await a.drain();
  const secondProof = await accept('LikeAuthorization', sent('Like'));
  expect(await state()).toEqual({ favourited: true, reblogged: false });
  await revoke(secondProof);
  expect(await state()).toEqual({ favourited: false, reblogged: false });
});

test('FED-03 a Reject after the Accept takes a reply out of the thread', async () => {
  await using scene = await followingScene();
  const { a, alice, eve } = scene;
  const { target, id } = await askingPost(scene);
  const reply = await postStatus(alice, { status: 'Hello', in_reply_to_id: id });
  await eve.send(
    a,
    eve.activity('Accept', reply.uri, { result: serveProof(scene, 'ReplyAuthorization', reply.uri, target) }),
  );
  await a.drain();
  expect((await alice.get(`/api/v1/statuses/${id}`)).json.replies_count).toBe(1);
  await eve.send(a, eve.activity('Reject', reply.uri));
  await a.drain();
  expect((await alice.get(`/api/v1/statuses/${id}`)).json.replies_count).toBe(0);
  expect((await alice.get(`/api/v1/statuses/${reply.id}`)).json).toMatchObject({ in_reply_to_id: null });
});

test('FED-03 the Delete of a quote authorization before its Accept rejects the quote', async () => {
  await using scene = await followingScene();
  const { a, alice, peer, eve } = scene;
  const canQuote = { automaticApproval: [publicCollection] };
  const post = eve.note('quotable', { interactionPolicy: { canQuote } });
  await eve.send(a, eve.create(post));
  await a.drain();
  const quotedId = await resolveStatusOn(a, String(post['id']));
  const quote = await postStatus(alice, { status: 'See', quoted_status_id: quotedId });
  await a.drain();
  const request = peer.received.find(({ activity }) => activity['type'] === 'QuoteRequest')?.activity;
  const result = `https://${peer.host}/proofs/quote`;
  await eve.send(a, eve.activity('Delete', { id: result, type: 'QuoteAuthorization' }));
  await a.drain();
  await eve.send(a, eve.activity('Accept', request, { result }));
  await a.drain();
  expect((await alice.get(`/api/v1/statuses/${quote.id}`)).json.quote.state).not.toBe('accepted');
});
