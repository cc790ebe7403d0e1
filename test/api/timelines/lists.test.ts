import { expect, test } from 'vitest';
import { deleteAccount } from '../../../server/accounts/lifecycle/index.ts';
import { blockAccount } from '../../../server/relationships/hide/index.ts';
import { followAccount, removeFollower, unfollowAccount } from '../../../server/relationships/follow/index.ts';
import { follow } from '../../feeds.ts';
import { form, startServer, walk, type TestServer, type TestUser } from '../../server.ts';

const lists = '/api/v1/lists';
const namesOf = (response: { json: { username: string }[] }): string[] => response.json.map(({ username }) => username);

/** Creates a list of these members, which the owner already follows, and returns its id. */
async function createList(owner: TestUser, members: readonly TestUser[], fields = {}): Promise<string> {
  const { json } = await owner.post(lists, { title: 'Friends', ...fields });
  const response = await owner.post(`${lists}/${json.id}/accounts`, { account_ids: members.map(({ id }) => id) });
  expect([response.status, response.json], response.text).toEqual([200, {}]);
  return json.id as string;
}

async function createUsers(server: TestServer) {
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  await follow(server, alice, bob);
  await follow(server, alice, carol);
  return { alice, bob, carol };
}

test('LST-01: lists can be created, read, partly updated and deleted', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const created = await alice.post(lists, { title: '  Friends ' });
  expect([created.status, created.json]).toEqual([
    200,
    { id: created.json.id, title: 'Friends', replies_policy: 'list', exclusive: false },
  ]);
  const other = await alice.post(lists, form({ title: 'Work', replies_policy: 'none', exclusive: '1' }));
  expect(other.json).toMatchObject({ title: 'Work', replies_policy: 'none', exclusive: true });
  expect((await alice.get(lists)).json).toEqual([created.json, other.json]);
  expect((await alice.get(`${lists}/${created.json.id}`)).json).toEqual(created.json);
  const changed = await alice.put(`${lists}/${created.json.id}`, { replies_policy: 'followed' });
  expect(changed.json).toEqual({ ...created.json, replies_policy: 'followed' });
  await alice.put(`${lists}/${created.json.id}`, { title: 'Family', exclusive: true });
  expect((await alice.get(`${lists}/${created.json.id}`)).json).toEqual({
    id: created.json.id,
    title: 'Family',
    replies_policy: 'followed',
    exclusive: true,
  });
  const deleted = await alice.delete(`${lists}/${created.json.id}`);
  expect([deleted.status, deleted.json]).toEqual([200, {}]);
  expect((await alice.delete(`${lists}/${created.json.id}`)).status).toBe(404);
  expect((await alice.get(lists)).json).toEqual([other.json]);
});

test('LST-01: an invalid list is 422 with the reason', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const errorOf = async (fields: Record<string, unknown>) => {
    const { status, json } = await alice.post(lists, fields);
    return [status, json.error];
  };
  expect(await errorOf({})).toEqual([422, "Validation failed: Title can't be blank"]);
  expect(await errorOf({ title: ' ' })).toEqual([422, "Validation failed: Title can't be blank"]);
  expect(await errorOf({ title: 'x'.repeat(257) })).toEqual([
    422,
    'Validation failed: Title is too long (maximum is 256 characters)',
  ]);
  expect((await errorOf({ title: 'x', replies_policy: 'some' }))[0]).toBe(422);
  const { json } = await alice.post(lists, { title: '🐦'.repeat(256) });
  expect((await alice.put(`${lists}/${json.id}`, { title: '' })).status).toBe(422);
  expect((await alice.get(`${lists}/${json.id}`)).json.title).toBe('🐦'.repeat(256));
});

test('LST-01: an account has at most fifty lists, even with concurrent requests', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (let count = 0; count < 48; count += 1) await alice.post(lists, { title: `list ${count}` });
  const responses = await Promise.all(Array.from({ length: 5 }, () => alice.post(lists, { title: 'one more' })));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 422, 422, 422]);
  expect((await alice.get(lists)).json).toHaveLength(50);
  expect((await alice.post(lists, { title: 'x' })).json.error).toBe(
    'Validation failed: You have reached the maximum number of lists',
  );
});

