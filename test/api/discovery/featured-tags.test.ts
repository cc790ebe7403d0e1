import { clearCaches } from '../../../server/platform/write/publish.ts';
import { expect, test } from 'vitest';
import { form, startServer, type TestUser } from '../../server.ts';

const names = (list: { name: string }[]) => list.map(({ name }) => name);
const feature = (user: TestUser, name: string) => user.post('/api/v1/featured_tags', { name });

test('TAG-01: a featured tag counts the public and unlisted posts of its owner; the most used one comes first', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  const created = await alice.post('/api/v1/featured_tags', form({ name: '#Vogel' }));
  expect(created.status).toBe(200);
  expect(created.json).toEqual({
    id: expect.stringMatching(/^\d+$/),
    name: 'Vogel',
    url: 'https://fieldfare.test/@alice/tagged/vogel',
    statuses_count: '0',
    last_status_at: null,
  });
  await feature(alice, 'owls');
  await alice.post('/api/v1/statuses', { status: 'hoo #owls' });
  await alice.post('/api/v1/statuses', { status: 'hoo #owls', visibility: 'unlisted' });
  await alice.post('/api/v1/statuses', { status: 'hoo #owls', visibility: 'private' });
  await bob.post('/api/v1/statuses', { status: 'hoo #owls' });
  const { json } = await alice.get('/api/v1/featured_tags');
  expect(json).toMatchObject([
    { name: 'owls', statuses_count: '2', last_status_at: server.clock.now().toISOString().slice(0, 10) },
    { name: 'Vogel', statuses_count: '0' },
  ]);
  for (const reader of [server.anonymous, bob, alice]) {
    expect((await reader.get(`/api/v1/accounts/${alice.id}/featured_tags`)).json).toEqual(json);
  }
  expect((await bob.get('/api/v1/featured_tags')).json).toEqual([]);
  await alice.post(`/api/v1/accounts/${bob.id}/block`);
  expect((await bob.get(`/api/v1/accounts/${alice.id}/featured_tags`)).json).toEqual([]);
  expect((await server.anonymous.get('/api/v1/accounts/1/featured_tags')).status).toBe(404);
});

test('TAG-01: featuring a tag twice returns the same one; an eleventh tag and an invalid hashtag are 422', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const first = await feature(alice, 'tag1');
  expect((await feature(alice, 'TAG1')).json.id).toBe(first.json.id);
  for (let count = 2; count <= 10; count += 1) expect((await feature(alice, `tag${count}`)).status).toBe(200);
  const eleventh = await feature(alice, 'tag11');
  expect(eleventh.status).toBe(422);
  expect(eleventh.json.error).toMatch(/maximum number of hashtags/);
  expect((await alice.post('/api/v1/tags/tag11/feature')).status).toBe(422);
  expect((await feature(alice, 'tag3')).status).toBe(200);
  expect((await alice.get('/api/v1/featured_tags')).json).toHaveLength(10);
  for (const name of ['a b', '123', '%']) expect((await feature(alice, name)).status, name).toBe(422);
  for (const body of [{}, { name: '' }]) expect((await alice.post('/api/v1/featured_tags', body)).status).toBe(400);
});

test('TAG-01: concurrent requests cannot feature more than ten tags', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (let count = 1; count <= 9; count += 1) await feature(alice, `tag${count}`);
  const responses = await Promise.all([feature(alice, 'left'), feature(alice, 'right'), feature(alice, 'middle')]);
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
});

test('TAG-01: only its owner can delete a featured tag, by its id', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  const { id } = (await feature(alice, 'vogel')).json;
  expect((await bob.delete(`/api/v1/featured_tags/${id}`)).status).toBe(404);
  const deleted = await alice.delete(`/api/v1/featured_tags/${id}`);
  expect([deleted.status, deleted.json]).toEqual([200, {}]);
  expect((await alice.delete(`/api/v1/featured_tags/${id}`)).status).toBe(404);
  expect((await alice.delete('/api/v1/featured_tags/none')).status).toBe(404);
  expect((await alice.get('/api/v1/featured_tags')).json).toEqual([]);
});

test('TAG-01: a tag can also be featured and unfeatured by its name', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  expect((await alice.post('/api/v1/tags/Vogel/feature')).json).toMatchObject({ name: 'Vogel', featuring: true });
  expect((await alice.post('/api/v1/tags/vogel/feature')).json.featuring).toBe(true);
  expect((await alice.get('/api/v1/tags/vogel')).json.featuring).toBe(true);
  expect(names((await alice.get('/api/v1/featured_tags')).json)).toEqual(['Vogel']);
  expect((await alice.post('/api/v1/tags/vogel/unfeature')).json.featuring).toBe(false);
  expect((await alice.post('/api/v1/tags/vogel/unfeature')).status).toBe(200);
  expect((await alice.get('/api/v1/featured_tags')).json).toEqual([]);
});

test('TAG-01: recently used tags that are not featured are suggested, the most used first', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await alice.post('/api/v1/statuses', { status: '#one #two' });
  await alice.post('/api/v1/statuses', { status: '#two #three' });
  await alice.post('/api/v1/statuses', { status: '#two #three #secret', visibility: 'private' });
  await feature(alice, 'three');
  const { json } = await alice.get('/api/v1/featured_tags/suggestions');
  expect(names(json)).toEqual(['two', 'one']);
  expect(json[0]).toMatchObject({ following: false, featuring: false, history: expect.any(Array) });
});

test('TAG-01: featured tags require a user and the scopes for accounts', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const reader = await server.withScopes(alice, 'read:accounts');
  const writer = await server.withScopes(alice, 'write:accounts');
  const { id } = (await feature(writer, 'vogel')).json;
  for (const path of ['/api/v1/featured_tags', '/api/v1/featured_tags/suggestions']) {
    expect((await server.anonymous.get(path)).status).toBe(401);
    expect((await writer.get(path)).status).toBe(403);
    expect((await reader.get(path)).status).toBe(200);
  }
  for (const path of ['/api/v1/featured_tags', '/api/v1/tags/vogel/feature', '/api/v1/tags/vogel/unfeature']) {
    expect((await server.anonymous.post(path, { name: 'a' })).status).toBe(401);
    expect((await reader.post(path, { name: 'a' })).status).toBe(403);
  }
  expect((await reader.delete(`/api/v1/featured_tags/${id}`)).status).toBe(403);
});

test('TAG-01: a suspended account shows no featured tags', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await feature(alice, 'vogel');
  await server.db
    .updateTable('accounts')
    .set({ suspended_at: server.clock.now() })
    .where('id', '=', alice.id)
    .execute();
  clearCaches(server.app);
  expect((await server.anonymous.get(`/api/v1/accounts/${alice.id}/featured_tags`)).json).toEqual([]);
});
