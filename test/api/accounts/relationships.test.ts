import { clearCaches } from '../../../server/platform/write/publish.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deleteAccount } from '../../../server/accounts/lifecycle/index.ts';
import { storeRemoteAccount, type RemoteAccount } from '../../../server/accounts/remote/index.ts';
import type { App } from '../../../server/platform/app.ts';
import { ManualClock } from '../../../server/platform/clock.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { AccountId } from '../../../server/platform/ids.ts';
import { acceptFollowRequest, followAccount, unfollowAccount } from '../../../server/relationships/follow/index.ts';
import { blockAccount } from '../../../server/relationships/hide/index.ts';
import { loadFollowedIds, isFollowing, loadAccountRelations } from '../../../server/relationships/rules/index.ts';
import { form, startServer, walk, type TestServer, type TestUser } from '../../server.ts';

const storeRemote = (app: App, name: string, changes: Partial<RemoteAccount> = {}): Promise<AccountId> =>
  transaction(app, (tx) =>
    storeRemoteAccount(tx, app, {
      uri: `https://far.test/users/${name}`,
      username: name,
      domain: 'far.test',
      inboxUrl: `https://far.test/users/${name}/inbox`,
      ...changes,
    }),
  );

/** Creates users with these names. */
async function createUsers<const Names extends readonly string[]>(
  server: TestServer,
  ...names: Names
): Promise<{ [Place in keyof Names]: TestUser }> {
  const users = [];
  for (const name of names) users.push(await server.user(name));
  return users as { [Place in keyof Names]: TestUser };
}

/** Changes columns that only staff or a remote server can change. */
async function updateAccount(server: TestServer, id: AccountId, values: object): Promise<void> {
  await server.db.updateTable('accounts').set(values).where('id', '=', id).execute();
  clearCaches(server.app);
}

const act = (user: TestUser, verb: string, target: { id: string } | string, body?: object) =>
  user.post(`/api/v1/accounts/${typeof target === 'string' ? target : target.id}/${verb}`, body);

const relationship = async (user: TestUser, target: { id: string } | string) =>
  (await user.get(`/api/v1/relationships?id[]=${typeof target === 'string' ? target : target.id}`)).json[0];

const ids = (list: { id: string }[]) => list.map(({ id }) => id);
const loadAccount = async (server: TestServer, { id }: { id: string }) =>
  (await server.anonymous.get(`/api/v1/accounts/${id}`)).json;
const lock = (user: TestUser, locked = true) => user.patch('/api/v1/accounts/update_credentials', { locked });

const noRelationship = {
  following: false,
  showing_reblogs: false,
  notifying: false,
  languages: null,
  followed_by: false,
  blocking: false,
  muting: false,
  muting_notifications: false,
  muting_expires_at: null,
  requested: false,
  requested_by: false,
  domain_blocking: false,
  endorsed: false,
  note: '',
};

test('REL-01 REL-02 REL-03: relationships are served at both paths, for id and id[], without blocked_by', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = await createUsers(server, 'alice', 'bob', 'carol');
  await act(carol, 'block', alice);
  for (const path of ['/api/v1/relationships', '/api/v1/accounts/relationships']) {
    expect((await alice.get(`${path}?id=${bob.id}`)).json).toEqual([{ id: bob.id, ...noRelationship }]);
    const both = await alice.get(`${path}?id[]=${carol.id}&id[]=${bob.id}&id[]=1&id[]=${bob.id}`);
    expect(both.json).toEqual([
      { id: carol.id, ...noRelationship },
      { id: bob.id, ...noRelationship },
    ]);
    expect((await alice.get(path)).json).toEqual([]);
    expect((await server.anonymous.get(`${path}?id=${bob.id}`)).status).toBe(401);
    expect((await (await server.withScopes(alice, 'write')).get(`${path}?id=${bob.id}`)).status).toBe(403);
  }
  await updateAccount(server, bob.id, { suspended_at: new Date() });
  expect((await alice.get(`/api/v1/relationships?id=${bob.id}`)).json).toEqual([]);
  expect((await alice.get(`/api/v1/relationships?id=${bob.id}&with_suspended=true`)).json).toHaveLength(1);
});

