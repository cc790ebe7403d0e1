import { clearCaches } from '../../../server/platform/write/publish.ts';
import { expect, test } from 'vitest';
import { storeRemoteAccount, type RemoteAccount } from '../../../server/accounts/remote/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { AccountId } from '../../../server/platform/ids.ts';
import { Peer } from '../../federation/peer.ts';
import { Network } from '../../network.ts';
import { startServer, walk, type Client, type TestServer, type TestUser } from '../../server.ts';

const act = (user: TestUser, verb: string, { id }: { id: string }, body?: object) =>
  user.post(`/api/v1/accounts/${id}/${verb}`, body);
const ids = (list: { id: string }[]) => list.map(({ id }) => id);

async function createUsers<const Names extends readonly string[]>(
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

/** Changes columns that only staff can change. */
async function updateAccount(server: TestServer, { id }: TestUser, values: object): Promise<void> {
  await server.db.updateTable('accounts').set(values).where('id', '=', id).execute();
  clearCaches(server.app);
}

const listFamiliarFollowers = async (viewer: TestUser, ...targets: TestUser[]) => {
  const query = targets.map(({ id }) => `id[]=${id}`).join('&');
  const { json } = await viewer.get(`/api/v1/accounts/familiar_followers?${query}`);
  return (json as { id: string; accounts: { id: string }[] }[]).map(({ id, accounts }) => [id, ids(accounts)]);
};

test('ACC-08: familiar followers of an account are its followers that the viewer follows', async () => {
  await using server = await startServer();
  const [alice, bob, carol, dave, erin] = await createUsers(server, 'alice', 'bob', 'carol', 'dave', 'erin');
  for (const friend of [bob, carol]) await act(alice, 'follow', friend);
  for (const follower of [bob, carol, dave]) await act(follower, 'follow', erin);
  await act(bob, 'follow', dave);
  expect(await listFamiliarFollowers(alice, dave, erin, dave)).toEqual([
    [dave.id, [bob.id]],
    [erin.id, [carol.id, bob.id]],
  ]);
  expect((await alice.get('/api/v1/accounts/familiar_followers')).json).toEqual([]);
  expect((await alice.get('/api/v1/accounts/familiar_followers?id[]=1')).json).toEqual([]);
  expect((await alice.get(`/api/v1/accounts/familiar_followers?id=${dave.id}`)).json[0].accounts[0].acct).toBe('bob');
});

test('ACC-08: hidden networks, mutes, blocks and suspensions leave accounts out of familiar followers', async () => {
  await using server = await startServer();
  const [alice, bob, carol, erin] = await createUsers(server, 'alice', 'bob', 'carol', 'erin');
  for (const friend of [bob, carol]) await act(alice, 'follow', friend);
  for (const follower of [bob, carol]) await act(follower, 'follow', erin);
  await updateAccount(server, erin, { hide_collections: true });
  expect(await listFamiliarFollowers(alice, erin)).toEqual([[erin.id, []]]);
  await updateAccount(server, erin, { hide_collections: false });
  await updateAccount(server, bob, { hide_collections: true });
  expect(await listFamiliarFollowers(alice, erin)).toEqual([[erin.id, [carol.id]]]);
  await act(alice, 'mute', carol);
  expect(await listFamiliarFollowers(alice, erin)).toEqual([[erin.id, []]]);
  await act(alice, 'unmute', carol);
  await act(erin, 'block', alice);
  expect(await listFamiliarFollowers(alice, erin)).toEqual([[erin.id, []]]);
  await act(erin, 'unblock', alice);
  await updateAccount(server, carol, { suspended_at: server.clock.now() });
  expect(await listFamiliarFollowers(alice, erin)).toEqual([[erin.id, []]]);
});

test('familiar followers of many accounts need as many queries as of one; more than 80 accounts are 422', async () => {
  await using server = await startServer();
  const [alice, bob, carol, dave] = await createUsers(server, 'alice', 'bob', 'carol', 'dave');
  await act(alice, 'follow', bob);
  for (const target of [carol, dave]) await act(bob, 'follow', target);
  const count = (...targets: TestUser[]) => server.countWarmQueries(() => listFamiliarFollowers(alice, ...targets));
  expect(await count(carol, dave)).toBe(await count(carol));
  const many = Array.from({ length: 81 }, (_, n) => `id[]=${n}`).join('&');
  expect((await alice.get(`/api/v1/accounts/familiar_followers?${many}`)).status).toBe(422);
  expect((await server.anonymous.get(`/api/v1/accounts/familiar_followers?id[]=${carol.id}`)).status).toBe(401);
  const writer = await server.withScopes(alice, 'write');
  expect((await writer.get(`/api/v1/accounts/familiar_followers?id[]=${carol.id}`)).status).toBe(403);
});

const listDirectory = async (client: Client, query = '') => ids((await client.get(`/api/v1/directory${query}`)).json);
const storeRemote = (server: TestServer, name: string, changes: Partial<RemoteAccount> = {}): Promise<AccountId> =>
  transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, {
      uri: `https://far.test/users/${name}`,
      username: name,
      domain: 'far.test',
      inboxUrl: `https://far.test/users/${name}/inbox`,
      ...changes,
    }),
  );

