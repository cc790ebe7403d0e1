import { clearCaches } from '../../../server/platform/write/publish.ts';
import { expect, test } from 'vitest';
import { deleteAccount } from '../../../server/accounts/lifecycle/index.ts';
import type { AccountId } from '../../../server/platform/ids.ts';
import { blockAccount, muteAccount, unblockAccount } from '../../../server/relationships/hide/index.ts';
import { followAccount } from '../../../server/relationships/follow/index.ts';
import { form, startServer, type TestServer, type TestUser } from '../../server.ts';

const collections = '/api/v1/collections';

interface Item {
  readonly id: string;
  readonly account_id: string;
  readonly state: string;
}

/** Creates a discoverable user. Anyone can add it to a collection. */
async function createDiscoverableUser(server: TestServer, name: string): Promise<TestUser> {
  const user = await server.user(name);
  await user.patch('/api/v1/accounts/update_credentials', { discoverable: true });
  return user;
}

async function createUsers(server: TestServer) {
  return {
    alice: await createDiscoverableUser(server, 'alice'),
    bob: await createDiscoverableUser(server, 'bob'),
    carol: await createDiscoverableUser(server, 'carol'),
  };
}

async function createCollection(owner: TestUser, members: readonly TestUser[], fields = {}) {
  const response = await owner.post(collections, {
    name: 'Birds',
    account_ids: members.map(({ id }) => id),
    ...fields,
  });
  expect(response.status, response.text).toBe(200);
  return response.json.collection as { id: string; url: string; uri: string; items: Item[] };
}

async function suspend(server: TestServer, id: AccountId, suspended = true): Promise<void> {
  await server.db
    .updateTable('accounts')
    .set({ suspended_at: suspended ? server.clock.now() : null })
    .where('id', '=', id)
    .execute();
  clearCaches(server.app);
}

const membersOf = (response: { json: { collection: { items: Item[] } } }): string[] =>
  response.json.collection.items.map(({ account_id: id }) => id);
const idsOf = (response: { json: { collections: { id: string }[] } }): string[] =>
  response.json.collections.map(({ id }) => id);

test('a collection can be created, read, partly updated and deleted', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const response = await alice.post(collections, {
    name: '  Birds ',
    description: 'Who sings',
    language: 'en',
    tag_name: '#BirdSong',
    sensitive: true,
    account_ids: [carol.id, bob.id],
  });
  const { collection } = response.json;
  const base = server.app.config.baseUrl;
  expect(collection).toEqual({
    id: collection.id,
    account_id: alice.id,
    uri: `${base}/ap/users/${alice.id}/collections/${collection.id}`,
    url: `${base}/collections/${collection.id}`,
    name: 'Birds',
    description: 'Who sings',
    language: 'en',
    local: true,
    sensitive: true,
    discoverable: true,
    tag: { name: 'BirdSong', url: `${base}/tags/birdsong` },
    created_at: collection.created_at,
    updated_at: collection.created_at,
    item_count: 2,
    items: [carol, bob].map(({ id }) => ({
      id: expect.any(String),
      account_id: id,
      state: 'accepted',
      created_at: collection.created_at,
    })),
  });
  const shown = await server.anonymous.get(`${collections}/${collection.id}`);
  expect(shown.json.collection).toEqual(collection);
  expect(shown.json.accounts.map((account: { acct: string }) => account.acct)).toEqual(['alice', 'carol', 'bob']);
  server.clock.advance(60);
  const changed = await alice.patch(`${collections}/${collection.id}`, { name: 'Owls', tag_name: '', language: '' });
  expect(changed.json.collection).toEqual({
    ...collection,
    name: 'Owls',
    tag: null,
    language: null,
    updated_at: server.clock.now().toISOString(),
  });
  const again = await alice.put(`${collections}/${collection.id}`, form({ sensitive: '0', discoverable: 'false' }));
  expect(again.json.collection).toMatchObject({ name: 'Owls', sensitive: false, discoverable: false });
  const deleted = await alice.delete(`${collections}/${collection.id}`);
  expect([deleted.status, deleted.text]).toEqual([200, '']);
  expect(deleted.headers['content-type']).toBe('text/html; charset=utf-8');
  expect((await alice.get(`${collections}/${collection.id}`)).status).toBe(404);
  expect((await alice.delete(`${collections}/${collection.id}`)).status).toBe(404);
});