test('REL-01: the number of queries does not depend on the number of relationships', async () => {
  await using server = await startServer();
  const [alice, bob, carol, dave] = await createUsers(server, 'alice', 'bob', 'carol', 'dave');
  const count = (list: TestUser[]) =>
    server.countQueries(() => alice.get(`/api/v1/relationships?${list.map(({ id }) => `id[]=${id}`).join('&')}`));
  await count([bob]);
  expect(await count([bob])).toBe(await count([bob, carol, dave]));
});

test('the number of queries to list followers does not depend on their number', async () => {
  await using server = await startServer();
  const [alice, bob, carol, dave] = await createUsers(server, 'alice', 'bob', 'carol', 'dave');
  const count = async (): Promise<number> => {
    clearCaches(server.app);
    return server.countQueries(() => alice.get(`/api/v1/accounts/${alice.id}/followers`));
  };
  await act(bob, 'follow', alice);
  // The first request of a day also records the address.
  await count();
  await server.drain();
  const one = Math.min(await count(), await count());
  await act(carol, 'follow', alice);
  await act(dave, 'follow', alice);
  expect(await count()).toBe(one);
});

test('follows are limited to 400 a day', async () => {
  // The limit is per day in UTC: start far from midnight.
  const clock = new ManualClock(new Date('2026-03-04T10:00:00Z'));
  await using server = await startServer({ settings: { RATE_LIMITS: 'on' }, clock });
  const [alice, bob] = await createUsers(server, 'alice', 'bob');
  let response = await act(alice, 'follow', bob);
  for (let count = 1; count < 400; count += 1) {
    if (count % 250 === 0) server.clock.advance(301);
    response = await act(alice, 'follow', bob);
  }
  expect(response.status).toBe(200);
  server.clock.advance(301);
  expect((await act(alice, 'follow', bob)).status).toBe(429);
  expect((await act(alice, 'unfollow', bob)).status).toBe(200);
  await server.drain();
});

test('FOL-01: an unlocked account is followed immediately, and following it again changes nothing', async () => {
  await using server = await startServer();
  const [alice, bob] = await createUsers(server, 'alice', 'bob');
  const first = await act(alice, 'follow', bob);
  expect(first.status).toBe(200);
  expect(first.json).toEqual({ id: bob.id, ...noRelationship, following: true, showing_reblogs: true });
  expect((await act(alice, 'follow', bob)).json.following).toBe(true);
  expect(await relationship(bob, alice)).toMatchObject({ followed_by: true, following: false });
  expect(await loadAccount(server, bob)).toMatchObject({ followers_count: 1, following_count: 0 });
  expect(await loadAccount(server, alice)).toMatchObject({ followers_count: 0, following_count: 1 });
  expect(await isFollowing(server.app, alice.id, bob.id)).toBe(true);
  expect(await loadFollowedIds(server.app, alice.id)).toEqual(new Set([bob.id]));
  expect((await act(alice, 'unfollow', bob)).json).toEqual({ id: bob.id, ...noRelationship });
  expect((await act(alice, 'unfollow', bob)).json).toEqual({ id: bob.id, ...noRelationship });
  expect(await loadAccount(server, bob)).toMatchObject({ followers_count: 0 });
  expect(await isFollowing(server.app, alice.id, bob.id)).toBe(false);
  await server.drain();
});

test('FOL-02 ACC-05: following a locked account creates a follow request', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = await createUsers(server, 'alice', 'bob', 'carol');
  await lock(bob);
  expect((await act(alice, 'follow', bob)).json).toMatchObject({ following: false, requested: true });
  expect((await act(alice, 'follow', bob)).json).toMatchObject({ following: false, requested: true });
  expect(await relationship(bob, alice)).toMatchObject({ requested_by: true, followed_by: false });
  expect(ids((await bob.get('/api/v1/follow_requests')).json)).toEqual([alice.id]);
  expect(ids((await carol.get('/api/v1/follow_requests')).json)).toEqual([]);
  expect(await loadAccount(server, bob)).toMatchObject({ followers_count: 0 });
  expect((await act(alice, 'unfollow', bob)).json).toEqual({ id: bob.id, ...noRelationship });
  expect((await bob.get('/api/v1/follow_requests')).json).toEqual([]);
  await server.drain();
});

