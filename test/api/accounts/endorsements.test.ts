import { clearCaches } from '../../../server/platform/write/publish.ts';
import { expect, test } from 'vitest';
import { startServer, walk, type TestServer, type TestUser } from '../../server.ts';

const act = (user: TestUser, verb: string, { id }: { id: string }) => user.post(`/api/v1/accounts/${id}/${verb}`);
const ids = (list: { id: string }[]) => list.map(({ id }) => id);

async function createFollowing(server: TestServer, ...names: string[]): Promise<[TestUser, ...TestUser[]]> {
  const alice = await server.user('alice');
  const others = [];
  for (const name of names) {
    const other = await server.user(name);
    await act(alice, 'follow', other);
    others.push(other);
    server.clock.advance(1);
  }
  return [alice, ...others];
}

test('ACC-12: endorse and its deprecated alias pin endorse a followed account; repeating them changes nothing', async () => {
  await using server = await startServer();
  const [alice, bob] = await createFollowing(server, 'bob');
  if (bob === undefined) throw new Error('no user was created');
  for (const [endorse, unendorse] of [
    ['endorse', 'unendorse'],
    ['pin', 'unpin'],
  ] as const) {
    for (let again = 0; again < 2; again += 1) {
      const response = await act(alice, endorse, bob);
      expect([response.status, response.json.id, response.json.endorsed]).toEqual([200, bob.id, true]);
    }
    expect(ids((await alice.get('/api/v1/endorsements')).json)).toEqual([bob.id]);
    for (let again = 0; again < 2; again += 1) expect((await act(alice, unendorse, bob)).json.endorsed).toBe(false);
    expect((await alice.get('/api/v1/endorsements')).json).toEqual([]);
  }
  const deprecation = async (path: string) => (await alice.post(path)).headers['deprecation'];
  expect(await deprecation(`/api/v1/accounts/${bob.id}/pin`)).toBeDefined();
  expect(await deprecation(`/api/v1/accounts/${bob.id}/unpin`)).toBeDefined();
  expect(await deprecation(`/api/v1/accounts/${bob.id}/endorse`)).toBeUndefined();
  expect(await deprecation(`/api/v1/accounts/${bob.id}/unendorse`)).toBeUndefined();
});

test('ACC-12: endorsing an account that the user does not follow, or itself, is 422; an unknown account is 404', async () => {
  await using server = await startServer();
  const [alice] = await createFollowing(server);
  const carol = await server.user('carol');
  await carol.patch('/api/v1/accounts/update_credentials', { locked: true });
  for (const verb of ['endorse', 'pin']) {
    expect((await act(alice, verb, carol)).status).toBe(422);
    expect((await act(alice, verb, alice)).status).toBe(422);
    expect((await act(alice, verb, { id: '1' })).status).toBe(404);
  }
  await act(alice, 'follow', carol);
  expect((await act(alice, 'endorse', carol)).status).toBe(422);
  expect((await alice.get('/api/v1/endorsements')).json).toEqual([]);
});

test('ACC-12: an endorsement ends with the follow, whichever side ends it', async () => {
  await using server = await startServer();
  const [alice, bob, carol, dave] = await createFollowing(server, 'bob', 'carol', 'dave');
  if (bob === undefined || carol === undefined || dave === undefined) throw new Error('no user was created');
  for (const other of [bob, carol, dave]) await act(alice, 'endorse', other);
  expect((await act(alice, 'unfollow', bob)).json.endorsed).toBe(false);
  expect((await act(alice, 'block', carol)).json.endorsed).toBe(false);
  await act(dave, 'remove_from_followers', alice);
  expect((await alice.get('/api/v1/endorsements')).json).toEqual([]);
});

