import { expect, test } from 'vitest';
import type { TestServer } from '../../server.ts';
import { approved, decideAll, getDocument, publicCollection } from '../interaction-scene.ts';
import { Peer, type PeerActor } from '../peer.ts';
import { followingScene, followPeer, type PeerScene } from '../peer-scene.ts';
import { postStatus, resolveStatusOn } from '../two-servers.ts';

// Documents with the members and the order of contexts of GoToSocial 0.20, by its documentation. Lists with one member are
// single values there.
const activityStreams = 'https://www.w3.org/ns/activitystreams';
const policyContext = ['https://gotosocial.org/ns', activityStreams];

/** A post whose policy lets only followers reply at once. */
function policedNote(eve: PeerActor, name: string): Record<string, unknown> {
  const asked = { automaticApproval: [eve.uri], manualApproval: [publicCollection] };
  return {
    ...eve.note(name),
    to: publicCollection,
    cc: `${eve.uri}/followers`,
    contentMap: { en: '<p>Ask me</p>' },
    content: '<p>Ask me</p>',
    interactionPolicy: {
      canAnnounce: asked,
      canLike: { automaticApproval: [publicCollection], manualApproval: [] },
      canReply: { ...asked, automaticApproval: [eve.uri, `${eve.uri}/followers`] },
    },
    attachment: [],
    sensitive: false,
    summary: '',
    tag: [],
  };
}

const send = (eve: PeerActor, a: TestServer, activity: object) =>
  eve.send(a, { ...activity, '@context': policyContext });

async function receivePost({ a, eve }: PeerScene): Promise<{ id: string; uri: string }> {
  const note = policedNote(eve, 'policed');
  await send(eve, a, eve.create(note));
  await a.drain();
  return { id: String(await resolveStatusOn(a, String(note['id']))), uri: String(note['id']) };
}

interface Answered {
  /** Ids of the interaction, the post and the account that interacts. */
  readonly object: string;
  readonly target: string;
  readonly to: string;
}

/** Returns an Accept or Reject of GoToSocial of something that was sent without a request: it has no `result`. */
const answer = (eve: PeerActor, type: string, { object, target, to }: Answered) => ({
  '@context': activityStreams,
  actor: eve.uri,
  cc: [publicCollection, `${eve.uri}/followers`],
  id: `${eve.uri}/${type.toLowerCase()}s/${crypto.randomUUID()}`,
  object,
  target,
  to,
  type,
});

test('FED-03 a policy of GoToSocial is read as its documentation describes it', async () => {
  await using scene = await followingScene();
  const { id } = await receivePost(scene);
  const { interaction_policy: policy } = (await scene.alice.get(`/api/v1/statuses/${id}`)).json;
  expect(policy).toMatchObject({
    can_favourite: { automatic_approval: ['public'], manual_approval: [] },
    can_reply: { automatic_approval: ['author', 'followers'], manual_approval: ['public'] },
    can_reblog: { automatic_approval: ['author'], manual_approval: ['public'] },
  });
});

test('FED-03 an Accept without a result publishes a reply and a reblog, with the Accept as their proof', async () => {
  await using scene = await followingScene();
  const { a, alice, peer, eve } = scene;
  const fay = peer.actor('fay');
  await fay.send(a, fay.activity('Follow', 'https://a.test/users/alice'));
  const { id, uri } = await receivePost(scene);
  const reply = await postStatus(alice, { status: 'Hello', in_reply_to_id: id });
  await alice.post(`/api/v1/statuses/${id}/reblog`);
  await a.drain();
  const sent = (type: string) => peer.received.findLast(({ activity }) => activity['type'] === type)?.activity ?? {};
  const reblogUri = String(sent('Announce')['id']);
  expect(sent('Create')).toMatchObject({ object: { id: reply.uri, inReplyTo: uri, type: 'Note' } });
  const accepts = [reply.uri, reblogUri].map((object) =>
    answer(eve, 'Accept', { object, target: uri, to: 'https://a.test/users/alice' }),
  );
  for (const accept of accepts) expect(await eve.send(a, accept)).toBe(202);
  await a.drain();
  expect((await alice.get(`/api/v1/statuses/${reply.id}`)).json.visibility).toBe('public');
  expect((await alice.get(`/api/v1/statuses/${id}`)).json).toMatchObject({ reblogged: true, replies_count: 1 });
  expect(await getDocument(a, reply.uri)).toMatchObject({ approvedBy: accepts[0]?.id });
  expect(sent('Announce')).toMatchObject({ id: reblogUri, approvedBy: accepts[1]?.id });
});