test('ACC-06 FOL-02: silenced followers, and followers that the target mutes, need approval', async () => {
  await using server = await startServer();
  const [alice, bob, carol, dave] = await createUsers(server, 'alice', 'bob', 'carol', 'dave');
  await updateAccount(server, alice.id, { silenced_at: new Date() });
  expect((await act(alice, 'follow', bob)).json).toMatchObject({ following: false, requested: true });
  await act(bob, 'mute', carol);
  expect((await act(carol, 'follow', bob)).json).toMatchObject({ following: false, requested: true });
  await act(bob, 'mute', dave, { duration: 60 });
  server.clock.advance(61);
  expect((await act(dave, 'follow', bob)).json).toMatchObject({ following: true, requested: false });
  await server.drain();
});

test('FOL-03 FOL-04: reblogs, notify and languages apply to pending requests and can be updated', async () => {
  await using server = await startServer();
  const [alice, bob] = await createUsers(server, 'alice', 'bob');
  await lock(bob);
  const requested = await act(alice, 'follow', bob, { reblogs: false, notify: true, languages: ['de', 'en'] });
  const options = { showing_reblogs: false, notifying: true, languages: ['de', 'en'] };
  expect(requested.json).toMatchObject({ requested: true, ...options });
  expect((await act(alice, 'follow', bob)).json).toMatchObject(options);
  await bob.post(`/api/v1/follow_requests/${alice.id}/authorize`);
  expect(await relationship(alice, bob)).toMatchObject({ following: true, ...options });
  const changed = await alice.post(`/api/v1/accounts/${bob.id}/follow`, form('reblogs=true&languages[]='));
  expect(changed.json).toMatchObject({ following: true, showing_reblogs: true, notifying: true, languages: null });
  expect((await act(alice, 'follow', bob, { languages: ['tlh-x-nope'] })).status).toBe(422);
  const stored = await server.app.db.selectFrom('follows').selectAll().execute();
  expect(stored).toHaveLength(1);
  expect(stored[0]?.show_reblogs).toBe(true);
  await server.drain();
});

test('own, blocked, blocking, moved, suspended, unknown and OStatus accounts cannot be followed (FOL-08)', async () => {
  await using server = await startServer();
  const [alice, bob, carol, dave, erin] = await createUsers(server, 'alice', 'bob', 'carol', 'dave', 'erin');
  const frank = await server.user('frank', { confirmed: false });
  expect((await act(alice, 'follow', alice)).status).toBe(403);
  await act(bob, 'block', alice);
  expect((await act(alice, 'follow', bob)).status).toBe(403);
  expect((await act(bob, 'follow', alice)).status).toBe(403);
  await updateAccount(server, carol.id, { moved_to_account_id: bob.id });
  expect((await act(alice, 'follow', carol)).status).toBe(403);
  await updateAccount(server, dave.id, { suspended_at: new Date() });
  expect((await act(alice, 'follow', dave)).status).toBe(404);
  for (const id of ['1', 'x', frank.id]) expect((await act(alice, 'follow', id)).status).toBe(404);
  const old = await storeRemote(server.app, 'old');
  await updateAccount(server, old, { protocol: 'ostatus' });
  const refused = await act(alice, 'follow', old);
  expect(refused.status).toBe(422);
  expect(refused.json.error).toContain('OStatus');
  expect((await server.anonymous.post(`/api/v1/accounts/${erin.id}/follow`)).status).toBe(401);
  expect((await (await server.withScopes(alice, 'read')).post(`/api/v1/accounts/${erin.id}/follow`)).status).toBe(403);
  expect(
    (await (await server.withScopes(alice, 'write:follows')).post(`/api/v1/accounts/${erin.id}/follow`)).status,
  ).toBe(200);
  expect((await (await server.appToken()).post(`/api/v1/accounts/${erin.id}/follow`)).status).toBe(422);
});

test('an account that follows 7500 accounts can follow more only with enough followers', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = await createUsers(server, 'alice', 'bob', 'carol');
  const stats = (values: object) =>
    server.db.updateTable('account_stats').set(values).where('account_id', '=', alice.id).execute();
  await stats({ following_count: 7500, followers_count: 6000 });
  expect((await act(alice, 'follow', bob)).status).toBe(422);
  await stats({ followers_count: 8000 });
  expect((await act(alice, 'follow', bob)).status).toBe(200);
  await stats({ following_count: 8800 });
  expect((await act(alice, 'follow', carol)).status).toBe(422);
});

