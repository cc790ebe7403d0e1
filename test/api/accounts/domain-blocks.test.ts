import { expect, test } from 'vitest';
import { storeRemoteAccount } from '../../../server/accounts/remote/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../../server/platform/ids.ts';
import { acceptFollowRequest, followAccount } from '../../../server/relationships/follow/index.ts';
import { loadAccountRelations } from '../../../server/relationships/rules/index.ts';
import { storeRemoteReblog, storeRemoteStatus, type RemoteStatus } from '../../../server/statuses/remote/index.ts';
import { form, startServer, type TestServer, type TestUser } from '../../server.ts';

const path = '/api/v1/domain_blocks';

const storeRemote = (server: TestServer, handle: string): Promise<AccountId> => {
  const [name = '', domain = ''] = handle.split('@');
  return transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, {
      uri: `https://${domain}/users/${name}`,
      username: name,
      domain,
      inboxUrl: `https://${domain}/users/${name}/inbox`,
    }),
  );
};

let postCount = 0;
async function storeRemotePost(
  server: TestServer,
  accountId: AccountId,
  status: Partial<RemoteStatus> = {},
): Promise<StatusId> {
  postCount += 1;
  server.clock.advance(1);
  const uri = `https://elsewhere.test/posts/${postCount}`;
  const now = server.clock.now();
  const id = await storeRemoteStatus(server.app, {
    uri,
    accountId,
    content: '<p>hello</p>',
    visibility: 'public',
    publishedAt: now,
    ...status,
  });
  if (id === undefined) throw new Error('not stored');
  return id;
}

async function follow(server: TestServer, alice: TestUser, target: AccountId): Promise<void> {
  await followAccount(server.app, alice.id, target);
  await acceptFollowRequest(server.app, target, alice.id);
}

const ids = (list: { id: string }[]) => list.map(({ id }) => id);

test('UDB-01: a domain can be blocked and unblocked in any spelling, and is listed in ASCII', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const far = await storeRemote(server, 'bob@xn--bcher-kva.example');
  const blocked = await alice.post(path, form({ domain: 'BÜCHER.example' }));
  expect([blocked.status, blocked.json]).toEqual([200, {}]);
  expect((await alice.post(path, { domain: 'bücher.example' })).status).toBe(200);
  expect((await alice.get(path)).json).toEqual(['xn--bcher-kva.example']);
  const relationship = async () => (await alice.get(`/api/v1/accounts/relationships?id[]=${far}`)).json[0];
  expect(await relationship()).toMatchObject({ domain_blocking: true });
  expect((await alice.post(`/api/v1/accounts/${far}/follow`)).status).toBe(403);
  const unblocked = await alice.delete(`${path}?domain=bücher.example`);
  expect([unblocked.status, unblocked.json]).toEqual([200, {}]);
  expect((await alice.delete(path, { domain: 'bücher.example' })).status).toBe(200);
  expect((await alice.get(path)).json).toEqual([]);
  expect(await relationship()).toMatchObject({ domain_blocking: false });
  expect((await loadAccountRelations(server.app, alice.id)).blockedDomains.size).toBe(0);
});

test('UDB-01: an invalid domain or the local one is 422, and a missing one is 400', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (const domain of ['no domain', '*.far.test', 'https://far.test/', 'fieldfare.test', 'Fieldfare.Test']) {
    expect((await alice.post(path, { domain })).status, domain).toBe(422);
    expect((await alice.get(`${path}/preview?domain=${encodeURIComponent(domain)}`)).status, domain).toBe(422);
  }
  expect((await alice.post(path, {})).status).toBe(400);
  expect((await alice.delete(path)).status).toBe(400);
  expect((await alice.get(`${path}/preview`)).status).toBe(400);
});

test('UDB-01: domain blocks require a user and the scopes for blocks', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const reader = await server.withScopes(alice, 'read:blocks');
  const writer = await server.withScopes(alice, 'write:blocks');
  const domain = { domain: 'far.test' };
  expect((await server.anonymous.get(path)).status).toBe(401);
  expect((await server.anonymous.post(path, domain)).status).toBe(401);
  expect((await server.anonymous.delete(path, domain)).status).toBe(401);
  expect((await server.anonymous.get(`${path}/preview?domain=far.test`)).status).toBe(401);
  expect((await (await server.appToken()).post(path, domain)).status).toBe(422);
  expect((await reader.post(path, domain)).status).toBe(403);
  expect((await reader.delete(path, domain)).status).toBe(403);
  expect((await reader.get(path)).status).toBe(200);
  expect((await writer.get(path)).status).toBe(403);
  expect((await writer.get(`${path}/preview?domain=far.test`)).status).toBe(200);
  expect((await writer.post(path, domain)).status).toBe(200);
  expect((await writer.delete(path, domain)).status).toBe(200);
});