test('an invalid collection is 422, with the usual error object inside of error', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const refused = await alice.post(collections, { name: ' ' });
  expect([refused.status, refused.json]).toEqual([
    422,
    {
      error: {
        error: "Validation failed: Name can't be blank",
        details: { name: [{ error: 'ERR_BLANK', description: "can't be blank" }] },
      },
    },
  ]);
  const codesOf = async (fields: object) => {
    const { status, json } = await alice.post(collections, fields);
    expect(status).toBe(422);
    return Object.entries(json.error.details).map(([field, list]) => [field, (list as { error: string }[])[0]?.error]);
  };
  expect(await codesOf({})).toEqual([['name', 'ERR_BLANK']]);
  expect(await codesOf({ name: 'x'.repeat(41), description: 'x'.repeat(101) })).toEqual([
    ['name', 'ERR_TOO_LONG'],
    ['description', 'ERR_TOO_LONG'],
  ]);
  expect(await codesOf({ name: 'a', language: 'klingon-of-old', tag_name: 'no tag!' })).toEqual([
    ['language', 'ERR_INCLUSION'],
    ['tag_name', 'ERR_INVALID'],
  ]);
  await createCollection(alice, [], { name: '💚'.repeat(40), description: 'ü'.repeat(100) });
  const { id } = await createCollection(alice, []);
  const patched = await alice.patch(`${collections}/${id}`, { name: '', description: 'x'.repeat(101) });
  expect([patched.status, Object.keys(patched.json.error.details)]).toEqual([422, ['name', 'description']]);
  await server.db
    .insertInto('tags')
    .values({ id: '1' as never, name: 'bad', display_name: 'bad', usable: false, created_at: server.clock.now() })
    .execute();
  expect(await codesOf({ name: 'a', tag_name: 'Bad' })).toEqual([['tag_name', 'ERR_UNUSABLE']]);
  const tooManyIds = Array.from({ length: 26 }, (_, index) => String(index + 1));
  expect(await codesOf({ name: 'a', account_ids: tooManyIds })).toEqual([['collection_items', 'ERR_TOO_MANY']]);
  for (let index = 0; index < 8; index += 1) await createCollection(alice, [], { name: `${index}` });
  const eleventh = await alice.post(collections, { name: 'One more' });
  expect([eleventh.status, eleventh.json.error.error]).toEqual([
    422,
    'Validation failed: You have reached the maximum number of collections (10)',
  ]);
  expect((await bob.get('/api/v1/accounts/verify_credentials')).json.role.collection_limit).toBe(10);
  expect((await bob.post(collections, { name: 'Own' })).status).toBe(200);
});