test('FOL-01: following a remote account returns following, then requested until its server accepts', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const rita = await storeRemote(server.app, 'rita');
  server.expectUndelivered('far.test');
  const careful = await storeRemote(server.app, 'careful', { locked: true });
  expect((await act(alice, 'follow', rita)).json).toMatchObject({
    following: true,
    requested: false,
    showing_reblogs: true,
  });
  expect(await relationship(alice, rita)).toMatchObject({ following: false, requested: true });
  expect((await act(alice, 'follow', careful)).json).toMatchObject({ following: false, requested: true });
  const [request] = await server.app.db.selectFrom('follow_requests').select('id').execute();
  expect(await acceptFollowRequest(server.app, rita, alice.id)).toBe(true);
  expect(await acceptFollowRequest(server.app, rita, alice.id)).toBe(false);
  expect(await relationship(alice, rita)).toMatchObject({ following: true, requested: false });
  const [follow] = await server.app.db.selectFrom('follows').select('id').execute();
  expect(follow?.id).toBe(request?.id);
  await updateAccount(server, alice.id, { silenced_at: new Date() });
  const other = await storeRemote(server.app, 'other');
  expect((await act(alice, 'follow', other)).json).toMatchObject({ following: false, requested: true });
});

test('a remote follower counts in followers_count and not in local_followers_count', async () => {
  await using server = await startServer();
  const [alice, bob] = await createUsers(server, 'alice', 'bob');
  const rita = await storeRemote(server.app, 'rita');
  expect(await followAccount(server.app, rita, alice.id, { uri: 'https://far.test/f/1' })).toBe('following');
  server.expectUndelivered('far.test');
  await act(bob, 'follow', alice);
  const stats = () =>
    server.app.db.selectFrom('account_stats').selectAll().where('account_id', '=', alice.id).executeTakeFirstOrThrow();
  expect(await stats()).toMatchObject({ followers_count: 2, local_followers_count: 1 });
  await unfollowAccount(server.app, rita, alice.id);
  expect(await stats()).toMatchObject({ followers_count: 1, local_followers_count: 1 });
});

test('FOL-06 FOL-09 REL-04: follow requests are listed, and accepting or rejecting returns the relationship', async () => {
  await using server = await startServer();
  const [alice, bob, carol, dave] = await createUsers(server, 'alice', 'bob', 'carol', 'dave');
  await lock(alice);
  for (const user of [bob, carol]) await act(user, 'follow', alice);
  expect(ids((await alice.get('/api/v1/follow_requests')).json)).toEqual([carol.id, bob.id]);
  const accepted = await alice.post(`/api/v1/follow_requests/${bob.id}/authorize`);
  expect(accepted.json).toEqual({ id: bob.id, ...noRelationship, followed_by: true });
  const refused = await alice.post(`/api/v1/follow_requests/${carol.id}/reject`);
  expect(refused.json).toEqual({ id: carol.id, ...noRelationship });
  expect((await alice.get('/api/v1/follow_requests')).json).toEqual([]);
  for (const verb of ['authorize', 'reject']) {
    for (const id of [bob.id, dave.id, '1', 'x']) {
      expect((await alice.post(`/api/v1/follow_requests/${id}/${verb}`)).status).toBe(404);
    }
    expect((await server.anonymous.post(`/api/v1/follow_requests/${dave.id}/${verb}`)).status).toBe(401);
    const reader = await server.withScopes(alice, 'read');
    expect((await reader.post(`/api/v1/follow_requests/${dave.id}/${verb}`)).status).toBe(403);
  }
  expect(await loadAccount(server, alice)).toMatchObject({ followers_count: 1 });
  expect(await relationship(carol, alice)).toMatchObject({ following: false, requested: false });
  await server.drain();
});

test('FOL-07: unlocking an account accepts pending requests, except of silenced and muted accounts', async () => {
  await using server = await startServer();
  const [alice, bob, carol, dave] = await createUsers(server, 'alice', 'bob', 'carol', 'dave');
  await lock(alice);
  for (const user of [bob, carol, dave]) await act(user, 'follow', alice);
  await updateAccount(server, carol.id, { silenced_at: new Date() });
  await act(alice, 'mute', dave);
  await lock(alice, false);
  await server.drain();
  expect(await relationship(bob, alice)).toMatchObject({ following: true, requested: false });
  expect(await relationship(carol, alice)).toMatchObject({ following: false, requested: true });
  expect(await relationship(dave, alice)).toMatchObject({ following: false, requested: true });
  expect((await alice.get('/api/v1/accounts/verify_credentials')).json.source.follow_requests_count).toBe(2);
  expect(await loadAccount(server, alice)).toMatchObject({ followers_count: 1 });
});

