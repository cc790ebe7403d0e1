import { expect, test } from 'vitest';
import { peerScene } from '../peer-scene.ts';
import { postStatus, resolveStatusOn, twoServers } from '../two-servers.ts';

const publicCollection = 'https://www.w3.org/ns/activitystreams#Public';
const requests = '/api/v1/interaction_requests';
const everyone = { manual_approval: ['public'] };
const interaction_policy = { can_favourite: everyone, can_reply: everyone, can_reblog: everyone };
const schedule = 'status.expire_interaction_requests';
const daySeconds = 86_400;

test('FED-02 requests that a local author does not answer within 30 days are rejected on both servers', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  const post = await postStatus(bob, { status: 'Ask me', interaction_policy });
  const id = await resolveStatusOn(a, post.uri);
  await alice.post(`/api/v1/statuses/${id}/reblog`);
  const reply = await postStatus(alice, { status: 'Hello', in_reply_to_id: id });
  await network.drain();
  network.clock.advance(30 * daySeconds - 3600);
  await b.runSchedule(schedule);
  expect((await bob.get(requests)).json).toHaveLength(2);
  const late = await postStatus(alice, { status: 'Once more', in_reply_to_id: id });
  network.clock.advance(3601);
  for (const server of [a, b]) await server.runSchedule(schedule);
  await network.drain();
  expect((await bob.get(requests)).json).toMatchObject([{ type: 'reply', reply: { uri: late.uri } }]);
  expect((await alice.get(`/api/v1/statuses/${reply.id}`)).status).toBe(404);
  expect((await alice.get(`/api/v1/statuses/${late.id}`)).status).toBe(200);
  expect((await alice.post(`/api/v1/statuses/${id}/reblog`)).status).toBe(403);
});

test('FED-02 a reblog that a remote author never answers is undone, and a reply stays a private post', async () => {
  await using scene = await peerScene();
  const { network, a, alice, peer, eve } = scene;
  const ask = { manualApproval: [publicCollection] };
  const post = eve.note('post', { interactionPolicy: { canReply: ask, canAnnounce: ask } });
  peer.serve(post);
  const id = await resolveStatusOn(a, String(post['id']));
  await alice.post(`/api/v1/statuses/${id}/reblog`);
  const reply = await postStatus(alice, { status: 'Hello', in_reply_to_id: id });
  await a.drain();
  expect((await alice.put(`/api/v1/statuses/${reply.id}`, { status: 'Other' })).status).toBe(422);
  peer.received.length = 0;
  network.clock.advance(37 * daySeconds + 1);
  await a.runSchedule(schedule);
  await a.drain();
  expect(peer.received.map(({ activity }) => activity)).toMatchObject([{ type: 'Undo', object: { type: 'Announce' } }]);
  expect((await alice.get(`/api/v1/statuses/${reply.id}`)).json.visibility).toBe('direct');
  expect((await alice.put(`/api/v1/statuses/${reply.id}`, { status: 'Other' })).status).toBe(200);
  const result = `https://${peer.host}/proofs/late`;
  await eve.send(a, eve.activity('Accept', reply.uri, { result }));
  await a.drain();
  expect((await alice.get(`/api/v1/statuses/${reply.id}`)).json.visibility).toBe('direct');
});