test('LST-01: reading requires read:lists, changing write:lists, and both a user', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const id = await createList(alice, [bob]);
  const reader = await server.withScopes(alice, 'read:lists');
  const writer = await server.withScopes(alice, 'write:lists');
  const reads = [lists, `${lists}/${id}`, `${lists}/${id}/accounts`, `/api/v1/accounts/${bob.id}/lists`];
  for (const path of reads) {
    expect((await reader.get(path)).status).toBe(200);
    expect((await writer.get(path)).status).toBe(403);
    expect((await server.anonymous.get(path)).status).toBe(401);
    expect((await (await server.appToken()).get(path)).status).toBe(422);
  }
  expect((await reader.post(lists, { title: 'x' })).status).toBe(403);
  expect((await reader.put(`${lists}/${id}`, { title: 'x' })).status).toBe(403);
  expect((await reader.post(`${lists}/${id}/accounts`, { account_ids: [bob.id] })).status).toBe(403);
  expect((await reader.delete(`${lists}/${id}/accounts`, { account_ids: [bob.id] })).status).toBe(403);
  expect((await reader.delete(`${lists}/${id}`)).status).toBe(403);
  expect((await writer.post(lists, { title: 'x' })).status).toBe(200);
  expect((await writer.put(`${lists}/${id}`, { title: 'x' })).status).toBe(200);
  expect((await writer.delete(`${lists}/${id}/accounts`, { account_ids: [bob.id] })).status).toBe(200);
  expect((await writer.delete(`${lists}/${id}`)).status).toBe(200);
});

test('LST-01: lists of other accounts are 404', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const id = await createList(alice, [bob]);
  await follow(server, carol, bob);
  expect((await carol.get(lists)).json).toEqual([]);
  for (const response of [
    await carol.get(`${lists}/${id}`),
    await carol.get(`${lists}/${id}/accounts`),
    await carol.get(`${lists}/${id}/accounts?limit=0`),
    await carol.put(`${lists}/${id}`, { title: 'mine' }),
    await carol.delete(`${lists}/${id}`),
    await carol.post(`${lists}/${id}/accounts`, { account_ids: [bob.id] }),
    await carol.delete(`${lists}/${id}/accounts`, { account_ids: [bob.id] }),
    await carol.get(`${lists}/12345`),
    await carol.get(`${lists}/none`),
  ]) {
    expect([response.status, response.json]).toEqual([404, { error: 'Record not found' }]);
  }
  expect(namesOf(await alice.get(`${lists}/${id}/accounts`))).toEqual(['bob']);
});

test('LST-01: members are followed, requested or the owner; one other account rejects the whole request', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const [dave, erin] = [await server.user('dave'), await server.user('erin')];
  await dave.patch('/api/v1/accounts/update_credentials', { locked: true });
  await followAccount(server.app, alice.id, dave.id);
  const id = await createList(alice, [dave, alice]);
  const add = async (...ids: string[]) => {
    const { status, json } = await alice.post(`${lists}/${id}/accounts`, { account_ids: ids });
    return [status, json.error];
  };
  expect(await add(bob.id, erin.id)).toEqual([422, 'Validation failed: Account must be followed']);
  expect(await add(bob.id, '12345')).toEqual([404, 'Record not found']);
  expect(await add(bob.id, dave.id)).toEqual([422, 'Validation failed: Account has already been taken']);
  expect(namesOf(await alice.get(`${lists}/${id}/accounts`))).toEqual(['alice', 'dave']);
  expect(await add(bob.id, bob.id)).toEqual([200, undefined]);
  expect(await add()).toEqual([200, undefined]);
  const removed = await alice.delete(`${lists}/${id}/accounts`, { account_ids: [dave.id, '12345', erin.id] });
  expect([removed.status, removed.json]).toEqual([200, {}]);
  expect(namesOf(await alice.get(`${lists}/${id}/accounts`))).toEqual(['bob', 'alice']);
  await alice.delete(`${lists}/${id}/accounts?account_ids[]=${bob.id}`);
  expect(namesOf(await alice.get(`${lists}/${id}/accounts`))).toEqual(['alice']);
});