test('ACC-13: remove_from_followers ends the follow of a follower', async () => {
  await using server = await startServer();
  const [alice, bob] = await createUsers(server, 'alice', 'bob');
  await act(bob, 'follow', alice);
  expect((await act(alice, 'remove_from_followers', bob)).json).toEqual({ id: bob.id, ...noRelationship });
  expect((await act(alice, 'remove_from_followers', bob)).status).toBe(200);
  expect(await loadAccount(server, alice)).toMatchObject({ followers_count: 0 });
  expect(await relationship(bob, alice)).toMatchObject({ following: false });
  for (const verb of ['unfollow', 'remove_from_followers']) {
    expect((await act(alice, verb, '1')).status).toBe(404);
    expect((await server.anonymous.post(`/api/v1/accounts/${bob.id}/${verb}`)).status).toBe(401);
    expect((await (await server.withScopes(alice, 'read')).post(`/api/v1/accounts/${bob.id}/${verb}`)).status).toBe(
      403,
    );
  }
  await server.drain();
});

test('BLK-01: a block ends follows and requests in both directions, updates counters, and can be undone', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = await createUsers(server, 'alice', 'bob', 'carol');
  await act(alice, 'follow', bob);
  await act(bob, 'follow', alice);
  await lock(carol);
  await act(alice, 'follow', carol);
  expect((await act(alice, 'block', bob)).json).toEqual({ id: bob.id, ...noRelationship, blocking: true });
  expect((await act(alice, 'block', bob)).json).toMatchObject({ blocking: true });
  await act(carol, 'block', alice);
  expect((await carol.get('/api/v1/follow_requests')).json).toEqual([]);
  for (const user of [alice, bob]) {
    expect(await loadAccount(server, user)).toMatchObject({ followers_count: 0, following_count: 0 });
  }
  const relations = await loadAccountRelations(server.app, alice.id);
  expect(relations.blocking).toEqual(new Set([bob.id]));
  expect(relations.blockedBy).toEqual(new Set([carol.id]));
  // The relationship does not reveal the block.
  expect(await relationship(alice, carol)).toEqual({ id: carol.id, ...noRelationship });
  expect((await act(alice, 'block', alice)).status).toBe(403);
  expect((await act(alice, 'unblock', bob)).json).toEqual({ id: bob.id, ...noRelationship });
  expect((await act(alice, 'unblock', bob)).status).toBe(200);
  expect((await loadAccountRelations(server.app, alice.id)).blocking.size).toBe(0);
  for (const verb of ['block', 'unblock']) {
    for (const id of ['1', 'x']) expect((await act(alice, verb, id)).status).toBe(404);
    expect((await server.anonymous.post(`/api/v1/accounts/${bob.id}/${verb}`)).status).toBe(401);
    expect(
      (await (await server.withScopes(alice, 'write:follows')).post(`/api/v1/accounts/${bob.id}/${verb}`)).status,
    ).toBe(403);
  }
  await server.drain();
});

test('BLK-01: a follow that is concurrent with a block never remains', async () => {
  await using server = await startServer();
  const [alice, bob] = await createUsers(server, 'alice', 'bob');
  for (let round = 0; round < 10; round += 1) {
    await Promise.allSettled([
      followAccount(server.app, alice.id, bob.id),
      blockAccount(server.app, bob.id, alice.id),
      followAccount(server.app, bob.id, alice.id),
    ]);
    expect(await server.app.db.selectFrom('follows').selectAll().execute()).toEqual([]);
    await act(bob, 'unblock', alice);
  }
  expect(await loadAccount(server, bob)).toMatchObject({ followers_count: 0, following_count: 0 });
});