test('only its owner can change a collection, with a token of the right scope', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const { id, items } = await createCollection(alice, [bob]);
  const itemsPath = `${collections}/${id}/items`;
  for (const call of [
    () => carol.patch(`${collections}/${id}`, { name: 'Mine' }),
    () => carol.delete(`${collections}/${id}`),
    () => carol.post(itemsPath, { account_id: carol.id }),
    () => bob.delete(`${itemsPath}/${items[0]?.id}`),
    () => carol.post(`${itemsPath}/${items[0]?.id}/revoke`),
    () => alice.post(`${itemsPath}/${items[0]?.id}/revoke`),
  ]) {
    const { status, json } = await call();
    expect([status, json.error]).toEqual([403, 'This action is not allowed']);
  }
  const reader = await server.withScopes(alice, 'read');
  const narrow = await server.withScopes(alice, 'read:collections write:collections');
  const other = await server.withScopes(alice, 'read:lists write:lists');
  for (const user of [reader, other]) {
    expect((await user.post(collections, { name: 'a' })).status).toBe(403);
    expect((await user.patch(`${collections}/${id}`, { name: 'a' })).status).toBe(403);
    expect((await user.delete(`${collections}/${id}`)).status).toBe(403);
    expect((await user.post(itemsPath, { account_id: carol.id })).status).toBe(403);
    expect((await user.delete(`${itemsPath}/${items[0]?.id}`)).status).toBe(403);
    expect((await user.post(`${itemsPath}/${items[0]?.id}/revoke`)).status).toBe(403);
  }
  expect((await other.get(`${collections}/${id}`)).status).toBe(403);
  expect((await other.get(`/api/v1/accounts/${alice.id}/collections`)).status).toBe(403);
  expect((await other.get(`/api/v1/accounts/${alice.id}/in_collections`)).status).toBe(403);
  expect((await narrow.get(`${collections}/${id}`)).status).toBe(200);
  expect((await narrow.patch(`${collections}/${id}`, { name: 'Still' })).status).toBe(200);
  for (const call of [
    server.anonymous.post(collections, { name: 'a' }),
    server.anonymous.patch(`${collections}/${id}`, { name: 'a' }),
    server.anonymous.delete(`${collections}/${id}`),
    server.anonymous.post(itemsPath, { account_id: carol.id }),
    server.anonymous.delete(`${itemsPath}/${items[0]?.id}`),
    server.anonymous.post(`${itemsPath}/${items[0]?.id}/revoke`),
    server.anonymous.get(`/api/v1/accounts/${alice.id}/in_collections`),
  ]) {
    expect((await call).status).toBe(401);
  }
  for (const unknown of ['0', '12345678', 'nonsense']) {
    expect((await alice.get(`${collections}/${unknown}`)).status).toBe(404);
    expect((await alice.patch(`${collections}/${unknown}`, { name: 'a' })).status).toBe(404);
    expect((await alice.post(`${collections}/${unknown}/items`, { account_id: bob.id })).status).toBe(404);
    expect((await alice.delete(`${itemsPath}/${unknown}`)).status).toBe(404);
    expect((await bob.post(`${itemsPath}/${unknown}/revoke`)).status).toBe(404);
    expect((await alice.get(`/api/v1/accounts/${unknown}/collections`)).status).toBe(404);
    expect((await alice.get(`/api/v1/accounts/${unknown}/in_collections`)).status).toBe(404);
  }
});

test('accounts are added one by one, each once, up to 25', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const { id } = await createCollection(alice, [bob]);
  const itemsPath = `${collections}/${id}/items`;
  const missing = await alice.post(itemsPath, {});
  expect([missing.status, missing.json]).toEqual([422, { error: '`account_id` parameter is missing' }]);
  const added = await alice.post(itemsPath, { account_id: carol.id });
  expect([added.status, added.json]).toEqual([
    200,
    {
      collection_item: {
        id: expect.any(String),
        account_id: carol.id,
        state: 'accepted',
        created_at: server.clock.now().toISOString(),
      },
    },
  ]);
  const twice = await alice.post(itemsPath, { account_id: carol.id });
  expect([twice.status, twice.json.error]).toEqual([422, 'Validation failed: Account has already been taken']);
  expect((await alice.post(itemsPath, { account_id: '424242' })).status).toBe(404);
  expect(membersOf(await alice.get(`${collections}/${id}`))).toEqual([bob.id, carol.id]);
  const removed = await alice.delete(`${itemsPath}/${added.json.collection_item.id}`);
  expect([removed.status, removed.text]).toEqual([200, '']);
  expect((await alice.delete(`${itemsPath}/${added.json.collection_item.id}`)).status).toBe(404);
  expect(membersOf(await alice.get(`${collections}/${id}`))).toEqual([bob.id]);
  expect((await alice.post(itemsPath, { account_id: carol.id })).status).toBe(200);
  for (let index = 2; index < 25; index += 1) {
    const { id: member } = await createDiscoverableUser(server, `member${index}`);
    expect((await alice.post(itemsPath, { account_id: member })).status).toBe(200);
  }
  const last = await createDiscoverableUser(server, 'last');
  const full = await alice.post(itemsPath, { account_id: last.id });
  expect([full.status, full.json.error]).toEqual([
    422,
    'Validation failed: Collection items are too many (maximum is 25)',
  ]);
  expect((await alice.get(`${collections}/${id}`)).json.collection.item_count).toBe(25);
});

