import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeRemoteAccount } from '../../../server/accounts/remote/index.ts';
import { deleteAccountAsStaff } from '../../../server/moderation/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { AccountId } from '../../../server/platform/ids.ts';
import { changeSiteSettings } from '../../../server/site/index.ts';
import { storeRemoteStatus } from '../../../server/statuses/remote/index.ts';
import { startServer, type Client, type TestServer, type TestUser } from '../../server.ts';

const path = '/api/v2/suggestions';
const profile = '/api/v1/accounts/update_credentials';

interface Suggestion {
  readonly source: string;
  readonly sources: readonly string[];
  readonly account: { readonly id: string; readonly username: string };
}

let server: TestServer;
let alice: TestUser;
let crowd: TestUser[];

const suggestionsFor = async (client: Client, query = ''): Promise<Suggestion[]> =>
  (await client.get(path + query)).json;
const namesFor = async (client: Client, query = '') =>
  (await suggestionsFor(client, query)).map(({ account }) => account.username);

/** Creates an account that may be suggested, with one post. */
async function discoverable(username: string): Promise<{ user: TestUser; statusId: string }> {
  const user = await server.user(username);
  await user.patch(profile, { discoverable: true });
  return { user, statusId: (await user.post('/api/v1/statuses', { status: 'Hello' })).json.id };
}

/** Ten accounts follow pop and favourite a post of liked. Both are discoverable. */
beforeAll(async () => {
  server = await startServer();
  alice = await server.user('alice');
  const pop = await discoverable('pop');
  const liked = await discoverable('liked');
  crowd = [];
  for (let number = 0; number < 10; number += 1) {
    const user = await server.user(`crowd_${number}`);
    crowd.push(user);
    await user.post(`/api/v1/accounts/${pop.user.id}/follow`);
    await user.post(`/api/v1/statuses/${liked.statusId}/favourite`);
  }
  await server.drain();
  await server.runSchedule('trend.refresh_trends');
});

afterAll(() => server[Symbol.asyncDispose]());

test('SUG-01: a new user gets popular accounts, once they are computed', async () => {
  expect(await suggestionsFor(alice)).toEqual([]);
  await server.runSchedule('suggestion.refresh_popular_accounts');
  const suggestions = await suggestionsFor(alice);
  expect(suggestions.map(({ account: { username }, ...reason }) => ({ username, ...reason }))).toEqual([
    { username: 'pop', source: 'global', sources: ['most_followed'] },
    { username: 'liked', source: 'global', sources: ['most_interactions'] },
  ]);
  const v1 = await alice.get('/api/v1/suggestions');
  expect(v1.headers['deprecation']).toBe(`@${Date.parse('2021-05-16') / 1000}`);
  expect(v1.json).toEqual(suggestions.map(({ account }) => account));
  expect(await namesFor(alice, '?limit=1')).toEqual(['pop']);
  expect(await namesFor(alice, '?limit=1&offset=1')).toEqual(['liked']);
  expect(await namesFor(alice, '?offset=2')).toEqual([]);
  expect((await alice.get(`${path}?limit=1`)).headers['link']).toBeUndefined();
});

test('suggestions require a user token with the scope', async () => {
  const writer = await server.withScopes(alice, 'write');
  const reader = await server.withScopes(alice, 'read:accounts');
  for (const url of [path, '/api/v1/suggestions']) {
    expect((await server.anonymous.get(url)).status).toBe(401);
    expect((await (await server.appToken()).get(url)).status).toBe(422);
    expect((await writer.get(url)).status).toBe(403);
    expect((await reader.get(url)).status).toBe(200);
  }
  expect((await server.anonymous.delete('/api/v1/suggestions/1')).status).toBe(401);
  expect((await reader.delete('/api/v1/suggestions/1')).status).toBe(403);
  expect((await alice.delete('/api/v1/suggestions/x')).status).toBe(404);
});

test('SUG-01: a reply weighs 1, a favourite 10 and a reblog 20; of equals, the newest post comes first', async () => {
  const viewer = await server.user('viewer');
  const replied = await discoverable('replied');
  const favourited = await discoverable('favourited');
  const reblogged = await discoverable('reblogged');
  const older = await discoverable('older');
  server.clock.advance(1);
  const newer = await discoverable('newer');
  for (let count = 0; count < 9; count += 1)
    await viewer.post('/api/v1/statuses', { status: '@replied Hi', in_reply_to_id: replied.statusId });
  await viewer.post(`/api/v1/statuses/${favourited.statusId}/favourite`);
  await viewer.post('/api/v1/statuses', { status: '@favourited Hi', in_reply_to_id: favourited.statusId });
  await viewer.post(`/api/v1/statuses/${reblogged.statusId}/reblog`);
  for (const { statusId } of [newer, older]) await viewer.post(`/api/v1/statuses/${statusId}/favourite`);
  expect(await namesFor(viewer)).toEqual(['reblogged', 'favourited', 'newer', 'older', 'replied', 'pop', 'liked']);
  expect((await suggestionsFor(viewer))[0]).toMatchObject({ source: 'past_interactions' });
});

