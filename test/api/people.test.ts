import { expect, test } from 'vitest';
import { startServer, type TestServer, type TestUser } from '../server.ts';

const act = (user: TestUser, verb: string, { id }: { id: string }, body?: object) =>
  user.post(`/api/v1/accounts/${id}/${verb}`, body);
const ids = (list: { id: string }[]) => list.map(({ id }) => id);

async function people<const Names extends readonly string[]>(
  server: TestServer,
  ...names: Names
): Promise<{ [Place in keyof Names]: TestUser }> {
  const users = [];
  for (const name of names) {
    users.push(await server.user(name));
    server.clock.advance(1);
  }
  return users as { [Place in keyof Names]: TestUser };
}

/** Changes what only staff could. */
async function set(server: TestServer, { id }: TestUser, values: object): Promise<void> {
  await server.app.db.updateTable('accounts').set(values).where('id', '=', id).execute();
  server.app.bus.publish('accounts:changed', [id]);
}

const familiar = async (viewer: TestUser, ...targets: TestUser[]) => {
  const query = targets.map(({ id }) => `id[]=${id}`).join('&');
  const { json } = await viewer.get(`/api/v1/accounts/familiar_followers?${query}`);
  return (json as { id: string; accounts: { id: string }[] }[]).map(({ id, accounts }) => [id, ids(accounts)]);
};

test('ACC-08: familiar followers are those whom one follows among the followers of others', async () => {
  await using server = await startServer();
  const [alice, bob, carol, dave, erin] = await people(server, 'alice', 'bob', 'carol', 'dave', 'erin');
  for (const friend of [bob, carol]) await act(alice, 'follow', friend);
  for (const follower of [bob, carol, dave]) await act(follower, 'follow', erin);
  await act(bob, 'follow', dave);
  expect(await familiar(alice, dave, erin, dave)).toEqual([
    [dave.id, [bob.id]],
    [erin.id, [carol.id, bob.id]],
  ]);
  expect((await alice.get('/api/v1/accounts/familiar_followers')).json).toEqual([]);
  expect((await alice.get('/api/v1/accounts/familiar_followers?id[]=1')).json).toEqual([]);
  expect((await alice.get(`/api/v1/accounts/familiar_followers?id=${dave.id}`)).json[0].accounts[0].acct).toBe('bob');
});

test('ACC-08: who hides its network is no familiar follower and has none; the muted, blocking and suspended are none', async () => {
  await using server = await startServer();
  const [alice, bob, carol, erin] = await people(server, 'alice', 'bob', 'carol', 'erin');
  for (const friend of [bob, carol]) await act(alice, 'follow', friend);
  for (const follower of [bob, carol]) await act(follower, 'follow', erin);
  await set(server, erin, { hide_collections: true });
  expect(await familiar(alice, erin)).toEqual([[erin.id, []]]);
  await set(server, erin, { hide_collections: false });
  await set(server, bob, { hide_collections: true });
  expect(await familiar(alice, erin)).toEqual([[erin.id, [carol.id]]]);
  await act(alice, 'mute', carol);
  expect(await familiar(alice, erin)).toEqual([[erin.id, []]]);
  await act(alice, 'unmute', carol);
  await set(server, carol, { suspended_at: server.clock.now() });
  expect(await familiar(alice, erin)).toEqual([[erin.id, []]]);
});

test('familiar followers cost the same number of queries for one account and for many, and not more than 80 at once', async () => {
  await using server = await startServer();
  const [alice, bob, carol, dave] = await people(server, 'alice', 'bob', 'carol', 'dave');
  await act(alice, 'follow', bob);
  for (const target of [carol, dave]) await act(bob, 'follow', target);
  const count = async (...targets: TestUser[]) => {
    await familiar(alice, ...targets);
    const before = server.app.queries.count;
    await familiar(alice, ...targets);
    return server.app.queries.count - before;
  };
  expect(await count(carol, dave)).toBe(await count(carol));
  const many = Array.from({ length: 81 }, (_, n) => `id[]=${n}`).join('&');
  expect((await alice.get(`/api/v1/accounts/familiar_followers?${many}`)).status).toBe(422);
  expect((await server.anonymous.get(`/api/v1/accounts/familiar_followers?id[]=${carol.id}`)).status).toBe(401);
  const writer = await server.as(alice, 'write');
  expect((await writer.get(`/api/v1/accounts/familiar_followers?id[]=${carol.id}`)).status).toBe(403);
});
