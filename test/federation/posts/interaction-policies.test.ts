import { expect, test } from 'vitest';
import { getDocument, publicCollection } from '../interaction-scene.ts';
import { followingScene, isoTime } from '../peer-scene.ts';
import { followAcross, postStatus, resolveStatusOn, twoServers } from '../two-servers.ts';

const bobUri = 'https://b.test/users/bob';
const rules = (...groups: string[]) => ({ automatic_approval: groups });

test('FED-02 posts declare all of their policies', async () => {
  await using servers = await twoServers();
  const { b, bob } = servers;
  const open = await postStatus(bob, { status: 'Open' });
  const permitted = { automaticApproval: [publicCollection] };
  expect((await getDocument(b, open.uri))['interactionPolicy']).toEqual({
    canQuote: permitted,
    canLike: permitted,
    canReply: permitted,
    canAnnounce: permitted,
  });
  const closed = await postStatus(bob, {
    status: 'Closed',
    interaction_policy: { can_favourite: rules('followers', 'following'), can_reply: rules(), can_reblog: rules() },
  });
  expect((await getDocument(b, closed.uri))['interactionPolicy']).toEqual({
    canQuote: permitted,
    canLike: { automaticApproval: [bobUri, `${bobUri}/followers`, `${bobUri}/following`] },
    canReply: { automaticApproval: [bobUri] },
    canAnnounce: { automaticApproval: [bobUri] },
  });
});

test('FED-03 the policy of a remote post is shown and honoured, also after it changes', async () => {
  await using servers = await twoServers();
  const { network, a, alice, bob } = servers;
  await followAcross(servers, a, alice, 'bob@b.test');
  const first = await postStatus(bob, {
    status: 'Closed',
    interaction_policy: { can_favourite: rules(), can_reply: rules('followers'), can_reblog: rules('following') },
  });
  await network.drain();
  const id = await resolveStatusOn(a, first.uri);
  const path = `/api/v1/statuses/${id}`;
  expect((await alice.get(path)).json.interaction_policy).toMatchObject({
    can_favourite: { automatic_approval: ['author'] },
    can_reply: { automatic_approval: ['author', 'followers'] },
    can_reblog: { automatic_approval: ['author', 'following'] },
  });
  expect((await alice.post(`${path}/favourite`)).status).toBe(403);
  expect((await alice.post(`${path}/reblog`)).status).toBe(403);
  const reply = await alice.post('/api/v1/statuses', { status: 'Hi', in_reply_to_id: id });
  expect(reply.status).toBe(200);
  await network.drain();
  expect((await bob.get(`/api/v1/statuses/${first.id}/context`)).json.descendants).toMatchObject([
    { content: '<p>Hi</p>' },
  ]);
  await bob.put(`/api/v1/statuses/${first.id}/interaction_policy`, { interaction_policy: {} });
  await network.drain();
  expect((await alice.get(path)).json).not.toHaveProperty('interaction_policy');
  expect((await alice.post(`${path}/favourite`)).status).toBe(200);
  await network.drain();
  expect((await bob.get(`/api/v1/statuses/${first.id}`)).json.favourites_count).toBe(1);
});

test('FED-03 interactions that a local author does not permit are rejected, and leave nothing behind', async () => {
  await using scene = await followingScene();
  const { a, alice, peer, eve } = scene;
  const closed = { can_favourite: rules(), can_reply: rules(), can_reblog: rules() };
  const post = await postStatus(alice, { status: 'Closed', interaction_policy: closed });
  const like = eve.activity('Like', post.uri);
  const announce = eve.activity('Announce', post.uri, { to: [publicCollection] });
  const reply = eve.note('reply', { inReplyTo: post.uri });
  peer.serve(reply);
  for (const activity of [like, announce, eve.create(reply)]) expect(await eve.send(a, activity)).toBe(202);
  await a.drain();
  const rejections = peer.received.map(({ activity }) => activity).filter(({ type }) => type === 'Reject');
  expect(rejections.map(({ object }) => object)).toEqual(
    expect.arrayContaining([like['id'], announce['id'], reply['id']]),
  );
  expect(rejections).toHaveLength(3);
  expect(rejections[0]).toMatchObject({ actor: 'https://a.test/users/alice', to: eve.uri, target: post.uri });
  expect((await alice.get(`/api/v1/statuses/${post.id}`)).json).toMatchObject({
    favourites_count: 0,
    reblogs_count: 0,
    replies_count: 0,
  });
  expect((await alice.get('/api/v1/notifications?include_filtered=true')).json).toEqual([]);
  expect(await resolveStatusOn(a, String(reply['id']))).toBeUndefined();
});

test('FED-03 a server that ignores a policy has its interactions withdrawn by the Reject of the author', async () => {
  await using servers = await twoServers();
  const { network, a, alice, bob } = servers;
  const first = await postStatus(bob, { status: 'Open' });
  const id = await resolveStatusOn(a, first.uri);
  // The Update does not reach a.test, because no local account follows bob or has interacted with the post.
  await bob.put(`/api/v1/statuses/${first.id}/interaction_policy`, {
    interaction_policy: { can_favourite: rules(), can_reply: rules(), can_reblog: rules() },
  });
  await network.drain();
  await alice.post(`/api/v1/statuses/${id}/favourite`);
  await alice.post(`/api/v1/statuses/${id}/reblog`);
  const reply = await postStatus(alice, { status: '@bob@b.test Hi', in_reply_to_id: id });
  await network.drain();
  expect((await alice.get(`/api/v1/statuses/${id}`)).json).toMatchObject({
    favourited: false,
    reblogged: false,
    replies_count: 0,
  });
  expect((await alice.get(`/api/v1/statuses/${reply.id}`)).status).toBe(404);
  expect((await bob.get(`/api/v1/statuses/${first.id}`)).json).toMatchObject({ favourites_count: 0, reblogs_count: 0 });
});

test('FED-03 policies of GoToSocial in its former words are read, and accounts that they name are asked for', async () => {
  await using scene = await followingScene();
  const { a, alice, eve } = scene;
  const interactionPolicy = {
    canLike: { always: [eve.uri], approvalRequired: [] },
    canReply: { always: [eve.uri, 'https://far.test/users/zoe'], approvalRequired: [publicCollection] },
  };
  await eve.send(a, eve.create(eve.note(1, { published: isoTime(a), interactionPolicy })));
  const empty = { published: isoTime(a, 60), interactionPolicy: { canLike: {}, canReply: null } };
  a.clock.advance(120_000);
  await eve.send(a, eve.create(eve.note(2, empty)));
  await a.drain();
  const [second, first] = (await alice.get('/api/v1/timelines/home')).json;
  expect(second).not.toHaveProperty('interaction_policy');
  expect(first.interaction_policy).toEqual({
    can_favourite: { automatic_approval: ['author'], manual_approval: [], always: ['author'], with_approval: [] },
    can_reply: {
      automatic_approval: ['author'],
      manual_approval: ['public'],
      always: ['author'],
      with_approval: ['public'],
    },
    can_reblog: { automatic_approval: ['public'], manual_approval: [], always: ['public'], with_approval: [] },
  });
  expect((await alice.post(`/api/v1/statuses/${first.id}/favourite`)).status).toBe(403);
});