test('MUT-01: a mute hides notifications by default, can be changed, and expires after its duration', async () => {
  await using server = await startServer();
  const [alice, bob] = await createUsers(server, 'alice', 'bob');
  expect((await act(alice, 'mute', bob)).json).toEqual({
    id: bob.id,
    ...noRelationship,
    muting: true,
    muting_notifications: true,
  });
  const timed = await act(alice, 'mute', bob, { notifications: false, duration: 60 });
  const expires = new Date(server.clock.now().getTime() + 60_000).toISOString();
  expect(timed.json).toMatchObject({ muting: true, muting_notifications: false, muting_expires_at: expires });
  expect((await alice.get('/api/v1/mutes')).json).toMatchObject([{ id: bob.id, mute_expires_at: expires }]);
  expect((await loadAccountRelations(server.app, alice.id)).muting).toEqual(new Set([bob.id]));
  server.clock.advance(61);
  expect(await relationship(alice, bob)).toEqual({ id: bob.id, ...noRelationship });
  expect((await alice.get('/api/v1/mutes')).json).toEqual([]);
  expect((await loadAccountRelations(server.app, alice.id)).muting.size).toBe(0);
  await server.drain();
  expect(await server.app.db.selectFrom('mutes').selectAll().execute()).toEqual([]);
});

test('MUT-01: extending a mute replaces its end; a mute can be undone; muting oneself has no effect', async () => {
  await using server = await startServer();
  const [alice, bob] = await createUsers(server, 'alice', 'bob');
  await act(alice, 'mute', bob, { duration: 60 });
  await act(alice, 'mute', bob, { duration: 0 });
  server.clock.advance(61);
  await server.drain();
  expect(await relationship(alice, bob)).toMatchObject({ muting: true, muting_expires_at: null });
  expect((await loadAccountRelations(server.app, alice.id)).mutingNotifications).toEqual(new Set([bob.id]));
  expect((await act(alice, 'unmute', bob)).json).toEqual({ id: bob.id, ...noRelationship });
  expect((await act(alice, 'unmute', bob)).status).toBe(200);
  expect((await act(alice, 'mute', alice)).json).toMatchObject({ muting: false });
  for (const verb of ['mute', 'unmute']) {
    for (const id of ['1', 'x']) expect((await act(alice, verb, id)).status).toBe(404);
    expect((await server.anonymous.post(`/api/v1/accounts/${bob.id}/${verb}`)).status).toBe(401);
    expect(
      (await (await server.withScopes(alice, 'write:blocks')).post(`/api/v1/accounts/${bob.id}/${verb}`)).status,
    ).toBe(403);
  }
});

test('ACC-11: a note of up to 2000 characters is visible only to its author; a blank one deletes it', async () => {
  await using server = await startServer();
  const [alice, bob] = await createUsers(server, 'alice', 'bob');
  expect((await act(alice, 'note', bob, { comment: ' met at the lake ' })).json.note).toBe('met at the lake');
  expect((await relationship(alice, bob)).note).toBe('met at the lake');
  expect((await relationship(bob, alice)).note).toBe('');
  expect((await act(alice, 'note', bob, { comment: 'ä'.repeat(2000) })).status).toBe(200);
  expect((await act(alice, 'note', bob, { comment: 'a'.repeat(2001) })).status).toBe(422);
  expect((await act(alice, 'note', bob, { comment: '' })).json.note).toBe('');
  expect((await act(alice, 'note', '1', { comment: 'x' })).status).toBe(404);
  expect((await server.anonymous.post(`/api/v1/accounts/${bob.id}/note`, { comment: 'x' })).status).toBe(401);
  const narrow = await server.withScopes(alice, 'write:follows');
  expect((await narrow.post(`/api/v1/accounts/${bob.id}/note`, { comment: 'x' })).status).toBe(403);
});

test('ACC-08: followers and following omit accounts that the viewer blocks or mutes, or that block the viewer', async () => {
  await using server = await startServer();
  const [alice, bob, carol, dave, erin, frank] = await createUsers(
    server,
    'alice',
    'bob',
    'carol',
    'dave',
    'erin',
    'frank',
  );
  for (const user of [bob, carol, dave, erin]) {
    await act(user, 'follow', alice);
    await act(alice, 'follow', user);
  }
  await act(frank, 'block', bob);
  await act(frank, 'mute', carol);
  await act(dave, 'block', frank);
  for (const side of ['followers', 'following']) {
    const path = `/api/v1/accounts/${alice.id}/${side}`;
    expect(ids((await frank.get(path)).json)).toEqual([erin.id]);
    const all = [erin.id, dave.id, carol.id, bob.id];
    expect(ids((await server.anonymous.get(path)).json)).toEqual(all);
    expect(ids((await alice.get(path)).json)).toEqual(all);
    expect((await alice.get(`/api/v1/accounts/1/${side}`)).status).toBe(404);
    expect((await (await server.withScopes(alice, 'write')).get(path)).status).toBe(403);
  }
  await updateAccount(server, erin.id, { suspended_at: new Date() });
  expect((await frank.get(`/api/v1/accounts/${alice.id}/followers`)).json).toEqual([]);
});

