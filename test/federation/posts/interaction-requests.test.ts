import { expect, test } from 'vitest';
import { approved, decideAll, getDocument, publicCollection, requests } from '../interaction-scene.ts';
import { Peer } from '../peer.ts';
import { followingScene, followPeer, peerScene } from '../peer-scene.ts';
import { followAcross, postStatus, resolveStatusOn, twoServers, type TwoServers } from '../two-servers.ts';

/**
 * alice of a.test, a followed account of fay on a peer, replies to and reblogs a post of bob of b.test. bob approves
 * both.
 */
async function requestAcross(servers: TwoServers) {
  const { network, a, alice, bob } = servers;
  const peer = new Peer(network, 'peer.test');
  const fay = peer.actor('fay');
  const post = await postStatus(bob, { status: 'Ask me', interaction_policy: approved });
  const id = await resolveStatusOn(a, post.uri);
  await fay.send(a, fay.activity('Follow', `https://a.test/users/alice`));
  await network.drain();
  const reblog = (await alice.post(`/api/v1/statuses/${id}/reblog`)).json;
  const reply = await postStatus(alice, { status: 'Hello', in_reply_to_id: id });
  await network.drain();
  const seen = () => peer.received.map(({ activity }) => activity).filter(({ type }) => type !== 'Accept');
  return { post, id, reblog, reply, seen };
}

test('FED-02 a reply and a reblog wait for a remote author, and are sent to others with the proof of consent', async () => {
  await using servers = await twoServers();
  const { network, b, a, alice, bob } = servers;
  const { post, id, reblog, reply, seen } = await requestAcross(servers);
  expect([reblog.id, reply.visibility, seen()]).toEqual([id, 'direct', []]);
  expect((await bob.get(`/api/v1/statuses/${post.id}`)).json).toMatchObject({ reblogs_count: 0, replies_count: 0 });
  expect(await decideAll(bob, 'authorize')).toEqual(['reblog', 'reply']);
  await network.drain();
  expect((await bob.get(`/api/v1/statuses/${post.id}`)).json).toMatchObject({ reblogs_count: 1, replies_count: 1 });
  expect((await alice.get(`/api/v1/statuses/${id}`)).json).toMatchObject({ reblogged: true, replies_count: 1 });
  expect((await alice.get(`/api/v1/statuses/${reply.id}`)).json.visibility).toBe('public');
  const note = await getDocument(a, reply.uri);
  const proofUri = String(note['replyAuthorization']);
  expect(note['approvedBy']).toBe(proofUri);
  expect(proofUri).toMatch(/^https:\/\/b\.test\/users\/bob\/interaction_authorizations\/\d+$/);
  expect(await getDocument(b, proofUri)).toMatchObject({
    type: 'ReplyAuthorization',
    attributedTo: 'https://b.test/users/bob',
    interactingObject: reply.uri,
    interactionTarget: post.uri,
  });
  const [announce, create] = ['Announce', 'Create'].map((type) => seen().find((activity) => activity['type'] === type));
  expect(announce).toMatchObject({ object: post.uri, announceAuthorization: expect.stringContaining('b.test') });
  expect(create).toMatchObject({ object: { id: reply.uri, replyAuthorization: proofUri, to: [publicCollection] } });
});

test('FED-02 a reply that a remote author rejects is deleted, and the reblog does not happen', async () => {
  await using servers = await twoServers();
  const { network, alice, bob } = servers;
  const { id, reply, seen } = await requestAcross(servers);
  expect(await decideAll(bob, 'reject')).toEqual(['reblog', 'reply']);
  await network.drain();
  expect((await alice.get(`/api/v1/statuses/${reply.id}`)).status).toBe(404);
  expect((await alice.get(`/api/v1/statuses/${id}`)).json).toMatchObject({ reblogged: false, reblogs_count: 0 });
  expect((await alice.post(`/api/v1/statuses/${id}/reblog`)).status).toBe(403);
  expect(seen().filter(({ type }) => type !== 'Delete')).toEqual([]);
});

test('FED-02 a reblog that waits for a remote author can be withdrawn', async () => {
  await using servers = await twoServers();
  const { network, alice, bob } = servers;
  const { id } = await requestAcross(servers);
  expect((await alice.post(`/api/v1/statuses/${id}/unreblog`)).status).toBe(200);
  await network.drain();
  expect(await decideAll(bob, 'authorize')).toEqual(['reply']);
});