test('the directory lists discoverable accounts by last post, or newest first', async () => {
  await using server = await startServer();
  const [alice, bob, carol, shy] = await createUsers(server, 'alice', 'bob', 'carol', 'shy');
  for (const user of [alice, bob, carol]) await user.patch('/api/v1/profile', { discoverable: true });
  const far = await storeRemote(server, 'far', { discoverable: true });
  await storeRemote(server, 'silent');
  for (const author of [bob, shy, alice]) {
    await author.post('/api/v1/statuses', { status: 'hello' });
    server.clock.advance(1);
  }
  expect(await listDirectory(server.anonymous)).toEqual([alice.id, bob.id, far, carol.id]);
  expect(await listDirectory(server.anonymous, '?order=active&local=true')).toEqual([alice.id, bob.id, carol.id]);
  expect(await listDirectory(server.anonymous, '?order=new')).toEqual([far, carol.id, bob.id, alice.id]);
  expect(await listDirectory(server.anonymous, '?order=new&local=1')).toEqual([carol.id, bob.id, alice.id]);
  expect(await listDirectory(server.anonymous, '?order=new&offset=1&limit=2')).toEqual([carol.id, bob.id]);
  expect(await listDirectory(server.anonymous, '?offset=99999999')).toEqual([]);
  expect(ids(await walk(server.anonymous, '/api/v1/directory?order=new&limit=1'))).toEqual([
    far,
    carol.id,
    bob.id,
    alice.id,
  ]);
});

test('the directory omits limited and moved accounts, and accounts that the viewer hides', async () => {
  await using server = await startServer();
  const [alice, bob, carol, dave] = await createUsers(server, 'alice', 'bob', 'carol', 'dave');
  for (const user of [alice, bob, carol, dave]) await user.patch('/api/v1/profile', { discoverable: true });
  const far = await storeRemote(server, 'far', { discoverable: true });
  const all = [far, dave.id, carol.id, bob.id, alice.id];
  expect(await listDirectory(alice, '?order=new')).toEqual(all);
  await act(alice, 'mute', bob);
  await act(alice, 'block', carol);
  await act(dave, 'block', alice);
  await alice.post('/api/v1/domain_blocks', { domain: 'far.test' });
  expect(await listDirectory(alice, '?order=new')).toEqual([alice.id]);
  expect(await listDirectory(alice, '?order=active')).toEqual([alice.id]);
  expect(await listDirectory(bob, '?order=new')).toEqual(all);
  for (const change of [
    { suspended_at: server.clock.now() },
    { silenced_at: server.clock.now() },
    { moved_to_account_id: bob.id },
  ]) {
    await updateAccount(server, carol, change);
    expect(await listDirectory(bob, '?order=new')).toEqual([far, dave.id, bob.id, alice.id]);
    await updateAccount(server, carol, { suspended_at: null, silenced_at: null, moved_to_account_id: null });
  }
});

const password = 'correct horse battery';
const moveAccount = (user: TestUser, acct: string, secret = password) =>
  user.post('/api/v1/profile/move', { acct, password: secret });

test('aliases are added by handle, listed and deleted; unknown accounts and the account itself are 422', async () => {
  await using network = new Network();
  const server = await network.start('fieldfare.test');
  const [alice, bob] = await createUsers(server, 'alice', 'bob');
  new Peer(network, 'far.test').actor('alice');
  const both = [
    { uri: 'https://far.test/users/alice', acct: 'alice@far.test' },
    { uri: 'https://fieldfare.test/users/bob', acct: 'bob' },
  ];
  expect((await alice.post('/api/v1/profile/aliases', { acct: '@alice@far.test' })).json).toEqual(both.slice(0, 1));
  for (let round = 0; round < 2; round += 1) {
    expect((await alice.post('/api/v1/profile/aliases', { acct: 'bob' })).json).toEqual(both);
  }
  expect((await alice.get('/api/v1/profile/aliases')).json).toEqual(both);
  expect((await alice.post('/api/v1/profile/aliases', { acct: 'alice@down.test' })).status).toBe(503);
  for (const acct of ['nobody@far.test', 'alice', '@alice@fieldfare.test']) {
    const { status, json } = await alice.post('/api/v1/profile/aliases', { acct });
    expect([status, Object.keys(json.details)]).toEqual([422, ['acct']]);
  }
  expect((await bob.get('/api/v1/profile/aliases')).json).toEqual([]);
  expect((await alice.delete('/api/v1/profile/aliases', { acct: 'bob@fieldfare.test' })).json).toEqual(
    both.slice(0, 1),
  );
  expect((await alice.delete('/api/v1/profile/aliases', { acct: both[0]?.uri })).json).toEqual([]);
  expect((await alice.delete('/api/v1/profile/aliases', { acct: 'bob' })).json).toEqual([]);
});

