import { expect, test } from 'vitest';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

const statuses = '/api/v1/statuses';
const defaults = '/api/v1/interaction_policies/defaults';
const rules = (...groups: string[]) => ({ automatic_approval: groups });
const presented = (...groups: string[]) => ({
  automatic_approval: groups,
  manual_approval: [],
  always: groups,
  with_approval: [],
});

interface Scene extends AsyncDisposable {
  readonly server: TestServer;
  readonly alice: TestUser;
  readonly bob: TestUser;
  readonly carol: TestUser;
}

/** bob follows alice, who follows carol. */
async function createScene(): Promise<Scene> {
  const server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  await alice.post(`/api/v1/accounts/${carol.id}/follow`);
  return { server, alice, bob, carol, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function post(user: TestUser, body: Record<string, unknown>) {
  const response = await user.post(statuses, body);
  if (response.status !== 200) throw new Error(`${response.status}: ${response.text}`);
  return response.json;
}

/** Returns the statuses of a favourite, a reblog and a reply of `user` to a status. */
async function attempt(user: TestUser, id: string): Promise<number[]> {
  const favourite = await user.post(`${statuses}/${id}/favourite`);
  const reblog = await user.post(`${statuses}/${id}/reblog`);
  const reply = await user.post(statuses, { status: 'Hello', in_reply_to_id: id });
  return [favourite.status, reblog.status, reply.status];
}

test('a post without a policy is open, and does not show one', async () => {
  await using s = await createScene();
  const open = await post(s.alice, { status: 'Open' });
  expect(open).not.toHaveProperty('interaction_policy');
  const explicit = await post(s.alice, { status: 'Open', interaction_policy: { can_reply: rules('public', 'me') } });
  expect(explicit).not.toHaveProperty('interaction_policy');
  expect(await attempt(s.bob, open.id)).toEqual([200, 200, 200]);
});

test('the policy of a post decides who may favourite, reblog and reply, and its author always may', async () => {
  await using s = await createScene();
  const policy = { can_favourite: rules('followers'), can_reply: rules('author'), can_reblog: rules('following') };
  const { id, interaction_policy } = await post(s.alice, { status: 'Closed', interaction_policy: policy });
  expect(interaction_policy).toEqual({
    can_favourite: presented('author', 'followers'),
    can_reply: presented('author'),
    can_reblog: presented('author', 'following'),
  });
  expect((await s.server.anonymous.get(`${statuses}/${id}`)).json.interaction_policy).toEqual(interaction_policy);
  expect(await attempt(s.bob, id)).toEqual([200, 403, 422]);
  expect(await attempt(s.carol, id)).toEqual([403, 200, 422]);
  expect(await attempt(s.alice, id)).toEqual([200, 200, 200]);
  expect((await s.carol.post(`${statuses}/${id}/favourite`)).json.error).toBe(
    'The author of this post does not permit you to favourite it',
  );
  expect((await s.bob.post(`${statuses}/${id}/reblog`)).json.error).toBe(
    'The author of this post does not permit you to reblog it',
  );
  expect((await s.bob.post(statuses, { status: 'x', in_reply_to_id: id })).json.details).toMatchObject({
    in_reply_to_id: [{ error: 'ERR_INVALID' }],
  });
  expect((await s.alice.get(`${statuses}/${id}`)).json).toMatchObject({
    favourites_count: 2,
    reblogs_count: 2,
    replies_count: 1,
  });
});

test('accounts that a post mentions or replies to may always reply', async () => {
  await using s = await createScene();
  const first = await post(s.bob, { status: 'First' });
  const closed = { can_reply: rules('author') };
  const reply = await post(s.alice, { status: 'Done', in_reply_to_id: first.id, interaction_policy: closed });
  const mention = await post(s.alice, { status: 'Hi @carol', interaction_policy: closed });
  expect((await s.bob.post(statuses, { status: 'But', in_reply_to_id: reply.id })).status).toBe(200);
  expect((await s.carol.post(statuses, { status: 'But', in_reply_to_id: reply.id })).status).toBe(422);
  expect((await s.carol.post(statuses, { status: 'Oh', in_reply_to_id: mention.id })).status).toBe(200);
  expect((await s.bob.post(statuses, { status: 'Oh', in_reply_to_id: mention.id })).status).toBe(422);
});

test('a thread cannot begin below a post that permits no replies; each post of a thread has its policy', async () => {
  await using s = await createScene();
  const { id } = await post(s.alice, { status: 'Closed', interaction_policy: { can_reply: rules() } });
  const refused = await s.bob.post('/api/v1/fieldfare/threads', { in_reply_to_id: id, posts: [{ status: 'x' }] });
  expect([refused.status, Object.keys(refused.json.details)]).toEqual([422, ['in_reply_to_id']]);
  const published = await s.alice.post('/api/v1/fieldfare/threads', {
    posts: [{ status: 'One', interaction_policy: { can_reblog: rules('followers') } }, { status: 'Two' }],
  });
  expect(published.status).toBe(200);
  expect(published.json[0].interaction_policy.can_reblog).toEqual(presented('author', 'followers'));
  expect(published.json[1]).not.toHaveProperty('interaction_policy');
});

test('the author changes the policy of a post, which others see at once; others cannot', async () => {
  await using s = await createScene();
  const { id } = await post(s.alice, { status: 'Open', quote_approval_policy: 'followers' });
  const path = `${statuses}/${id}/interaction_policy`;
  const closed = { interaction_policy: { can_favourite: rules('author') } };
  expect((await s.bob.put(path, closed)).status).toBe(403);
  const changed = await s.alice.put(path, closed);
  expect(changed.json).toMatchObject({
    interaction_policy: { can_favourite: presented('author'), can_reply: presented('public') },
    quote_approval: { automatic: ['followers'] },
  });
  expect(await attempt(s.bob, id)).toEqual([403, 200, 200]);
  expect((await s.alice.put(path, { quote_approval_policy: 'nobody' })).json).toMatchObject({
    interaction_policy: { can_favourite: presented('author') },
    quote_approval: { automatic: [] },
  });
  expect((await s.alice.put(path, { interaction_policy: {} })).json).not.toHaveProperty('interaction_policy');
  expect((await s.bob.post(`${statuses}/${id}/favourite`)).status).toBe(200);
  const invalid = await s.alice.put(path, { interaction_policy: { can_reply: rules('friends') } });
  expect([invalid.status, invalid.json.error]).toEqual([
    422,
    expect.stringContaining('interaction_policy[can_reply][automatic_approval]'),
  ]);
});

test('a favourite and a reblog from before a policy stay, and can be undone', async () => {
  await using s = await createScene();
  const { id } = await post(s.alice, { status: 'Open' });
  expect(await attempt(s.bob, id)).toEqual([200, 200, 200]);
  const closed = { can_favourite: rules(), can_reblog: rules() };
  await s.alice.put(`${statuses}/${id}/interaction_policy`, { interaction_policy: closed });
  expect((await s.bob.post(`${statuses}/${id}/reblog`)).status).toBe(200);
  expect((await s.bob.post(`${statuses}/${id}/unfavourite`)).json).toMatchObject({ favourites_count: 0 });
  expect((await s.bob.post(`${statuses}/${id}/unreblog`)).json).toMatchObject({ reblogs_count: 0 });
  expect((await s.bob.post(`${statuses}/${id}/reblog`)).status).toBe(403);
});

test('default policies by visibility apply to new posts, scheduled ones too, unless a post has its own', async () => {
  await using s = await createScene();
  const open = { can_favourite: presented('public'), can_reply: presented('public'), can_reblog: presented('public') };
  expect((await s.alice.get(defaults)).json).toEqual({ public: open, unlisted: open, private: open, direct: open });
  const changed = await s.alice.patch(defaults, { public: { can_reply: { always: ['followers', 'mentioned'] } } });
  const closed = { ...open, can_reply: presented('author', 'followers', 'mentioned') };
  expect(changed.json).toEqual({ public: closed, unlisted: open, private: open, direct: open });
  expect((await post(s.alice, { status: 'Usual' })).interaction_policy).toEqual(closed);
  expect(await post(s.alice, { status: 'x', visibility: 'unlisted' })).not.toHaveProperty('interaction_policy');
  expect(await post(s.alice, { status: 'x', interaction_policy: {} })).not.toHaveProperty('interaction_policy');
  const at = new Date(s.server.clock.now().getTime() + 600_000);
  await s.alice.post(statuses, { status: 'Later', scheduled_at: at.toISOString(), interaction_policy: {} });
  s.server.clock.advance(700_000);
  await s.server.drain();
  const [latest] = (await s.alice.get(`/api/v1/accounts/${s.alice.id}/statuses`)).json;
  expect(latest).toMatchObject({ content: '<p>Later</p>' });
  expect(latest).not.toHaveProperty('interaction_policy');
  expect((await s.alice.patch(defaults, { unlisted: null })).json).toEqual({
    public: open,
    unlisted: open,
    private: open,
    direct: open,
  });
});

test('default policies need a user and the scopes of accounts', async () => {
  await using s = await createScene();
  expect((await s.server.anonymous.get(defaults)).status).toBe(401);
  expect((await s.server.anonymous.patch(defaults, {})).status).toBe(401);
  const reader = await s.server.withScopes(s.alice, 'read:statuses write:statuses');
  expect((await reader.get(defaults)).status).toBe(403);
  expect((await reader.patch(defaults, {})).status).toBe(403);
});