test('anyone can add a discoverable account, only followers a locked one, and a block prevents it', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const hidden = await server.user('hidden');
  const { id } = await createCollection(alice, []);
  const add = async (member: TestUser) =>
    (await alice.post(`${collections}/${id}/items`, { account_id: member.id })).status;
  const approval = async (viewer: { get: TestUser['get'] }, account: TestUser) =>
    (await viewer.get(`/api/v1/accounts/${account.id}`)).json.feature_approval;

  expect(await approval(alice, hidden)).toEqual({ automatic: [], manual: [], current_user: 'denied' });
  expect(await add(hidden)).toBe(403);
  const refused = await alice.post(collections, { name: 'All', account_ids: [bob.id, hidden.id] });
  expect([refused.status, refused.json.error]).toEqual([403, 'This account cannot be added to collections']);
  expect((await alice.post(collections, { name: 'All', account_ids: ['5555'] })).status).toBe(404);
  expect(idsOf(await alice.get(`/api/v1/accounts/${alice.id}/collections`))).toEqual([id]);

  expect(await approval(alice, bob)).toEqual({ automatic: ['public'], manual: [], current_user: 'automatic' });
  expect((await approval(server.anonymous, bob)).current_user).toBe('denied');
  await bob.patch('/api/v1/accounts/update_credentials', { locked: true });
  expect(await approval(alice, bob)).toEqual({ automatic: ['followers'], manual: [], current_user: 'denied' });
  expect((await bob.get('/api/v1/accounts/verify_credentials')).json.feature_approval.current_user).toBe('automatic');
  expect(await add(bob)).toBe(403);
  await followAccount(server.app, alice.id, bob.id, {});
  await bob.post(`/api/v1/follow_requests/${alice.id}/authorize`);
  expect((await approval(alice, bob)).current_user).toBe('automatic');
  expect((await alice.get('/api/v1/accounts/search?q=bob')).json[0].feature_approval.current_user).toBe('automatic');
  expect(await add(bob)).toBe(200);

  await blockAccount(server.app, alice.id, carol.id);
  expect(await add(carol)).toBe(403);
  await unblockAccount(server.app, alice.id, carol.id);
  await blockAccount(server.app, carol.id, alice.id);
  expect(await add(carol)).toBe(403);
  await unblockAccount(server.app, carol.id, alice.id);
  await suspend(server, carol.id);
  expect(await add(carol)).toBe(403);
  await suspend(server, carol.id, false);
  expect(await add(carol)).toBe(200);
  expect(await add(alice)).toBe(200);
});

test('an account that revokes its consent is removed and cannot be added again', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const { id, items } = await createCollection(alice, [bob, carol]);
  const itemsPath = `${collections}/${id}/items`;
  const revoked = await bob.post(`${itemsPath}/${items[0]?.id}/revoke`);
  expect([revoked.status, revoked.text]).toEqual([200, '']);
  expect((await bob.post(`${itemsPath}/${items[0]?.id}/revoke`)).status).toBe(200);
  expect(membersOf(await alice.get(`${collections}/${id}`))).toEqual([carol.id]);
  expect((await alice.delete(`${itemsPath}/${items[0]?.id}`)).status).toBe(404);
  const again = await alice.post(itemsPath, { account_id: bob.id });
  expect([again.status, again.json.error]).toEqual([422, 'Validation failed: Account has already been taken']);
  await blockAccount(server.app, carol.id, alice.id);
  await unblockAccount(server.app, carol.id, alice.id);
  expect(membersOf(await alice.get(`${collections}/${id}`))).toEqual([]);
  expect((await alice.post(itemsPath, { account_id: carol.id })).status).toBe(422);
});

test('blocking an account removes it from the collections of the blocker', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const { id } = await createCollection(alice, [bob, carol]);
  await alice.post(`/api/v1/accounts/${bob.id}/block`);
  expect(membersOf(await alice.get(`${collections}/${id}`))).toEqual([carol.id]);
  await alice.post(`/api/v1/accounts/${bob.id}/unblock`);
  expect((await alice.post(`${collections}/${id}/items`, { account_id: bob.id })).status).toBe(200);
});