test('a move transfers followers with their follow settings, and mutes and blocks apply to the new account', async () => {
  await using server = await startServer();
  const [old, home, fan, shy, muter, blocker] = await createUsers(
    server,
    'old',
    'nest',
    'fan',
    'shy',
    'muter',
    'blocker',
  );
  await act(fan, 'follow', old, { reblogs: false, notify: true, languages: ['de'] });
  await act(shy, 'follow', old);
  await act(home, 'follow', old);
  await act(home, 'block', shy);
  await act(muter, 'mute', old, { notifications: false });
  await act(blocker, 'block', old);
  await home.post('/api/v1/profile/aliases', { acct: 'old' });
  const moved = await moveAccount(old, 'nest');
  expect(moved.status).toBe(200);
  expect(moved.json.moved).toMatchObject({ id: home.id, acct: 'nest' });
  expect((await server.anonymous.get(`/api/v1/accounts/${old.id}`)).json.moved).not.toHaveProperty('moved');
  await server.drain();
  const relationship = async (user: TestUser, target: TestUser) =>
    (await user.get(`/api/v1/accounts/relationships?id[]=${target.id}`)).json[0];
  expect(await relationship(fan, home)).toMatchObject({
    following: true,
    showing_reblogs: false,
    notifying: true,
    languages: ['de'],
  });
  expect((await relationship(fan, old)).following).toBe(false);
  expect((await relationship(home, old)).following).toBe(false);
  expect((await relationship(shy, old)).following).toBe(true);
  expect(await relationship(muter, home)).toMatchObject({ muting: true, muting_notifications: false });
  expect((await relationship(blocker, home)).blocking).toBe(true);
  expect((await act(fan, 'follow', old)).status).toBe(403);
  const count = async ({ id }: TestUser) => (await server.anonymous.get(`/api/v1/accounts/${id}`)).json.followers_count;
  expect([await count(home), await count(old)]).toEqual([1, 1]);
  expect((await moveAccount(old, 'nest')).status).toBe(200);
  const back = await old.delete('/api/v1/profile/move');
  expect(back.status).toBe(200);
  expect(back.json).not.toHaveProperty('moved');
  expect((await act(fan, 'follow', old)).json.following).toBe(true);
});

test('a move needs the password, a target with the alias that has not moved, and 30 days since the last move', async () => {
  await using server = await startServer();
  const [old, home, other] = await createUsers(server, 'old', 'nest', 'other');
  const tryMove = async (acct: string, secret?: string) => {
    const { status, json } = await moveAccount(old, acct, secret);
    return [status, ...Object.keys(json.details ?? {})];
  };
  expect(await tryMove('nest', 'guess')).toEqual([422, 'password']);
  expect(await tryMove('nest')).toEqual([422, 'acct']);
  expect(await tryMove('nobody@far.test')).toEqual([503]);
  expect(await tryMove('no one')).toEqual([422, 'acct']);
  expect(await tryMove('old')).toEqual([422, 'acct']);
  for (const user of [home, other]) await user.post('/api/v1/profile/aliases', { acct: 'old' });
  await updateAccount(server, home, { moved_to_account_id: other.id });
  expect(await tryMove('nest')).toEqual([422, 'acct']);
  await updateAccount(server, home, { moved_to_account_id: null });
  expect((await moveAccount(old, 'nest')).status).toBe(200);
  expect(await tryMove('other')).toEqual([422, 'acct']);
  server.clock.advance(30 * 86_400 + 1);
  expect((await moveAccount(old, 'other')).json.moved.id).toBe(other.id);
});

test('aliases, moves and deletion need a user and the account scopes', async () => {
  await using server = await startServer();
  const [alice] = await createUsers(server, 'alice');
  const reader = await server.withScopes(alice, 'read');
  const body = { acct: 'bob', password };
  for (const path of ['/api/v1/profile/aliases', '/api/v1/profile/move', '/api/v1/profile/delete']) {
    expect((await server.anonymous.post(path, body)).status, path).toBe(401);
    expect((await (await server.appToken()).post(path, body)).status, path).toBe(422);
    expect((await reader.post(path, body)).status, path).toBe(403);
  }
  for (const path of ['/api/v1/profile/aliases', '/api/v1/profile/move']) {
    expect((await server.anonymous.delete(path, body)).status, path).toBe(401);
    expect((await reader.delete(path, body)).status, path).toBe(403);
  }
  expect((await reader.get('/api/v1/profile/aliases')).status).toBe(200);
  expect((await (await server.withScopes(alice, 'write')).get('/api/v1/profile/aliases')).status).toBe(403);
});