test('LST-01: a membership survives the acceptance of a follow request, and ends with the follow', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const [dave, erin] = [await server.user('dave'), await server.user('erin')];
  for (const target of [dave, erin]) {
    await target.patch('/api/v1/accounts/update_credentials', { locked: true });
    await followAccount(server.app, alice.id, target.id);
  }
  const frank = await server.user('frank');
  await follow(server, alice, frank);
  const first = await createList(alice, [bob, carol, dave, erin, frank, alice]);
  const second = await createList(alice, [bob]);
  const members = async () => namesOf(await alice.get(`${lists}/${first}/accounts?limit=0`)).toSorted();
  await dave.post(`/api/v1/follow_requests/${alice.id}/authorize`);
  await erin.post(`/api/v1/follow_requests/${alice.id}/reject`);
  expect(await members()).toEqual(['alice', 'bob', 'carol', 'dave', 'frank']);
  await unfollowAccount(server.app, alice.id, bob.id);
  expect(await members()).toEqual(['alice', 'carol', 'dave', 'frank']);
  expect((await alice.get(`${lists}/${second}/accounts`)).json).toEqual([]);
  await removeFollower(server.app, carol.id, alice.id);
  await blockAccount(server.app, dave.id, alice.id);
  await blockAccount(server.app, alice.id, frank.id);
  expect(await members()).toEqual(['alice']);
  await follow(server, alice, bob);
  expect(await members()).toEqual(['alice']);
});

test('PAG-05: the accounts of a list are paged by Link; limit=0 returns all of them', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const members: TestUser[] = [];
  for (let count = 0; count < 9; count += 1) {
    const member = await server.user(`member${count}`);
    await followAccount(server.app, alice.id, member.id);
    members.unshift(member);
  }
  const id = await createList(alice, members.toReversed());
  const names = members.map(({ username }) => username);
  const walked = await walk(alice, `${lists}/${id}/accounts?limit=4`);
  expect(walked.map((account) => account.id)).toEqual(members.map((member) => member.id));
  const all = await alice.get(`${lists}/${id}/accounts?limit=0`);
  expect([namesOf(all), all.headers['link']]).toEqual([names, undefined]);
  const second = await alice.get((await alice.get(`${lists}/${id}/accounts?limit=4`)).links.next?.href ?? '');
  expect(namesOf(second)).toEqual(names.slice(4, 8));
  const cursor = second.links.prev?.searchParams.get('since_id');
  expect(namesOf(await alice.get(`${lists}/${id}/accounts?limit=2&min_id=${cursor}`))).toEqual(names.slice(2, 4));
  expect(namesOf(await alice.get(`${lists}/${id}/accounts?limit=2&since_id=${cursor}`))).toEqual(names.slice(0, 2));
  const last = await alice.get(`${lists}/${id}/accounts?limit=20`);
  expect(last.links.next).toBeUndefined();
});

test('ACC-10: returns the lists of the user that contain an account', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  await follow(server, carol, bob);
  const first = await createList(alice, [bob, carol]);
  const second = await createList(alice, [bob], { title: 'Second' });
  await createList(carol, [bob]);
  const listsWith = async (target: TestUser) =>
    ((await alice.get(`/api/v1/accounts/${target.id}/lists`)).json as { id: string }[]).map(({ id }) => id);
  expect(await listsWith(bob)).toEqual([first, second]);
  expect(await listsWith(carol)).toEqual([first]);
  expect((await bob.get(`/api/v1/accounts/${alice.id}/lists`)).json).toEqual([]);
  expect((await alice.get('/api/v1/accounts/12345/lists')).status).toBe(404);
});

test('deleting an account removes it from all lists and deletes its own', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  await follow(server, bob, alice);
  const id = await createList(alice, [bob]);
  await createList(bob, [alice]);

  await deleteAccount(server.app, bob.id);
  await server.drain();
  expect((await alice.get(`${lists}/${id}/accounts`)).json).toEqual([]);
  expect((await server.app.db.selectFrom('lists').select('id').execute()).map((row) => row.id)).toEqual([id]);
});