test('ACC-12 BLK-02: endorsements are paged by the ids of their rows; limit=0 returns all of them without links', async () => {
  await using server = await startServer();
  const [alice, ...others] = await createFollowing(server, 'bob', 'carol', 'dave', 'erin');
  for (const other of others) {
    await act(alice, 'endorse', other);
    server.clock.advance(1);
  }
  const newestFirst = ids(others).toReversed();
  for (const path of ['/api/v1/endorsements', `/api/v1/accounts/${alice.id}/endorsements`]) {
    const first = await alice.get(`${path}?limit=2`);
    expect(ids(first.json)).toEqual(newestFirst.slice(0, 2));
    expect(first.links.prev?.searchParams.get('since_id')).toMatch(/^\d+$/);
    expect(ids(await walk(alice, `${path}?limit=2`))).toEqual(newestFirst);
    const all = await alice.get(`${path}?limit=0`);
    expect(ids(all.json)).toEqual(newestFirst);
    expect(all.headers['link']).toBeUndefined();
  }
});

test('ACC-12: endorsements are public, but empty for a blocked viewer and without accounts that the viewer mutes', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = await createFollowing(server, 'bob', 'carol');
  if (bob === undefined || carol === undefined) throw new Error('no user was created');
  const dave = await server.user('dave');
  const blocked = await server.user('blocked');
  for (const other of [bob, carol]) await act(alice, 'endorse', other);
  const path = `/api/v1/accounts/${alice.id}/endorsements`;
  for (const viewer of [server.anonymous, dave, alice, bob]) {
    expect(ids((await viewer.get(path)).json)).toEqual([carol.id, bob.id]);
  }
  await act(dave, 'mute', bob);
  expect(ids((await dave.get(path)).json)).toEqual([carol.id]);
  await act(alice, 'block', blocked);
  expect((await blocked.get(path)).json).toEqual([]);
  await server.db
    .updateTable('accounts')
    .set({ suspended_at: server.clock.now() })
    .where('id', '=', carol.id)
    .execute();
  clearCaches(server.app);
  expect(ids((await server.anonymous.get(path)).json)).toEqual([bob.id]);
  await server.db
    .updateTable('accounts')
    .set({ suspended_at: server.clock.now() })
    .where('id', '=', alice.id)
    .execute();
  clearCaches(server.app);
  expect((await server.anonymous.get(path)).json).toEqual([]);
  expect((await server.anonymous.get('/api/v1/accounts/1/endorsements')).status).toBe(404);
});

test('ACC-12: endorsing requires a user and the scopes for accounts', async () => {
  await using server = await startServer();
  const [alice, bob] = await createFollowing(server, 'bob');
  if (bob === undefined) throw new Error('no user was created');
  const reader = await server.withScopes(alice, 'read:accounts follow');
  const writer = await server.withScopes(alice, 'write:accounts');
  for (const verb of ['endorse', 'unendorse', 'pin', 'unpin']) {
    const path = `/api/v1/accounts/${bob.id}/${verb}`;
    expect((await server.anonymous.post(path)).status).toBe(401);
    expect((await (await server.appToken()).post(path)).status).toBe(422);
    expect((await reader.post(path)).status).toBe(403);
    expect((await writer.post(path)).status).toBe(200);
  }
  expect((await server.anonymous.get('/api/v1/endorsements')).status).toBe(401);
  expect((await writer.get('/api/v1/endorsements')).status).toBe(403);
  expect((await reader.get('/api/v1/endorsements')).status).toBe(200);
  expect((await writer.get(`/api/v1/accounts/${bob.id}/endorsements`)).status).toBe(403);
});

test('ACC-12: an endorsement never outlives the follow, even with concurrent requests', async () => {
  await using server = await startServer();
  const [alice, bob] = await createFollowing(server, 'bob');
  if (bob === undefined) throw new Error('no user was created');
  for (let round = 0; round < 5; round += 1) {
    await act(alice, 'follow', bob);
    await Promise.all([act(alice, 'endorse', bob), act(alice, 'unfollow', bob)]);
    expect((await alice.get('/api/v1/endorsements')).json).toEqual([]);
  }
});
