import { expect, test } from 'vitest';
import { deleteAccount } from '../../server/accounts/lifecycle/index.ts';
import { blockAccount, followAccount, removeFollower, unfollowAccount } from '../../server/relationships/index.ts';
import { follow } from '../feeds.ts';
import { form, startServer, walk, type TestServer, type TestUser } from '../server.ts';

const lists = '/api/v1/lists';
const namesOf = (answer: { json: { username: string }[] }): string[] => answer.json.map(({ username }) => username);

/** Makes a list of these members, who are followed already; gives its id. */
async function createList(owner: TestUser, members: readonly TestUser[], fields = {}): Promise<string> {
  const { json } = await owner.post(lists, { title: 'Friends', ...fields });
  const answer = await owner.post(`${lists}/${json.id}/accounts`, { account_ids: members.map(({ id }) => id) });
  expect([answer.status, answer.json], answer.text).toEqual([200, {}]);
  return json.id as string;
}

async function createUsers(server: TestServer) {
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  await follow(server, alice, bob);
  await follow(server, alice, carol);
  return { alice, bob, carol };
}

test('LST-01: lists are made, shown, changed in part and deleted', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const made = await alice.post(lists, { title: '  Friends ' });
  expect([made.status, made.json]).toEqual([
    200,
    { id: made.json.id, title: 'Friends', replies_policy: 'list', exclusive: false },
  ]);
  const other = await alice.post(lists, form({ title: 'Work', replies_policy: 'none', exclusive: '1' }));
  expect(other.json).toMatchObject({ title: 'Work', replies_policy: 'none', exclusive: true });
  expect((await alice.get(lists)).json).toEqual([made.json, other.json]);
  expect((await alice.get(`${lists}/${made.json.id}`)).json).toEqual(made.json);
  const changed = await alice.put(`${lists}/${made.json.id}`, { replies_policy: 'followed' });
  expect(changed.json).toEqual({ ...made.json, replies_policy: 'followed' });
  await alice.put(`${lists}/${made.json.id}`, { title: 'Family', exclusive: true });
  expect((await alice.get(`${lists}/${made.json.id}`)).json).toEqual({
    id: made.json.id,
    title: 'Family',
    replies_policy: 'followed',
    exclusive: true,
  });
  const gone = await alice.delete(`${lists}/${made.json.id}`);
  expect([gone.status, gone.json]).toEqual([200, {}]);
  expect((await alice.delete(`${lists}/${made.json.id}`)).status).toBe(404);
  expect((await alice.get(lists)).json).toEqual([other.json]);
});

test('LST-01: what cannot be a list is refused with its reason', async () => {
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

test('LST-01: an account has at most fifty lists, also when it asks for several at once', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (let count = 0; count < 48; count += 1) await alice.post(lists, { title: `list ${count}` });
  const answers = await Promise.all(Array.from({ length: 5 }, () => alice.post(lists, { title: 'one more' })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 422, 422, 422]);
  expect((await alice.get(lists)).json).toHaveLength(50);
  expect((await alice.post(lists, { title: 'x' })).json.error).toBe(
    'Validation failed: You have reached the maximum number of lists',
  );
});

test('LST-01: reading needs read:lists, changing write:lists, and a user', async () => {
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

test('LST-01: the lists of others do not exist', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const id = await createList(alice, [bob]);
  await follow(server, carol, bob);
  expect((await carol.get(lists)).json).toEqual([]);
  for (const answer of [
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
    expect([answer.status, answer.json]).toEqual([404, { error: 'Record not found' }]);
  }
  expect(namesOf(await alice.get(`${lists}/${id}/accounts`))).toEqual(['bob']);
});

test('LST-01: members are followed, asked for or oneself; others are refused, and then nobody is added', async () => {
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

test('LST-01: a membership lasts as long as the follow, and outlives the answer to a request', async () => {
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

test('PAG-05: the accounts of a list are paged by Link, or given all at once', async () => {
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

test('ACC-10: shows those of one’s own lists that an account is in', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  await follow(server, carol, bob);
  const first = await createList(alice, [bob, carol]);
  const second = await createList(alice, [bob], { title: 'Second' });
  await createList(carol, [bob]);
  const of = async (target: TestUser) =>
    ((await alice.get(`/api/v1/accounts/${target.id}/lists`)).json as { id: string }[]).map(({ id }) => id);
  expect(await of(bob)).toEqual([first, second]);
  expect(await of(carol)).toEqual([first]);
  expect((await bob.get(`/api/v1/accounts/${alice.id}/lists`)).json).toEqual([]);
  expect((await alice.get('/api/v1/accounts/12345/lists')).status).toBe(404);
});

test('a deleted account leaves all lists, and its own are gone', async () => {
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