test('the owner can list all collections, others the discoverable ones, and blocked accounts none', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const shown = await createCollection(alice, [bob]);
  const unlisted = await createCollection(alice, [bob, carol], { name: 'Secret', discoverable: false });
  const ownPath = `/api/v1/accounts/${alice.id}/collections`;
  expect(idsOf(await alice.get(ownPath))).toEqual([unlisted.id, shown.id]);
  expect(idsOf(await bob.get(ownPath))).toEqual([shown.id]);
  expect(idsOf(await server.anonymous.get(ownPath))).toEqual([shown.id]);
  expect((await server.anonymous.get(`${collections}/${unlisted.id}`)).status).toBe(200);

  const inCollectionsPath = `/api/v1/accounts/${bob.id}/in_collections`;
  expect(idsOf(await bob.get(inCollectionsPath))).toEqual([unlisted.id, shown.id]);
  expect((await alice.get(inCollectionsPath)).status).toBe(403);
  expect((await (await server.withScopes(bob, 'read:collections')).get(inCollectionsPath)).status).toBe(200);

  await blockAccount(server.app, bob.id, carol.id);
  expect(membersOf(await bob.get(`${collections}/${unlisted.id}`))).toEqual([bob.id]);
  expect((await bob.get(`${collections}/${unlisted.id}`)).json.collection.item_count).toBe(1);
  expect(membersOf(await alice.get(`${collections}/${unlisted.id}`))).toEqual([bob.id, carol.id]);
  await suspend(server, carol.id);
  expect(membersOf(await alice.get(`${collections}/${unlisted.id}`))).toEqual([bob.id]);

  await blockAccount(server.app, alice.id, bob.id);
  const refused = await bob.get(`${collections}/${shown.id}`);
  expect([refused.status, refused.json.error]).toEqual([403, 'This action is not allowed']);
  const none = await bob.get(ownPath);
  expect([none.status, none.json]).toEqual([200, { collections: [] }]);
  expect(idsOf(await bob.get(inCollectionsPath))).toEqual([]);

  await suspend(server, alice.id);
  expect((await server.anonymous.get(`${collections}/${shown.id}`)).status).toBe(404);
  expect((await server.anonymous.get(ownPath)).json).toEqual({ collections: [] });
});

test('paging by Link returns each collection once, even while some are added and deleted', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const ids: string[] = [];
  for (let index = 0; index < 7; index += 1)
    ids.unshift((await createCollection(alice, [bob], { name: `${index}` })).id);
  for (const [user, path] of [
    [alice, `/api/v1/accounts/${alice.id}/collections`],
    [bob, `/api/v1/accounts/${bob.id}/in_collections`],
  ] as const) {
    const first = await user.get(`${path}?limit=3`);
    expect(idsOf(first)).toEqual(ids.slice(0, 3));
    expect(first.links.next?.searchParams.get('offset')).toBe('3');
    expect(first.links.prev).toBeUndefined();
    expect(idsOf(await user.get(`${path}?limit=3&offset=3`))).toEqual(ids.slice(3, 6));
    const second = await user.get(`${path}?limit=3&offset=3`);
    expect(second.links.prev?.searchParams.get('offset')).toBe('0');
    const last = await user.get(`${path}?limit=3&offset=6`);
    expect([idsOf(last), last.links.next]).toEqual([ids.slice(6), undefined]);
    expect(idsOf(await user.get(`${path}?limit=3&offset=50`))).toEqual([]);
    expect(idsOf(await user.get(`${path}?offset=-4`))).toEqual(ids);
    expect(idsOf(await user.get(`${path}?limit=-3`))).toEqual(ids.slice(0, 3));
    const none = await user.get(`${path}?limit=0`);
    expect([idsOf(none), none.links]).toEqual([[], {}]);
    expect((await user.get(`${path}?limit=1000&offset=99999999999`)).status).toBe(200);
  }
  const path = `/api/v1/accounts/${alice.id}/collections?limit=2`;
  const seen: string[] = [];
  let next: string | undefined = path;
  while (next !== undefined) {
    const response = await alice.get(next);
    seen.push(...idsOf(response));
    // Deletes a collection that was returned and adds a new one.
    const shown = idsOf(response)[0];
    if (shown !== undefined) {
      await alice.delete(`${collections}/${shown}`);
      await createCollection(alice, [bob], { name: 'New' });
    }
    next = response.links.next?.href;
  }
  expect(seen).toEqual(ids);
});