test('FED-03 a follower that the policy permits is answered at once', async () => {
  await using servers = await twoServers();
  const { network, a, alice, bob } = servers;
  await followAcross(servers, a, alice, 'bob@b.test');
  const followers = { automatic_approval: ['followers'] };
  const policy = { can_reply: followers, can_reblog: followers };
  const post = await postStatus(bob, { status: 'Friends', interaction_policy: policy });
  await network.drain();
  const id = await resolveStatusOn(a, post.uri);
  const reply = await postStatus(alice, { status: 'Hello', in_reply_to_id: id });
  await alice.post(`/api/v1/statuses/${id}/reblog`);
  await network.drain();
  expect((await bob.get(requests)).json).toEqual([]);
  expect((await alice.get(`/api/v1/statuses/${reply.id}`)).json.visibility).toBe('public');
  expect((await getDocument(a, reply.uri))['replyAuthorization']).toMatch(/^https:\/\/b\.test\//);
  expect((await bob.get(`/api/v1/statuses/${post.id}`)).json).toMatchObject({ reblogs_count: 1, replies_count: 1 });
  expect((await alice.get(`/api/v1/statuses/${id}`)).json).toMatchObject({ reblogged: true });
});

test('FED-03 the Like, Announce and reply of a remote actor wait, and the decision is sent', async () => {
  await using scene = await peerScene();
  const { a, alice, peer, eve } = scene;
  const post = await postStatus(alice, { status: 'Ask me', interaction_policy: approved });
  const reply = eve.note('reply', { inReplyTo: post.uri });
  peer.serve(reply);
  const like = eve.activity('Like', post.uri);
  const announce = eve.activity('Announce', post.uri, { to: [publicCollection] });
  const likeRequest = eve.activity('LikeRequest', post.uri, { instrument: like });
  for (const activity of [likeRequest, announce, eve.create(reply)]) expect(await eve.send(a, activity)).toBe(202);
  await a.drain();
  expect(peer.received).toEqual([]);
  expect(await decideAll(alice, 'authorize')).toEqual(['favourite', 'reblog', 'reply']);
  await a.drain();
  expect((await alice.get(`/api/v1/statuses/${post.id}`)).json).toMatchObject({
    favourites_count: 1,
    reblogs_count: 1,
    replies_count: 1,
  });
  const accepts = peer.received.map(({ activity }) => activity);
  expect(accepts.map(({ type }) => type)).toEqual(['Accept', 'Accept', 'Accept']);
  const objects = accepts.map(({ object }) => object);
  expect(objects).toEqual(expect.arrayContaining([announce['id'], reply['id']]));
  expect(objects).toContainEqual({
    id: likeRequest['id'],
    type: 'LikeRequest',
    actor: eve.uri,
    object: post.uri,
    instrument: like['id'],
  });
  expect(await getDocument(a, String(accepts[0]?.['result']))).toMatchObject({ interactionTarget: post.uri });
});

test('FED-03 requests for open posts are answered at once; those for others or by others are ignored', async () => {
  await using scene = await peerScene();
  const { a, alice, peer, eve } = scene;
  const post = await postStatus(alice, { status: 'Open' });
  const reply = eve.note('reply', { inReplyTo: post.uri });
  const mallory = peer.actor('mallory');
  await eve.send(a, eve.activity('ReplyRequest', post.uri, { instrument: reply }));
  await eve.send(a, eve.activity('LikeRequest', post.uri, { instrument: mallory.activity('Like', post.uri) }));
  await eve.send(
    a,
    eve.activity('LikeRequest', post.uri, { instrument: eve.activity('Like', 'https://a.test/other') }),
  );
  await a.drain();
  expect(peer.received.map(({ activity }) => activity)).toMatchObject([
    { type: 'Accept', object: { type: 'ReplyRequest', instrument: reply['id'] } },
  ]);
  expect((await alice.get(`/api/v1/statuses/${post.id}`)).json).toMatchObject({
    favourites_count: 0,
    replies_count: 1,
  });
});

test('FED-03 a reply and an Announce between other servers need a proof, which cannot be forged', async () => {
  await using scene = await followingScene();
  const { network, a, alice, peer, eve } = scene;
  const far = new Peer(network, 'far.test');
  const zoe = far.actor('zoe');
  await followPeer(a, alice, far, zoe);
  const ask = { manualApproval: [publicCollection] };
  const post = eve.note('post', { interactionPolicy: { canReply: ask, canAnnounce: ask } });
  await eve.send(a, eve.create(post));
  await a.drain();
  const target = String(post['id']);
  const proofOf = (uri: unknown, members: object = {}) => ({
    type: 'ReplyAuthorization',
    attributedTo: eve.uri,
    interactingObject: uri,
    interactionTarget: target,
    ...members,
  });
  const serveProof = (name: string, proof: object, host = peer): string => {
    const id = `https://${host.host}/proofs/${name}`;
    host.serve({ id, ...proof });
    return id;
  };
  const noteUri = (name: string) => `${zoe.uri}/notes/${name}`;
  const proofs: Record<string, string | undefined> = {
    none: undefined,
    foreign: serveProof('foreign', proofOf(noteUri('foreign')), far),
    other: serveProof('other', proofOf(noteUri('none'))),
    kind: serveProof('kind', proofOf(noteUri('kind'), { type: 'LikeAuthorization' })),
    author: serveProof('author', proofOf(noteUri('author'), { attributedTo: zoe.uri })),
    target: serveProof('target', proofOf(noteUri('target'), { interactionTarget: `${target}x` })),
    missing: `https://${peer.host}/proofs/missing`,
    valid: serveProof('valid', proofOf(noteUri('valid'))),
    approval: serveProof('approval', {
      type: 'ReplyApproval',
      attributedTo: eve.uri,
      object: noteUri('approval'),
      target,
    }),
  };
  for (const [name, proof] of Object.entries(proofs)) {
    const approval = name === 'approval' ? { approvedBy: proof } : { replyAuthorization: proof };
    await zoe.send(a, zoe.create(zoe.note(name, { inReplyTo: target, ...approval })));
  }
  const announce = zoe.activity('Announce', target, { to: [publicCollection] });
  const proven = zoe.activity('Announce', target, { to: [publicCollection] });
  const announceProof = serveProof('announce', proofOf(proven['id'], { type: 'AnnounceAuthorization' }));
  await zoe.send(a, announce);
  await a.drain();
  const id = await resolveStatusOn(a, target);
  const stored = (await alice.get(`/api/v1/statuses/${id}/context`)).json.descendants as { uri: string }[];
  expect(stored.map(({ uri }) => uri).toSorted()).toEqual([noteUri('approval'), noteUri('valid')]);
  expect((await alice.get(`/api/v1/statuses/${id}`)).json.reblogs_count).toBe(0);
  await zoe.send(a, { ...proven, announceAuthorization: announceProof });
  await a.drain();
  expect((await alice.get(`/api/v1/statuses/${id}`)).json.reblogs_count).toBe(1);
});
