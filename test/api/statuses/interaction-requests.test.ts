import { expect, test } from 'vitest';
import { startServer, walk, type TestResponse, type TestServer, type TestUser } from '../../server.ts';

const statuses = '/api/v1/statuses';
const requests = '/api/v1/interaction_requests';
const everyone = { manual_approval: ['public'] };
const approved = { can_favourite: everyone, can_reply: everyone, can_reblog: everyone };

interface Scene extends AsyncDisposable {
  readonly server: TestServer;
  readonly alice: TestUser;
  readonly bob: TestUser;
  readonly carol: TestUser;
  /** A post of alice who approves everything. */
  readonly post: { readonly id: string };
}

async function createScene(): Promise<Scene> {
  const server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  const post = (await alice.post(statuses, { status: 'Ask me', interaction_policy: approved })).json;
  return { server, alice, bob, carol, post, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function ok(request: Promise<TestResponse>) {
  const response = await request;
  if (response.status !== 200) throw new Error(`${response.status}: ${response.text}`);
  return response.json;
}

const act = (user: TestUser, id: string, action: string) => ok(user.post(`${statuses}/${id}/${action}`));
const reply = (user: TestUser, id: string, body: object = {}) =>
  ok(user.post(statuses, { status: '@carol Hello #hi', in_reply_to_id: id, ...body }));
const list = (user: TestUser, query = '') => ok(user.get(`${requests}${query}`));
const counts = async (s: Scene) => {
  const { favourites_count, reblogs_count, replies_count } = (await s.carol.get(`${statuses}/${s.post.id}`)).json;
  return [favourites_count, reblogs_count, replies_count];
};
const notificationTypes = async (user: TestUser, query = '?include_filtered=true'): Promise<string[]> =>
  (await user.get(`/api/v1/notifications${query}`)).json.map(({ type }: { type: string }) => type);

test('a favourite, a reblog and a reply wait for the author, and happen when approved', async () => {
  await using s = await createScene();
  const { id } = s.post;
  expect(await act(s.bob, id, 'favourite')).toMatchObject({ favourited: false, favourites_count: 0 });
  expect(await act(s.bob, id, 'reblog')).toMatchObject({ id, reblogged: false, reblogs_count: 0 });
  await act(s.bob, id, 'favourite');
  await s.server.drain();
  expect(await counts(s)).toEqual([0, 0, 0]);
  const waiting = await list(s.alice);
  expect(waiting).toMatchObject([
    { type: 'reblog', account: { id: s.bob.id }, status: { id } },
    { type: 'favourite', account: { id: s.bob.id }, status: { id } },
  ]);
  expect(await notificationTypes(s.alice)).toEqual([]);
  for (const { id: requestId } of waiting) {
    const decided = await ok(s.alice.post(`${requests}/${requestId}/authorize`));
    expect(decided.accepted_at).toBe(s.server.clock.now().toISOString());
    expect(decided).not.toHaveProperty('rejected_at');
    expect(await ok(s.alice.post(`${requests}/${requestId}/reject`))).toEqual(decided);
    expect(await ok(s.alice.get(`${requests}/${requestId}`))).toEqual(decided);
  }
  await s.server.drain();
  expect(await list(s.alice)).toEqual([]);
  expect(await counts(s)).toEqual([1, 1, 0]);
  expect(await ok(s.bob.get(`${statuses}/${id}`))).toMatchObject({ favourited: true, reblogged: true });
  expect((await notificationTypes(s.alice)).toSorted()).toEqual(['favourite', 'reblog']);
});

test('only its author and the author of the parent see a reply that waits; all do once it is approved', async () => {
  await using s = await createScene();
  const { id } = s.post;
  const waiting = await reply(s.bob, id);
  expect(waiting.visibility).toBe('direct');
  await s.server.drain();
  const path = `${statuses}/${waiting.id}`;
  const statusOf = async (user: { get: TestUser['get'] }) => (await user.get(path)).status;
  expect([await statusOf(s.alice), await statusOf(s.carol), await statusOf(s.server.anonymous)]).toEqual([
    200, 404, 404,
  ]);
  expect((await s.carol.get(`${statuses}/${id}/context`)).json.descendants).toEqual([]);
  expect((await s.carol.get('/api/v1/timelines/tag/hi')).json).toEqual([]);
  expect(await notificationTypes(s.carol)).toEqual([]);
  expect(await counts(s)).toEqual([0, 0, 0]);
  expect((await s.bob.put(path, { status: 'Other' })).status).toBe(422);
  const [request] = await list(s.alice);
  expect(request).toMatchObject({
    type: 'reply',
    reply: { id: waiting.id, content: expect.stringContaining('Hello') },
  });
  await ok(s.alice.post(`${requests}/${request.id}/authorize`));
  await s.server.drain();
  expect((await s.carol.get(path)).json).toMatchObject({ visibility: 'public', mentions: [{}, {}] });
  expect((await s.carol.get(`${statuses}/${id}/context`)).json.descendants).toMatchObject([{ id: waiting.id }]);
  expect((await s.carol.get('/api/v1/timelines/tag/hi')).json).toMatchObject([{ id: waiting.id }]);
  expect(await notificationTypes(s.carol)).toEqual(['mention']);
  expect(await notificationTypes(s.alice)).toEqual(['mention']);
  expect(await counts(s)).toEqual([0, 0, 1]);
  expect((await s.carol.get(`/api/v1/accounts/${s.bob.id}`)).json.statuses_count).toBe(1);
  expect((await s.bob.put(path, { status: 'Other' })).status).toBe(200);
});

test('NTF-03: a mention in a reply that waits is not filtered as a private one, before and after its approval', async () => {
  await using s = await createScene();
  const waiting = await reply(s.bob, s.post.id, { status: '@alice @carol Hello' });
  await s.server.drain();
  expect(await notificationTypes(s.alice, '')).toEqual(['mention']);
  const [request] = await list(s.alice);
  await ok(s.alice.post(`${requests}/${request.id}/authorize`));
  await s.server.drain();
  for (const user of [s.alice, s.carol]) expect(await notificationTypes(user, '')).toEqual(['mention']);
  await reply(s.bob, waiting.id, { status: '@alice In private', visibility: 'direct' });
  await s.server.drain();
  expect(await notificationTypes(s.alice, '')).toEqual(['mention']);
  expect(await notificationTypes(s.alice)).toEqual(['mention', 'mention']);
});

test('a rejected reply is deleted, and a rejected favourite or reblog cannot be repeated', async () => {
  await using s = await createScene();
  const { id } = s.post;
  await act(s.bob, id, 'favourite');
  await act(s.bob, id, 'reblog');
  const waiting = await reply(s.bob, id);
  for (const request of await list(s.alice)) {
    const decided = await ok(s.alice.post(`${requests}/${request.id}/reject`));
    expect(decided.rejected_at).toBe(s.server.clock.now().toISOString());
  }
  await s.server.drain();
  expect(await list(s.alice)).toEqual([]);
  expect((await s.bob.get(`${statuses}/${waiting.id}`)).status).toBe(404);
  expect(await counts(s)).toEqual([0, 0, 0]);
  expect((await s.bob.post(`${statuses}/${id}/favourite`)).status).toBe(403);
  expect((await s.bob.post(`${statuses}/${id}/reblog`)).status).toBe(403);
});

test('what waits can be withdrawn, and ends with the post', async () => {
  await using s = await createScene();
  const { id } = s.post;
  await act(s.bob, id, 'favourite');
  await act(s.bob, id, 'reblog');
  const waiting = await reply(s.bob, id);
  expect(await list(s.alice)).toHaveLength(3);
  await act(s.bob, id, 'unfavourite');
  await act(s.bob, id, 'unreblog');
  await ok(s.bob.delete(`${statuses}/${waiting.id}`));
  expect(await list(s.alice)).toEqual([]);
  await act(s.bob, id, 'favourite');
  expect(await list(s.alice)).toHaveLength(1);
  await ok(s.alice.delete(`${statuses}/${id}`));
  expect(await list(s.alice)).toEqual([]);
});

test('mentioned accounts, direct replies and the author need no approval; threads cannot wait for it', async () => {
  await using s = await createScene();
  const { id } = s.post;
  expect((await reply(s.alice, id)).visibility).toBe('public');
  expect((await reply(s.bob, id, { visibility: 'direct', status: '@alice Psst' })).visibility).toBe('direct');
  const mention = await ok(s.alice.post(statuses, { status: '@bob So?', interaction_policy: approved }));
  expect((await reply(s.bob, mention.id)).visibility).toBe('public');
  expect(await list(s.alice)).toEqual([]);
  const thread = await s.bob.post('/api/v1/fieldfare/threads', { in_reply_to_id: id, posts: [{ status: 'x' }] });
  expect([thread.status, Object.keys(thread.json.details)]).toEqual([422, ['in_reply_to_id']]);
});

test('requests are listed by kind and post, page by page, for the author only', async () => {
  await using s = await createScene();
  const other = await ok(s.alice.post(statuses, { status: 'Too', interaction_policy: approved }));
  await act(s.bob, other.id, 'favourite');
  for (const user of [s.bob, s.carol]) await act(user, s.post.id, 'favourite');
  await act(s.carol, s.post.id, 'reblog');
  await reply(s.bob, s.post.id);
  const kinds = async (query: string) => (await list(s.alice, query)).map(({ type }: { type: string }) => type);
  expect(await kinds('')).toEqual(['reply', 'reblog', 'favourite', 'favourite', 'favourite']);
  expect(await kinds('?favourites=false')).toEqual(['reply', 'reblog']);
  expect(await kinds('?replies=false&reblogs=false')).toHaveLength(3);
  expect(await kinds(`?status_id=${other.id}`)).toEqual(['favourite']);
  expect(await walk(s.alice, `${requests}?limit=2`)).toHaveLength(5);
  expect(await list(s.bob)).toEqual([]);
  const [{ id }] = await list(s.alice);
  for (const user of [s.bob, s.carol]) {
    expect((await user.get(`${requests}/${id}`)).status).toBe(404);
    expect((await user.post(`${requests}/${id}/authorize`)).status).toBe(404);
    expect((await user.post(`${requests}/${id}/reject`)).status).toBe(404);
  }
  expect((await s.server.anonymous.get(requests)).status).toBe(401);
  expect((await s.server.anonymous.get(`${requests}/${id}`)).status).toBe(401);
  expect((await s.server.anonymous.post(`${requests}/${id}/authorize`)).status).toBe(401);
  expect((await s.server.anonymous.post(`${requests}/${id}/reject`)).status).toBe(401);
  const reader = await s.server.withScopes(s.alice, 'read:statuses write:statuses');
  expect((await reader.get(requests)).status).toBe(403);
  expect((await reader.get(`${requests}/${id}`)).status).toBe(403);
  expect((await reader.post(`${requests}/${id}/authorize`)).status).toBe(403);
  expect((await reader.post(`${requests}/${id}/reject`)).status).toBe(403);
});