test('UDB-01 PAG-03: domain blocks are paged by the ids of their rows, newest first', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    await alice.post(path, { domain: `${name}.test` });
    server.clock.advance(1);
  }
  const first = await alice.get(`${path}?limit=2`);
  expect(first.json).toEqual(['e.test', 'd.test']);
  const second = await alice.get(first.links.next?.href ?? '');
  expect(second.json).toEqual(['c.test', 'b.test']);
  const third = await alice.get(second.links.next?.href ?? '');
  expect(third.json).toEqual(['a.test']);
  expect(third.links.next).toBeUndefined();
  const above = second.links.prev?.searchParams.get('since_id');
  expect((await alice.get(`${path}?min_id=${above}&limit=1`)).json).toEqual(['d.test']);
  expect((await alice.get(`${path}?since_id=${above}&limit=1`)).json).toEqual(['e.test']);
});

test('UDB-01: a domain block ends follows and requests in both directions, by Undo and Reject', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await storeRemote(server, 'bob@far.test');
  const carol = await storeRemote(server, 'carol@far.test');
  const dave = await storeRemote(server, 'dave@far.test');
  const erin = await storeRemote(server, 'erin@other.test');
  for (const id of [bob, erin]) {
    await followAccount(server.app, id, alice.id, { uri: `https://far.test/follows/${id}` });
    await follow(server, alice, id);
  }
  await followAccount(server.app, alice.id, dave);
  await alice.patch('/api/v1/accounts/update_credentials', { locked: true });
  await followAccount(server.app, carol, alice.id, { uri: 'https://far.test/follows/carol' });
  await server.drain();
  expect((await alice.get(`${path}/preview?domain=FAR.test`)).json).toEqual({ following_count: 1, followers_count: 1 });
  await server.db.deleteFrom('deliveries').execute();
  await server.db.deleteFrom('activities').execute();
  await alice.post(path, { domain: 'far.test' });
  server.expectUndelivered('far.test');
  await server.drain();
  expect((await alice.get(`${path}/preview?domain=far.test`)).json).toEqual({ following_count: 0, followers_count: 0 });
  for (const table of ['follows', 'follow_requests'] as const) {
    const rows = await server.app.db.selectFrom(table).select(['account_id', 'target_account_id']).execute();
    for (const row of rows) expect([row.account_id, row.target_account_id]).toContain(erin);
  }
  const account = (await server.anonymous.get(`/api/v1/accounts/${alice.id}`)).json;
  expect([account.followers_count, account.following_count]).toEqual([1, 1]);
  const sent = await server.app.db.selectFrom('activities').select('body').execute();
  const types = sent.map(({ body }) => (JSON.parse(body) as { type: string }).type).toSorted();
  expect(types).toEqual(['Reject', 'Reject', 'Undo', 'Undo']);
  await expect(followAccount(server.app, bob, alice.id)).rejects.toMatchObject({ status: 403 });
});

test('UDB-01: a domain block hides posts from timelines, threads and notifications until it is removed', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await storeRemote(server, 'bob@far.test');
  const erin = await storeRemote(server, 'erin@other.test');
  await follow(server, alice, erin);
  server.expectUndelivered('other.test');
  const mine = (await alice.post('/api/v1/statuses', { status: 'mine' })).json.id as StatusId;
  await server.drain();
  const original = await storeRemotePost(server, bob);
  const reply = await storeRemotePost(server, bob, { inReplyToId: mine, mentions: [{ accountId: alice.id }] });
  server.clock.advance(1);
  const reblog = await storeRemoteReblog(server.app, {
    uri: 'https://other.test/boosts/1',
    accountId: erin,
    reblogOfId: original,
    visibility: 'public',
    publishedAt: server.clock.now(),
  });
  await server.drain();
  const seen = async () => ({
    home: ids((await alice.get('/api/v1/timelines/home')).json).includes(String(reblog)),
    public: ids((await alice.get('/api/v1/timelines/public')).json).includes(original),
    thread: ids((await alice.get(`/api/v1/statuses/${mine}/context`)).json.descendants).includes(reply),
    notifications: (await alice.get('/api/v1/notifications?types[]=mention')).json.length > 0,
  });
  expect(await seen()).toEqual({ home: true, public: true, thread: true, notifications: true });
  await server.drain();
  await alice.post(path, { domain: 'far.test' });
  await server.drain();
  expect(await seen()).toEqual({ home: false, public: false, thread: false, notifications: false });
  await alice.delete(path, { domain: 'far.test' });
  await server.drain();
  expect(await seen()).toEqual({ home: true, public: true, thread: true, notifications: true });
});
