import { expect, test } from 'vitest';
import { addTestEmoji, createPng } from '../../emoji-files.ts';
import { recordStatements } from '../../record-statements.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

const statuses = '/api/v1/statuses';
const thumb = '👍';
const heart = '❤️';

interface Scene extends AsyncDisposable {
  readonly server: TestServer;
  readonly alice: TestUser;
  readonly bob: TestUser;
  /** A post of alice. */
  readonly id: string;
}

async function createScene(post: object = {}): Promise<Scene> {
  const server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id } = (await alice.post(statuses, { status: 'React', ...post })).json;
  return { server, alice, bob, id, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const react = (user: { post: TestUser['post'] }, id: string, name: string) =>
  user.post(`${statuses}/${id}/react/${encodeURIComponent(name)}`);
const unreact = (user: { post: TestUser['post'] }, id: string, name: string) =>
  user.post(`${statuses}/${id}/unreact/${encodeURIComponent(name)}`);
const reactions = async (user: { get: TestUser['get'] }, id: string) =>
  (await user.get(`${statuses}/${id}`)).json.reactions;

test('reactions are counted by emoji and shown to everyone, also in reblogs', async () => {
  await using s = await createScene();
  expect(await reactions(s.bob, s.id)).toEqual([]);
  expect((await react(s.bob, s.id, thumb)).json.reactions).toEqual([{ name: thumb, count: 1, me: true }]);
  await react(s.bob, s.id, thumb);
  await react(s.alice, s.id, thumb);
  s.server.clock.advance(1000);
  await react(s.alice, s.id, '❤');
  expect(await reactions(s.bob, s.id)).toEqual([
    { name: thumb, count: 2, me: true },
    { name: heart, count: 1, me: false },
  ]);
  expect(await reactions(s.server.anonymous, s.id)).toEqual([
    { name: thumb, count: 2 },
    { name: heart, count: 1 },
  ]);
  const reblog = (await s.bob.post(`${statuses}/${s.id}/reblog`)).json;
  expect(reblog.reblog.reactions).toHaveLength(2);
  expect((await react(s.bob, reblog.id, '🎉')).status).toBe(200);
  expect((await unreact(s.alice, s.id, thumb)).json.reactions).toMatchObject([{ count: 1, me: false }, {}, {}]);
  expect((await unreact(s.alice, s.id, thumb)).status).toBe(200);
  await unreact(s.bob, s.id, thumb);
  expect((await reactions(s.alice, s.id)).map(({ name }: { name: string }) => name)).toEqual([heart, '🎉']);
});

test('a local custom emoji has its address', async () => {
  await using s = await createScene();
  await addTestEmoji(s.server, 'blob', await createPng());
  const [reaction] = (await react(s.bob, s.id, 'blob')).json.reactions;
  expect(reaction).toMatchObject({ name: 'blob', count: 1, me: true, url: expect.stringMatching(/^https:/) });
  expect(reaction.static_url).toMatch(/^https:/);
});

test('unknown emojis and the ninth reaction of an account are refused', async () => {
  await using s = await createScene();
  for (const name of ['nope', 'blob@far.test', '👍👍', 'x'.repeat(60)]) {
    const refused = await react(s.bob, s.id, name);
    expect([name, refused.status]).toEqual([name, 422]);
  }
  const names = ['😀', '😁', '😂', '😃', '😄', '😅', '😆', '😇', '😈'];
  const codes: number[] = [];
  for (const name of names) codes.push((await react(s.bob, s.id, name)).status);
  expect(codes).toEqual([...names.slice(1).map(() => 200), 422]);
  expect((await s.server.anonymous.get('/api/v2/instance')).json.configuration.reactions).toEqual({ max_reactions: 8 });
  expect((await s.server.anonymous.get('/api/v1/instance')).json.configuration.reactions).toEqual({ max_reactions: 8 });
});

test('reacting needs a visible post, no block, the consent of the author, a user and the scope', async () => {
  await using s = await createScene();
  const secret = (await s.alice.post(statuses, { status: 'x', visibility: 'private' })).json;
  expect((await react(s.bob, secret.id, thumb)).status).toBe(404);
  expect((await react(s.bob, secret.id, 'nope')).status).toBe(404);
  expect((await unreact(s.bob, secret.id, thumb)).status).toBe(404);
  const closed = { can_favourite: { automatic_approval: ['author'] } };
  const { id } = (await s.alice.post(statuses, { status: 'x', interaction_policy: closed })).json;
  expect((await react(s.bob, id, thumb)).status).toBe(403);
  expect((await react(s.alice, id, thumb)).status).toBe(200);
  expect((await react(s.server.anonymous, s.id, thumb)).status).toBe(401);
  expect((await unreact(s.server.anonymous, s.id, thumb)).status).toBe(401);
  const reader = await s.server.withScopes(s.bob, 'read write:statuses');
  expect((await react(reader, s.id, thumb)).status).toBe(403);
  expect((await unreact(reader, s.id, thumb)).status).toBe(403);
  await s.bob.post(`/api/v1/accounts/${s.alice.id}/block`);
  expect((await react(s.bob, s.id, thumb)).status).toBe(403);
});

test('posts without reactions cost no query for them', async () => {
  await using s = await createScene();
  await s.bob.get(`${statuses}/${s.id}`);
  const read = async () =>
    (await recordStatements(() => s.bob.get(`${statuses}/${s.id}`))).filter(({ text }) =>
      text.includes('status_reactions'),
    ).length;
  expect(await read()).toBe(0);
  await react(s.alice, s.id, thumb);
  await s.bob.get(`${statuses}/${s.id}`);
  expect(await read()).toBe(1);
});