test('members are notified once when they are added and when the collection changes, unless they mute its owner', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  await muteAccount(server.app, carol.id, alice.id, { notifications: true });
  const { id, items } = await createCollection(alice, [bob, carol, alice]);
  await server.drain();
  const listNotifications = async (user: TestUser) => {
    await server.drain();
    return (await user.get('/api/v1/notifications')).json as {
      id: string;
      type: string;
      group_key: string;
      account: { id: string };
      collection: { id: string; name: string };
    }[];
  };
  const [first, ...rest] = await listNotifications(bob);
  expect([first, rest]).toMatchObject([
    { type: 'added_to_collection', group_key: `ungrouped-${first?.id}`, account: { id: alice.id }, collection: { id } },
    [],
  ]);
  expect((await bob.get(`/api/v1/notifications/${first?.id}`)).json).toEqual(first);
  expect(await listNotifications(carol)).toEqual([]);
  expect(await listNotifications(alice)).toEqual([]);
  expect((await bob.get('/api/v1/notifications?exclude_types[]=added_to_collection')).json).toEqual([]);

  await alice.patch(`${collections}/${id}`, { sensitive: true });
  expect(await listNotifications(bob)).toHaveLength(1);
  await alice.patch(`${collections}/${id}`, { name: 'Owls' });
  expect((await listNotifications(bob))[0]).toMatchObject({
    type: 'collection_update',
    collection: { id, name: 'Owls' },
  });
  server.clock.advance(10);
  await alice.patch(`${collections}/${id}`, { description: 'By night' });
  expect((await listNotifications(bob)).map(({ type }) => type)).toEqual(['collection_update', 'added_to_collection']);
  expect((await bob.get('/api/v1/notifications?types[]=collection_update')).json).toHaveLength(1);

  await alice.delete(`${collections}/${id}/items/${items[0]?.id}`);
  expect(await listNotifications(bob)).toEqual([]);
  const { collection_item: back } = (await alice.post(`${collections}/${id}/items`, { account_id: bob.id })).json;
  expect((await listNotifications(bob)).map(({ type }) => type)).toEqual(['added_to_collection']);
  await bob.post(`${collections}/${id}/items/${back.id}/revoke`);
  expect(await listNotifications(bob)).toEqual([]);

  await alice.patch('/api/v1/accounts/update_credentials', { discoverable: true });
  const other = await createCollection(carol, [alice]);
  expect((await listNotifications(alice)).map(({ type }) => type)).toEqual(['added_to_collection']);
  await carol.delete(`${collections}/${other.id}`);
  expect(await listNotifications(alice)).toEqual([]);
});

test('a post that links to a collection shows it, with the items that the viewer may see', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const { id, url, uri } = await createCollection(alice, [bob, carol]);
  const taggedOf = (response: { json: { tagged_collections: { id: string; item_count: number }[] } }) =>
    response.json.tagged_collections.map((collection) => [collection.id, collection.item_count]);
  const posted = await bob.post('/api/v1/statuses', { status: `Look: ${url} #birds @carol` });
  expect(taggedOf(posted)).toEqual([[id, 2]]);
  const status = `/api/v1/statuses/${posted.json.id}`;
  await blockAccount(server.app, bob.id, carol.id);
  expect(taggedOf(await bob.get(status))).toEqual([[id, 1]]);
  expect(taggedOf(await server.anonymous.get(status))).toEqual([[id, 2]]);
  const plain = await bob.post('/api/v1/statuses', { status: 'No link, but https://elsewhere.test/collections/1' });
  expect(taggedOf(plain)).toEqual([]);
  const byUri = await bob.put(`/api/v1/statuses/${plain.json.id}`, { status: `Now: ${uri}` });
  expect(taggedOf(byUri)).toEqual([[id, 2 - 1]]);
  await bob.put(`/api/v1/statuses/${plain.json.id}`, { status: 'Nothing again' });
  expect(taggedOf(await bob.get(`/api/v1/statuses/${plain.json.id}`))).toEqual([]);
  const reblog = await alice.post(`${status}/reblog`);
  expect(taggedOf({ json: reblog.json.reblog })).toEqual([[id, 2]]);
  await alice.delete(`${collections}/${id}`);
  expect(taggedOf(await bob.get(status))).toEqual([]);
});

test('a search for the URL of a collection finds it', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const { id, url, uri } = await createCollection(alice, [bob]);
  const search = async (user: TestUser, query: string) =>
    (await user.get(`/api/v2/search?${query}`)).json.collections.map((collection: { id: string }) => collection.id);
  expect(await search(bob, `resolve=true&q=${encodeURIComponent(url)}`)).toEqual([id]);
  expect(await search(bob, `resolve=true&q=${encodeURIComponent(uri)}`)).toEqual([id]);
  expect(await search(bob, 'q=Birds')).toEqual([]);
  expect(await search(bob, `resolve=true&type=accounts&q=${encodeURIComponent(url)}`)).toEqual([]);
  expect(await search(bob, `resolve=true&q=${encodeURIComponent(`${url}9`)}`)).toEqual([]);
  await blockAccount(server.app, alice.id, bob.id);
  expect(await search(bob, `resolve=true&q=${encodeURIComponent(url)}`)).toEqual([]);
});