test('ACC-08: followers of an account that hides its network, blocks the viewer or is suspended are empty', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = await createUsers(server, 'alice', 'bob', 'carol');
  await act(bob, 'follow', alice);
  const path = `/api/v1/accounts/${alice.id}/followers`;
  expect((await carol.get(path)).json).toHaveLength(1);
  await alice.patch('/api/v1/accounts/update_credentials', { hide_collections: true });
  for (const client of [carol, server.anonymous]) {
    const response = await client.get(path);
    expect(response.status).toBe(200);
    expect(response.json).toEqual([]);
    expect(response.headers['link']).toBeUndefined();
  }
  expect((await alice.get(path)).json).toHaveLength(1);
  await alice.patch('/api/v1/accounts/update_credentials', { hide_collections: false });
  await act(alice, 'block', carol);
  expect((await carol.get(path)).json).toEqual([]);
  await updateAccount(server, alice.id, { suspended_at: new Date() });
  expect((await server.anonymous.get(path)).json).toEqual([]);
});

test('BLK-02: followers, requests, blocks and mutes are paginated by Link headers, newest first', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await lock(alice);
  const others: TestUser[] = [];
  for (let index = 0; index < 5; index += 1) others.push(await server.user(`user${index}`));
  const newest = ids(others.toReversed());
  const lists: [string, (user: TestUser) => Promise<unknown>][] = [
    ['/api/v1/follow_requests', (user) => act(user, 'follow', alice)],
    [`/api/v1/accounts/${alice.id}/followers`, (user) => alice.post(`/api/v1/follow_requests/${user.id}/authorize`)],
    [`/api/v1/accounts/${alice.id}/following`, (user) => act(alice, 'follow', user)],
    ['/api/v1/mutes', (user) => act(alice, 'mute', user)],
    ['/api/v1/blocks', (user) => act(alice, 'block', user)],
  ];
  for (const [path, prepare] of lists) {
    for (const user of others) await prepare(user);
    expect(ids(await walk(alice, `${path}?limit=2`))).toEqual(newest);
    const first = await alice.get(`${path}?limit=2`);
    expect(first.links.next?.searchParams.get('limit')).toBe('2');
    expect((await alice.get(first.links.prev?.href ?? '')).json).toEqual([]);
    const second = await alice.get(first.links.next?.href ?? '');
    expect(ids(second.json)).toEqual(newest.slice(2, 4));
    const cursor = second.links.prev?.searchParams.get('since_id') ?? '';
    expect(ids((await alice.get(`${path}?limit=2&since_id=${cursor}`)).json)).toEqual(newest.slice(0, 2));
    expect(ids((await alice.get(`${path}?limit=1&min_id=${cursor}`)).json)).toEqual(newest.slice(1, 2));
    expect((await alice.get(`${path}?limit=1000`)).json).toHaveLength(5);
    expect((await alice.get(`${path}?max_id=x`)).status).toBe(404);
  }
  for (const path of ['/api/v1/follow_requests', '/api/v1/mutes', '/api/v1/blocks']) {
    expect((await server.anonymous.get(path)).status).toBe(401);
    expect((await (await server.withScopes(alice, 'read:statuses')).get(path)).status).toBe(403);
    expect((await others[0]?.get(path))?.json).toEqual([]);
  }
});