test('a deleted account is hidden and signed out immediately, its data deleted later, its name never reused', async () => {
  await using server = await startServer();
  const [alice, bob] = await createUsers(server, 'alice', 'bob');
  await alice.patch('/api/v1/profile', { display_name: 'Alice', note: 'A secret' });
  await act(bob, 'follow', alice);
  await act(alice, 'follow', bob);
  await act(bob, 'note', alice, { comment: 'nice' });
  const post = (await alice.post('/api/v1/statuses', { status: 'mine #vogel' })).json.id;
  const otherPost = (await bob.post('/api/v1/statuses', { status: 'hi' })).json.id;
  await alice.post('/api/v1/statuses', { status: 'yes', in_reply_to_id: otherPost });
  await alice.post(`/api/v1/statuses/${otherPost}/favourite`);
  await alice.post(`/api/v1/statuses/${otherPost}/reblog`);
  await alice.post(`/api/v1/statuses/${otherPost}/bookmark`);
  await server.drain();
  const refused = await alice.post('/api/v1/profile/delete', { password: 'guess' });
  expect([refused.status, Object.keys(refused.json.details)]).toEqual([422, ['password']]);
  expect((await alice.post('/api/v1/profile/delete', {})).status).toBe(400);
  const deletion = await alice.post('/api/v1/profile/delete', { password });
  expect([deletion.status, deletion.json]).toEqual([200, {}]);

  expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(401);
  expect((await bob.get(`/api/v1/accounts/${alice.id}`)).status).toBe(404);
  expect((await bob.get(`/api/v1/accounts/lookup?acct=alice`)).status).toBe(404);
  expect((await bob.get(`/api/v1/statuses/${post}`)).status).toBe(404);
  const { db } = server.app;
  const userRows = await db.selectFrom('users').select('id').where('account_id', '=', alice.id).execute();
  expect(userRows).toEqual([]);
  expect(await db.selectFrom('oauth_tokens').select('id').where('user_id', '=', alice.userId).execute()).toEqual([]);
  await expect(server.user('Alice', { email: 'new@mail.test' })).rejects.toThrow(/taken/);

  await server.drain();
  const { json: status } = await bob.get(`/api/v1/statuses/${otherPost}`);
  expect([status.favourites_count, status.reblogs_count, status.replies_count]).toEqual([0, 0, 0]);
  const { json: friend } = await server.anonymous.get(`/api/v1/accounts/${bob.id}`);
  expect([friend.followers_count, friend.following_count]).toEqual([0, 0]);
  server.clock.advance(86_400 + 1);
  await server.drain();
  for (const table of ['statuses', 'favourites', 'bookmarks', 'account_notes', 'follows'] as const) {
    expect(await db.selectFrom(table).select('account_id').where('account_id', '=', alice.id).execute(), table).toEqual(
      [],
    );
  }
  expect(await db.selectFrom('account_notes').selectAll().execute()).toEqual([]);
  const row = await db.selectFrom('accounts').selectAll().where('id', '=', alice.id).executeTakeFirstOrThrow();
  expect([row.display_name, row.note, row.username]).toEqual(['', '', 'alice']);
});

test('ACC-14: a suspended account shows only its username', async () => {
  await using server = await startServer();
  const [alice, bob] = await createUsers(server, 'alice', 'bob');
  await alice.patch('/api/v1/profile', {
    display_name: 'Alice',
    note: 'Birds',
    bot: true,
    locked: true,
    discoverable: true,
    fields_attributes: [{ name: 'a', value: 'b' }],
  });
  await alice.post('/api/v1/statuses', { status: 'hello' });
  await act(bob, 'follow', alice);
  await updateAccount(server, alice, { suspended_at: server.clock.now(), moved_to_account_id: bob.id });
  const { json } = await bob.get(`/api/v1/accounts/${alice.id}`);
  expect(json).toMatchObject({
    username: 'alice',
    display_name: '',
    note: '',
    fields: [],
    bot: false,
    locked: false,
    discoverable: false,
    suspended: true,
  });
  expect(json.avatar).toMatch(/missing\.png$/);
  expect(json).not.toHaveProperty('moved');
  for (const list of ['statuses', 'followers', 'following', 'featured_tags', 'endorsements']) {
    const response = await bob.get(`/api/v1/accounts/${alice.id}/${list}`);
    expect([response.status, response.json], list).toEqual([200, []]);
  }
});