test('SUG-01: followed, muted, blocked, blocking, suspended, domain-blocked, locked, moved and own accounts are left out', async () => {
  const viewer = await server.user('picky');
  const uri = 'https://far.test/users/remote';
  const remoteId = await transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, { uri, username: 'remote', domain: 'far.test', inboxUrl: `${uri}/inbox` }),
  );
  const remoteStatus = await storeRemoteStatus(server.app, {
    uri: `${uri}/1`,
    url: `${uri}/1`,
    accountId: remoteId,
    content: '<p>Hi</p>',
    visibility: 'public',
    publishedAt: server.clock.now(),
  });
  await viewer.post(`/api/v1/statuses/${remoteStatus}/favourite`);
  const names = ['followed', 'muted', 'blocked', 'blocking', 'suspended', 'locked', 'moved', 'requested', 'shown'];
  const users = new Map<string, TestUser>();
  for (const name of names) {
    const { user, statusId } = await discoverable(name);
    users.set(name, user);
    await viewer.post(`/api/v1/statuses/${statusId}/favourite`);
  }
  const own = (await viewer.post('/api/v1/statuses', { status: 'Mine' })).json.id;
  await viewer.post(`/api/v1/statuses/${own}/favourite`);
  expect(await namesFor(viewer)).toEqual(expect.arrayContaining([...names, 'remote']));
  const idOf = (name: string): AccountId => (users.get(name) as TestUser).id;
  await viewer.post(`/api/v1/accounts/${idOf('followed')}/follow`);
  await viewer.post(`/api/v1/accounts/${idOf('muted')}/mute`);
  await viewer.post(`/api/v1/accounts/${idOf('blocked')}/block`);
  await users.get('blocking')?.post(`/api/v1/accounts/${viewer.id}/block`);
  await users.get('locked')?.patch(profile, { locked: true });
  await users.get('requested')?.patch(profile, { locked: true });
  await viewer.post(`/api/v1/accounts/${idOf('requested')}/follow`);
  await users.get('requested')?.patch(profile, { locked: false });
  await viewer.post('/api/v1/domain_blocks', { domain: 'far.test' });
  const now = server.clock.now();
  await server.db.updateTable('accounts').set({ suspended_at: now }).where('id', '=', idOf('suspended')).execute();
  await server.db
    .updateTable('accounts')
    .set({ moved_to_account_id: idOf('shown') })
    .where('id', '=', idOf('moved'))
    .execute();
  await server.drain();
  const left = await namesFor(viewer);
  expect(left.filter((name) => [...names, 'remote', 'picky'].includes(name))).toEqual(['shown']);
  server.expectUndelivered('far.test');
});

test('SUG-01: a dismissed account is not suggested again to this viewer', async () => {
  const [{ account }] = (await suggestionsFor(alice)) as [Suggestion];
  for (let count = 0; count < 2; count += 1) {
    const { status, json } = await alice.delete(`/api/v1/suggestions/${account.id}`);
    expect([status, json]).toEqual([200, {}]);
  }
  expect((await alice.delete('/api/v1/suggestions/999')).status).toBe(200);
  expect(await namesFor(alice)).not.toContain(account.username);
  expect(await namesFor(await server.user('bystander'))).toContain(account.username);
});

test('SUG-01: friends of friends are suggested, unless the friend hides them or they are not discoverable', async () => {
  const [viewer, friend] = [await server.user('follower'), await server.user('friend')];
  const open = await discoverable('open');
  const closed = await server.user('closed');
  await closed.patch(profile, { discoverable: false });
  await viewer.post(`/api/v1/accounts/${friend.id}/follow`);
  for (const { id } of [open.user, closed]) await friend.post(`/api/v1/accounts/${id}/follow`);
  const suggestions = await suggestionsFor(viewer);
  expect(suggestions.map(({ account }) => account.username)).toEqual(['open', 'pop', 'liked']);
  expect(suggestions[0]).toMatchObject({ source: 'past_interactions', sources: ['friends_of_friends'] });
  await friend.patch(profile, { hide_collections: true });
  expect(await namesFor(viewer)).toEqual(['pop', 'liked']);
});

test('SUG-01: accounts that staff recommend come first, in their order', async () => {
  await changeSiteSettings(server.app, 'system', {
    suggestedAccounts: ['crowd_3', '@liked@fieldfare.test', 'unknown'],
  });
  const viewer = await server.user('newcomer');
  const suggestions = await suggestionsFor(viewer);
  expect(suggestions.map(({ account, sources }) => [account.username, ...sources])).toEqual([
    ['crowd_3', 'featured'],
    ['liked', 'featured', 'most_interactions'],
    ['pop', 'most_followed'],
  ]);
  expect(suggestions[0]?.source).toBe('staff');
  await changeSiteSettings(server.app, 'system', { suggestedAccounts: null });
});

test('a deleted account is no longer suggested, and what it dismissed is deleted', async () => {
  const gone = await server.user('gone');
  await gone.delete(`/api/v1/suggestions/${alice.id}`);
  await deleteAccountAsStaff(server.app, 'system', { accountId: gone.id });
  await server.drain();
  expect(
    await server.db.selectFrom('dismissed_suggestions').selectAll().where('account_id', '=', gone.id).execute(),
  ).toEqual([]);
});