test('paging through followers shows each once while accounts follow and unfollow', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const crowd: AccountId[] = [];
  for (let index = 0; index < 12; index += 1) crowd.push(await storeRemote(server.app, `u${index}`));
  server.expectUndelivered('far.test');
  const path = `/api/v1/accounts/${alice.id}/followers`;
  const steps = fc.array(fc.tuple(fc.nat(crowd.length - 1), fc.boolean()), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(steps, { maxLength: 8 }), async (limit, script) => {
      for (const id of crowd.slice(0, 8)) await followAccount(server.app, id, alice.id);
      const stayed = new Set(await walk(server.anonymous, `${path}?limit=80`).then(ids));
      const seen: string[] = [];
      let next: string | undefined = `${path}?limit=${limit}`;
      for (let page = 0; next !== undefined; page += 1) {
        const response = await server.anonymous.get(next);
        seen.push(...ids(response.json));
        next = response.links.next?.href;
        for (const [index, follows] of script[page] ?? []) {
          const id = crowd[index] as AccountId;
          if (follows) await followAccount(server.app, id, alice.id);
          else await unfollowAccount(server.app, id, alice.id);
          if (!follows) stayed.delete(id);
        }
      }
      const repeated = seen.filter((id, place) => seen.indexOf(id) !== place);
      expect(repeated).toEqual([]);
      for (const id of stayed) expect(seen).toContain(id);
    }),
    { numRuns: 12 },
  );
});

test('after concurrent follows and unfollows, the counters equal the rows', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = await createUsers(server, 'alice', 'bob', 'carol');
  const pairs = [
    [alice, bob],
    [bob, alice],
    [alice, carol],
    [carol, bob],
  ] as const;
  const work = Array.from({ length: 40 }, (_, index) => {
    const [from, to] = pairs[index % pairs.length] ?? pairs[0];
    return index % 3 === 2
      ? unfollowAccount(server.app, from.id, to.id)
      : followAccount(server.app, from.id, to.id).then(() => undefined);
  });
  await Promise.all(work);
  const rows = await server.app.db.selectFrom('follows').selectAll().execute();
  for (const { id } of [alice, bob, carol]) {
    const stats = await server.app.db
      .selectFrom('account_stats')
      .selectAll()
      .where('account_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(stats.following_count).toBe(rows.filter((row) => row.account_id === id).length);
    expect(stats.followers_count).toBe(rows.filter((row) => row.target_account_id === id).length);
    expect(stats.local_followers_count).toBe(stats.followers_count);
  }
});

test('deleting an account deletes its follows, blocks and mutes, and updates counters', async () => {
  await using server = await startServer();
  const [alice, bob, carol, dave] = await createUsers(server, 'alice', 'bob', 'carol', 'dave');
  await act(bob, 'follow', alice);
  await act(alice, 'follow', bob);
  await act(carol, 'mute', alice);
  await act(dave, 'block', alice);
  await deleteAccount(server.app, alice.id);
  await server.drain();
  for (const table of ['follows', 'blocks', 'mutes'] as const) {
    expect(await server.app.db.selectFrom(table).selectAll().execute()).toEqual([]);
  }
  expect(await loadAccount(server, bob)).toMatchObject({ followers_count: 0, following_count: 0 });
});

test('each relationship action needs a user, its own scope, and an existing account', async () => {
  await using server = await startServer();
  const [alice, bob] = await createUsers(server, 'alice', 'bob');
  const calls = (id: string): [path: string, scope: string][] => [
    [`/api/v1/accounts/${id}/follow`, 'write:follows'],
    [`/api/v1/accounts/${id}/unfollow`, 'write:follows'],
    [`/api/v1/accounts/${id}/remove_from_followers`, 'write:follows'],
    [`/api/v1/accounts/${id}/block`, 'write:blocks'],
    [`/api/v1/accounts/${id}/unblock`, 'write:blocks'],
    [`/api/v1/accounts/${id}/mute`, 'write:mutes'],
    [`/api/v1/accounts/${id}/unmute`, 'write:mutes'],
    [`/api/v1/accounts/${id}/note`, 'write:accounts'],
  ];
  const others = await server.withScopes(alice, 'read write:statuses');
  const ghost = await server.user('ghost');
  await deleteAccount(server.app, ghost.id);
  for (const [path, scope] of calls(bob.id)) {
    expect((await server.anonymous.post(path)).status, path).toBe(401);
    expect((await others.post(path)).status, path).toBe(403);
    expect((await (await server.withScopes(alice, scope)).post(path)).json.id, path).toBe(bob.id);
  }
  for (const id of [ghost.id, '1', 'x', '-5', '9'.repeat(20)]) {
    for (const [path] of calls(id)) expect((await alice.post(path)).status, path).toBe(404);
  }
  await server.drain();
});