test('deleting an account deletes its collections and its items in others', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const own = await createCollection(alice, [bob, carol]);
  const other = await createCollection(carol, [alice, bob]);
  await deleteAccount(server.app, alice.id);
  await server.drain();
  expect((await bob.get(`${collections}/${own.id}`)).status).toBe(404);
  expect(membersOf(await bob.get(`${collections}/${other.id}`))).toEqual([bob.id]);
  expect((await bob.get('/api/v1/notifications')).json).toHaveLength(1);
});

test('the deprecated v1_alpha paths still work and have a Deprecation header', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const root = '/api/v1_alpha';
  const created = await alice.post(`${root}/collections`, { name: 'Birds', account_ids: [bob.id] });
  const { id, items } = created.json.collection;
  const responses = [
    created,
    await alice.get(`${root}/collections/${id}`),
    await alice.get(`${root}/accounts/${alice.id}/collections`),
    await bob.get(`${root}/accounts/${bob.id}/in_collections`),
    await alice.patch(`${root}/collections/${id}`, { name: 'Owls' }),
    await alice.put(`${root}/collections/${id}`, { name: 'Crows' }),
    await bob.post(`${root}/collections/${id}/items/${items[0].id}/revoke`),
    await alice.post(`${root}/collections/${id}/items`, { account_id: alice.id }),
  ];
  const added = responses.at(-1)?.json.collection_item.id;
  responses.push(await alice.delete(`${root}/collections/${id}/items/${added}`));
  responses.push(await alice.delete(`${root}/collections/${id}`));
  const since = `@${Date.parse('2026-06-10') / 1000}`;
  for (const { status, headers } of responses) expect([status, headers['deprecation']]).toEqual([200, since]);
  expect((await alice.get('/api/v1/accounts/verify_credentials')).headers['deprecation']).toBeUndefined();
});

test('a collection and the list of collections of a profile have pages without scripts', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const { id } = await createCollection(alice, [bob], { name: 'Birds & <b>bees</b>', description: 'Who <i>sings</i>' });
  const hidden = await createCollection(alice, [], { name: 'Unlisted', discoverable: false });
  const html = { headers: { accept: 'text/html' } };
  const shown = await server.anonymous.get(`/collections/${id}`, html);
  expect([shown.status, shown.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(shown.text).toContain('Birds &amp; &lt;b&gt;bees&lt;/b&gt;');
  expect(shown.text).toContain('Who &lt;i&gt;sings&lt;/i&gt;');
  expect(shown.text).toContain(`/@bob"`);
  expect(shown.text).toContain(`/ap/users/${alice.id}/collections/${id}`);
  expect(shown.text).not.toContain('<script');
  const list = await server.anonymous.get('/@alice/collections', html);
  expect(list.text).toContain(`/collections/${id}"`);
  expect(list.text).not.toContain('Unlisted');
  expect((await server.anonymous.get(`/collections/${hidden.id}`, html)).text).toContain('noindex');
  expect((await server.anonymous.get('/@alice', html)).text).toContain('href="/@alice/collections"');
  expect((await server.anonymous.get('/@bob', html)).text).not.toContain('/@bob/collections');
  expect((await server.anonymous.get('/@bob/collections', html)).text).toContain('No collections yet');
  await alice.patch(`${collections}/${id}`, { sensitive: true });
  expect((await server.anonymous.get(`/collections/${id}`, html)).text).toContain(
    '<summary>Sensitive content</summary>',
  );
  for (const path of ['/collections/1', '/collections/none', '/@nobody/collections']) {
    expect((await server.anonymous.get(path, html)).status, path).toBe(404);
  }
  await suspend(server, alice.id);
  expect((await server.anonymous.get(`/collections/${id}`, html)).status).toBe(404);
  expect((await server.anonymous.get('/@alice/collections', html)).status).toBe(403);
});