test('FED-03 a Reject of GoToSocial withdraws a reply', async () => {
  await using scene = await followingScene();
  const { a, alice, eve } = scene;
  const { id, uri } = await receivePost(scene);
  const reply = await postStatus(alice, { status: 'Hello', in_reply_to_id: id });
  await a.drain();
  await eve.send(a, answer(eve, 'Reject', { object: reply.uri, target: uri, to: 'https://a.test/users/alice' }));
  await a.drain();
  expect((await alice.get(`/api/v1/statuses/${reply.id}`)).status).toBe(404);
});

test('FED-03 requests of GoToSocial are answered with its members, and their authorizations have them', async () => {
  await using scene = await followingScene();
  const { a, alice, peer, eve } = scene;
  const me = 'https://a.test/users/alice';
  const post = await postStatus(alice, { status: 'Ask me', interaction_policy: approved });
  const base = (name: string) => `${eve.uri}/${name}/${crypto.randomUUID()}`;
  const tag = { href: me, name: '@alice@a.test', type: 'Mention' };
  const audience = { to: publicCollection, cc: `${eve.uri}/followers` };
  const note = { ...eve.note('reply'), inReplyTo: post.uri, tag, ...audience };
  const reaction = { object: post.uri, actor: eve.uri, to: me };
  const like = { id: base('likes'), ...reaction, type: 'Like' };
  const announce = { id: base('statuses'), ...reaction, to: `${eve.uri}/followers`, cc: me, type: 'Announce' };
  const sent: Record<string, Record<string, unknown>> = {
    LikeRequest: like,
    ReplyRequest: note,
    AnnounceRequest: announce,
  };
  for (const [type, instrument] of Object.entries(sent))
    await send(eve, a, {
      type,
      id: base('interaction_requests'),
      actor: eve.uri,
      object: post.uri,
      to: me,
      instrument,
    });
  await a.drain();
  peer.received.length = 0;
  await decideAll(alice, 'authorize');
  await a.drain();
  const counts = { favourites_count: 1, reblogs_count: 1, replies_count: 1 };
  expect((await alice.get(`/api/v1/statuses/${post.id}`)).json).toMatchObject(counts);
  const accepts = peer.received.map(({ activity }) => activity).filter(({ type }) => type === 'Accept');
  expect(accepts).toHaveLength(3);
  for (const [type, { id }] of Object.entries(sent)) {
    const accept = accepts.find(({ object }) => (object as { type: string }).type === type) ?? {};
    expect(accept).toMatchObject({
      actor: me,
      object: { actor: eve.uri, id: expect.any(String), instrument: id, object: post.uri, type },
      result: expect.stringMatching(/^https:\/\/a\.test\//),
      to: eve.uri,
    });
    expect(await getDocument(a, String(accept['result']))).toMatchObject({
      attributedTo: me,
      id: accept['result'],
      interactingObject: id,
      interactionTarget: post.uri,
      type: type.replace('Request', 'Authorization'),
    });
  }
});

test('FED-03 a reply between other servers is stored if it names an Accept by the author, and no other Accept', async () => {
  await using scene = await followingScene();
  const { network, a, alice, peer, eve } = scene;
  const far = new Peer(network, 'far.test');
  const [writer, zoe] = [far.actor('writer'), far.actor('zoe')];
  await followPeer(a, alice, far, writer);
  const { id, uri } = await receivePost(scene);
  const replies = ['valid', 'forged', 'other'].map((name) => String(writer.note(name)['id']));
  const [valid = '', forged = '', other = ''] = replies;
  const acceptOf = (object: string) => answer(eve, 'Accept', { object, target: uri, to: writer.uri });
  const proofs = [acceptOf(valid), { ...acceptOf(forged), actor: zoe.uri }, acceptOf(`${other}x`)];
  for (const proof of proofs) peer.serve(proof);
  for (const [at, name] of ['valid', 'forged', 'other'].entries())
    await send(writer, a, writer.create(writer.note(name, { inReplyTo: uri, approvedBy: proofs[at]?.id })));
  await a.drain();
  const { descendants } = (await alice.get(`/api/v1/statuses/${id}/context`)).json as {
    descendants: { uri: string }[];
  };
  expect(descendants.map((post) => post.uri)).toEqual([valid]);
});
