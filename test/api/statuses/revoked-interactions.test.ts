import { expect, test } from 'vitest';
import { startServer, type TestResponse, type TestServer, type TestUser } from '../../server.ts';

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
  readonly id: string;
  /** Replies of bob to it, and of carol to that. */
  readonly reply: string;
  readonly below: string;
}

/** bob favourites, reblogs and answers a post of alice, and waits for her. */
async function createScene(): Promise<Scene> {
  const server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  const { id } = await ok(alice.post(statuses, { status: 'Ask me', interaction_policy: approved }));
  await ok(bob.post(`${statuses}/${id}/favourite`));
  await ok(bob.post(`${statuses}/${id}/reblog`));
  const { id: reply } = await ok(bob.post(statuses, { status: 'Hello', in_reply_to_id: id }));
  const scene = { server, alice, bob, carol, id, reply, below: '' };
  return { ...scene, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** The same, where alice approved all of it and carol answered the reply. */
async function approvedScene(): Promise<Scene> {
  const scene = await createScene();
  for (const { id } of await list(scene.alice)) await ok(scene.alice.post(`${requests}/${id}/authorize`));
  const answer = { status: '@bob Hi', in_reply_to_id: scene.reply };
  const { id: below } = await ok(scene.carol.post(statuses, answer));
  await scene.server.drain();
  return { ...scene, below };
}

async function ok(request: Promise<TestResponse>) {
  const response = await request;
  if (response.status !== 200) throw new Error(`${response.status}: ${response.text}`);
  return response.json;
}

const list = (user: TestUser, query = '') => ok(user.get(`${requests}${query}`));
const counts = async ({ carol, id }: Scene): Promise<number[]> => {
  const { favourites_count, reblogs_count, replies_count } = await ok(carol.get(`${statuses}/${id}`));
  return [favourites_count, reblogs_count, replies_count];
};
const threadOf = async (user: TestUser, id: string): Promise<string[][]> => {
  const { ancestors, descendants } = await ok(user.get(`${statuses}/${id}/context`));
  return [ancestors, descendants].map((posts: { id: string }[]) => posts.map((post) => post.id));
};

test('FED-02 a revoked favourite or reblog is undone, and a revoked reply leaves the thread with what is below it', async () => {
  await using s = await approvedScene();
  expect(await counts(s)).toEqual([1, 1, 1]);
  expect(await threadOf(s.carol, s.id)).toEqual([[], [s.reply, s.below]]);
  const accepted = await list(s.alice, '?state=accepted');
  expect(accepted.map(({ type }: { type: string }) => type)).toEqual(['reply', 'reblog', 'favourite']);
  expect(await list(s.alice)).toEqual([]);
  for (const { id } of accepted) {
    const revoked = await ok(s.alice.post(`${requests}/${id}/revoke`));
    expect(revoked.revoked_at).toBe(s.server.clock.now().toISOString());
    expect(revoked).not.toHaveProperty('accepted_at');
    for (const action of ['revoke', 'authorize', 'reject'])
      expect(await ok(s.alice.post(`${requests}/${id}/${action}`))).toEqual(revoked);
  }
  await s.server.drain();
  expect(await list(s.alice, '?state=accepted')).toEqual([]);
  expect(await counts(s)).toEqual([0, 0, 0]);
  expect(await threadOf(s.carol, s.id)).toEqual([[], []]);
  expect(await threadOf(s.carol, s.below)).toEqual([[s.reply], []]);
  expect(await ok(s.carol.get(`${statuses}/${s.reply}`))).toMatchObject({
    visibility: 'public',
    in_reply_to_id: null,
    in_reply_to_account_id: s.alice.id,
  });
  expect(await ok(s.bob.get(`${statuses}/${s.id}`))).toMatchObject({ favourited: false, reblogged: false });
  expect((await s.bob.post(`${statuses}/${s.id}/favourite`)).status).toBe(403);
  expect((await s.bob.post(`${statuses}/${s.id}/reblog`)).status).toBe(403);
});

test('FED-02 only the author revokes, and only what was approved', async () => {
  await using s = await createScene();
  const [{ id }] = await list(s.alice);
  for (const user of [s.bob, s.carol]) expect((await user.post(`${requests}/${id}/revoke`)).status).toBe(404);
  expect(await ok(s.alice.post(`${requests}/${id}/revoke`))).not.toHaveProperty('revoked_at');
  expect(await list(s.alice)).toHaveLength(3);
  expect((await s.server.anonymous.post(`${requests}/${id}/revoke`)).status).toBe(401);
  const reader = await s.server.withScopes(s.alice, 'read');
  expect((await reader.post(`${requests}/${id}/revoke`)).status).toBe(403);
  expect((await s.alice.get(`${requests}?state=revoked`)).status).toBe(422);
});

test('FED-02 a block revokes what the author approved, and rejects what waits', async () => {
  await using s = await approvedScene();
  const { id: second } = await ok(s.alice.post(statuses, { status: 'Second', interaction_policy: approved }));
  const { id: waiting } = await ok(s.bob.post(statuses, { status: 'Me too', in_reply_to_id: second }));
  await ok(s.carol.post(`${statuses}/${second}/favourite`));
  await ok(s.alice.post(`/api/v1/accounts/${s.bob.id}/block`));
  await s.server.drain();
  expect(await counts(s)).toEqual([0, 0, 0]);
  expect(await list(s.alice, '?state=accepted')).toEqual([]);
  expect(await list(s.alice)).toMatchObject([{ type: 'favourite', account: { id: s.carol.id } }]);
  expect((await s.bob.get(`${statuses}/${waiting}`)).status).toBe(404);
  expect((await s.bob.get(`${statuses}/${s.reply}`)).json.in_reply_to_id).toBeNull();
});
