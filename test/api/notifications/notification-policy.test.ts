import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openRequests } from '../../../server/notifications/requests/count-requests.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { NotificationId } from '../../../server/platform/ids.ts';
import { follow, postBy } from '../../feeds.ts';
import { startServer, walk, type TestServer, type TestUser } from '../../server.ts';
import { writable } from '../../writable.ts';

const notificationsPath = '/api/v1/notifications';
const requestsPath = `${notificationsPath}/requests`;
const policyPath = '/api/v2/notifications/policy';
const daySeconds = 86_400;

interface NotificationJson {
  readonly type: string;
  readonly filtered?: boolean;
  readonly account: { readonly acct: string };
}

interface RequestJson {
  readonly id: string;
  readonly notifications_count: string;
  readonly account: { readonly acct: string };
  readonly last_status: { readonly id: string } | null;
}

/** Returns the notifications as `type sender` or, if filtered, `(type sender)`, newest first. */
async function listAll(server: TestServer, user: TestUser): Promise<string[]> {
  await server.drain();
  const { json } = await user.get(`${notificationsPath}?include_filtered=true`);
  return (json as NotificationJson[]).map(({ type, account, filtered }) =>
    filtered === true ? `(${type} ${account.acct})` : `${type} ${account.acct}`,
  );
}

async function listRequests(server: TestServer, user: TestUser): Promise<RequestJson[]> {
  await server.drain();
  return (await user.get(requestsPath)).json as RequestJson[];
}

const setPolicy = async (user: TestUser, changes: Record<string, string>) => {
  const { status, text, json } = await user.patch(policyPath, changes);
  expect(status, text).toBe(200);
  return json;
};

async function createUsers<const Names extends readonly string[]>(server: TestServer, names: Names) {
  const users: Record<string, TestUser> = {};
  for (const name of names) users[name] = await server.user(name);
  return users as Record<Names[number], TestUser>;
}

/** Posts a direct mention and returns its id. */
const mentionDirectly = (user: TestUser, text: string, inReplyTo?: string) =>
  postBy(user, { status: text, visibility: 'direct', ...(inReplyTo !== undefined && { in_reply_to_id: inReplyTo }) });

test('NTF-01: the policy has defaults, changes one setting at a time, and has a first form with booleans', async () => {
  await using server = await startServer();
  const { alice } = await createUsers(server, ['alice']);
  const defaults = {
    for_not_following: 'accept',
    for_not_followers: 'accept',
    for_new_accounts: 'accept',
    for_private_mentions: 'filter',
    for_limited_accounts: 'filter',
    for_bots: 'accept',
    summary: { pending_requests_count: 0, pending_notifications_count: 0 },
  };
  expect((await alice.get(policyPath)).json).toEqual(defaults);
  expect(await setPolicy(alice, {})).toEqual(defaults);
  expect(await setPolicy(alice, { for_bots: 'drop' })).toEqual({ ...defaults, for_bots: 'drop' });
  const changed = { ...defaults, for_bots: 'drop', for_not_following: 'filter' };
  expect((await alice.put(policyPath, { for_not_following: 'filter' })).json).toEqual(changed);
  expect((await alice.get(policyPath)).json).toEqual(changed);
  expect((await alice.patch(policyPath, { for_bots: 'refuse' })).status).toBe(422);

  const v1Path = '/api/v1/notifications/policy';
  const v1 = {
    filter_not_following: true,
    filter_not_followers: false,
    filter_new_accounts: false,
    filter_private_mentions: true,
    filter_bots: true,
    summary: defaults.summary,
  };
  expect((await alice.get(v1Path)).json).toEqual(v1);
  const input = { filter_private_mentions: false, filter_bots: false, filter_new_accounts: true };
  expect((await alice.put(v1Path, input)).json).toEqual({ ...v1, ...input });
  expect((await alice.patch(v1Path, { filter_not_followers: true })).json).toMatchObject({
    filter_not_followers: true,
  });
  expect((await alice.get(policyPath)).json).toMatchObject({
    for_not_following: 'filter',
    for_not_followers: 'filter',
    for_new_accounts: 'filter',
    for_private_mentions: 'accept',
    for_bots: 'accept',
  });
  for (const path of [policyPath, v1Path]) {
    expect((await server.anonymous.get(path)).status).toBe(401);
    expect((await server.anonymous.put(path)).status).toBe(401);
    expect((await (await server.withScopes(alice, 'read:statuses')).get(path)).status).toBe(403);
    expect((await (await server.withScopes(alice, 'read')).put(path, {})).status).toBe(403);
    expect((await (await server.withScopes(alice, 'write:notifications')).put(path, {})).status).toBe(200);
  }
});

test('NTF-02: the policy filters or drops notifications from accounts that the recipient does not follow', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server, ['alice', 'bob']);
  const posts = [await postBy(alice, 'one'), await postBy(alice, 'two'), await postBy(alice, 'three')];
  const favourite = (index: number) => bob.post(`/api/v1/statuses/${posts[index]}/favourite`);
  await setPolicy(alice, { for_not_following: 'filter' });
  await favourite(0);
  expect(await listAll(server, alice)).toEqual(['(favourite bob)']);
  expect(await listRequests(server, alice)).toEqual([]);
  await setPolicy(alice, { for_not_following: 'drop', for_new_accounts: 'filter' });
  await favourite(1);
  await postBy(bob, '@alice hello');
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  expect(await listAll(server, alice)).toEqual(['(favourite bob)']);
  await follow(server, alice, bob, { notify: true });
  await favourite(2);
  await server.drain();
  await postBy(bob, 'for subscribers');
  expect(await listAll(server, alice)).toEqual(['status bob', 'favourite bob', '(favourite bob)']);
});

test('NTF-02: the policy filters notifications from accounts that do not follow, or for less than three days', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server, ['alice', 'bob']);
  await setPolicy(alice, { for_not_followers: 'filter' });
  await follow(server, alice, bob);
  await postBy(bob, '@alice one');
  expect(await listAll(server, alice)).toEqual(['(mention bob)']);
  await follow(server, bob, alice);
  server.clock.advance(2 * daySeconds);
  await postBy(bob, '@alice two');
  const filtered = ['(mention bob)', '(follow bob)', '(mention bob)'];
  expect(await listAll(server, alice)).toEqual(filtered);
  server.clock.advance(daySeconds);
  await postBy(bob, '@alice three');
  expect(await listAll(server, alice)).toEqual(['mention bob', ...filtered]);
});

test('NTF-02: the policy filters notifications from new accounts, bots and silenced accounts', async () => {
  await using server = await startServer();
  const { alice, bob, robot, silenced } = await createUsers(server, ['alice', 'bob', 'robot', 'silenced']);
  await robot.patch('/api/v1/accounts/update_credentials', { bot: true });
  await server.db
    .updateTable('accounts')
    .set({ silenced_at: server.clock.now() })
    .where('id', '=', silenced.id)
    .execute();
  server.clock.advance(31 * daySeconds);
  const carol = await server.user('carol');
  const mentionAll = async () => {
    for (const user of [bob, robot, silenced, carol]) {
      await postBy(user, '@alice hi');
      await server.drain();
    }
    const all = await listAll(server, alice);
    await alice.post(`${notificationsPath}/clear`);
    return all.toReversed();
  };
  const [b, r, s, c] = ['mention bob', 'mention robot', 'mention silenced', 'mention carol'] as const;
  expect(await mentionAll()).toEqual([b, r, `(${s})`, c]);
  await setPolicy(alice, { for_new_accounts: 'filter' });
  expect(await mentionAll()).toEqual([b, r, `(${s})`, `(${c})`]);
  await setPolicy(alice, { for_new_accounts: 'drop', for_bots: 'filter', for_limited_accounts: 'accept' });
  expect(await mentionAll()).toEqual([b, `(${r})`, s]);
  await setPolicy(alice, { for_limited_accounts: 'drop', for_bots: 'drop' });
  expect(await mentionAll()).toEqual([b]);
  for (const user of [robot, silenced, carol]) await follow(server, alice, user);
  expect(await mentionAll()).toEqual([b, r, s, c]);
});

test('NTF-02: the policy filters private mentions unless they answer a private mention by the recipient', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server, ['alice', 'bob', 'carol']);
  const unsolicited = await mentionDirectly(bob, '@alice psst');
  await mentionDirectly(bob, '@alice again', unsolicited);
  await server.drain();
  await postBy(bob, '@alice in public');
  expect(await listAll(server, alice)).toEqual(['mention bob', '(mention bob)', '(mention bob)']);
  await alice.post(`${notificationsPath}/clear`);
  const asked = await mentionDirectly(alice, '@bob a question');
  const answer = await mentionDirectly(bob, '@alice an answer', asked);
  await mentionDirectly(bob, '@alice and more', answer);
  expect(await listAll(server, alice)).toEqual(['mention bob', 'mention bob']);
  await alice.post(`${notificationsPath}/clear`);
  // Carol was not asked.
  const stranger = await mentionDirectly(carol, '@alice me too', await postBy(alice, 'hello'));
  await mentionDirectly(carol, '@alice and more', stranger);
  expect(await listAll(server, alice)).toEqual(['(mention carol)', '(mention carol)']);
  await follow(server, alice, carol);
  await mentionDirectly(carol, '@alice hi');
  expect((await listAll(server, alice))[0]).toBe('mention carol');
});

test('NTF-01: mentions by staff and notifications from accepted senders pass the policy', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server, ['alice', 'bob']);
  const moderator = await server.user('keeper', { role: 'moderator' });
  for (const user of [alice, moderator]) await setPolicy(user, { for_not_following: 'drop' });
  await postBy(moderator, '@alice please read the rules');
  await postBy(alice, '@keeper I did');
  const post = await postBy(alice, 'hello');
  await moderator.post(`/api/v1/statuses/${post}/favourite`);
  expect(await listAll(server, alice)).toEqual(['mention keeper']);
  expect(await listAll(server, moderator)).toEqual([]);
  await setPolicy(alice, { for_not_following: 'filter' });
  await postBy(bob, '@alice hi');
  const [request] = await listRequests(server, alice);
  await alice.post(`${requestsPath}/${request?.id}/accept`);
  await setPolicy(alice, { for_not_following: 'drop' });
  await bob.post(`/api/v1/statuses/${post}/favourite`);
  expect(await listAll(server, alice)).toEqual(['favourite bob', 'mention bob', 'mention keeper']);
  // A block ends the permission.
  await alice.post(`/api/v1/accounts/${bob.id}/block`);
  await server.drain();
  await alice.post(`/api/v1/accounts/${bob.id}/unblock`);
  await postBy(bob, '@alice again');
  expect(await listAll(server, alice)).toEqual(['mention keeper']);
});

test('NTF-01: filtered mentions open requests that are counted, listed, shown, accepted and dismissed', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server, ['alice', 'bob', 'carol']);
  const mine = await postBy(alice, 'hello');
  await setPolicy(alice, { for_not_following: 'filter' });
  await bob.post(`/api/v1/statuses/${mine}/favourite`);
  await server.drain();
  await postBy(bob, '@alice one');
  await server.drain();
  const second = await postBy(bob, '@alice two');
  await server.drain();
  const third = await mentionDirectly(carol, '@alice psst');
  expect(
    (await listRequests(server, alice)).map((r) => [r.account.acct, r.notifications_count, r.last_status?.id]),
  ).toEqual([
    ['carol', '1', third],
    ['bob', '2', second],
  ]);
  expect((await alice.get(policyPath)).json.summary).toEqual({
    pending_requests_count: 2,
    pending_notifications_count: 3,
  });
  expect((await alice.get('/api/v1/notifications/unread_count')).json).toEqual({ count: 0 });
  const [fromCarol, fromBob] = (await alice.get(requestsPath)).json as [RequestJson, RequestJson];
  expect((await alice.get(`${requestsPath}/${fromBob.id}`)).json).toEqual(fromBob);

  const path = `${requestsPath}/${fromBob.id}`;
  expect((await bob.get(path)).status).toBe(404);
  for (const action of ['accept', 'dismiss']) {
    expect((await bob.post(`${path}/${action}`)).status).toBe(404);
    expect((await server.anonymous.post(`${path}/${action}`)).status).toBe(401);
    expect((await (await server.withScopes(alice, 'read')).post(`${path}/${action}`)).status).toBe(403);
    expect((await bob.post(`${requestsPath}/${action}`, { id: [fromBob.id] })).json).toEqual({});
    expect((await server.anonymous.post(`${requestsPath}/${action}`)).status).toBe(401);
    expect((await (await server.withScopes(alice, 'read')).post(`${requestsPath}/${action}`)).status).toBe(403);
  }
  for (const get of ['', '/merged', `/${fromBob.id}`]) {
    expect((await server.anonymous.get(`${requestsPath}${get}`)).status).toBe(401);
    expect((await (await server.withScopes(alice, 'write')).get(`${requestsPath}${get}`)).status).toBe(403);
  }

  const isMerged = async () => (await alice.get(`${requestsPath}/merged`)).json;
  expect(await isMerged()).toEqual({ merged: true });
  expect((await alice.post(`${path}/accept`)).json).toEqual({});
  expect(await isMerged()).toEqual({ merged: false });
  expect((await alice.post(`${path}/accept`)).status).toBe(404);
  expect((await alice.get(path)).status).toBe(404);
  await server.drain();
  expect(await isMerged()).toEqual({ merged: true });
  expect(await listAll(server, alice)).toEqual(['(mention carol)', 'mention bob', 'mention bob', 'favourite bob']);

  expect((await alice.post(`${requestsPath}/${fromCarol.id}/dismiss`)).json).toEqual({});
  expect((await alice.post(`${requestsPath}/${fromCarol.id}/dismiss`)).status).toBe(404);
  expect(await listRequests(server, alice)).toEqual([]);
  expect((await listAll(server, alice))[0]).toBe('(mention carol)');
  await postBy(carol, '@alice once more');
  const [reopened] = await listRequests(server, alice);
  expect(reopened).toMatchObject({ notifications_count: '1', account: { acct: 'carol' } });
  expect(reopened?.id).not.toBe(fromCarol.id);
  const ids = [reopened?.id, '4711', 'nonsense'];
  expect((await alice.post(`${requestsPath}/dismiss`, { id: ids })).json).toEqual({});
  expect((await alice.post(`${requestsPath}/dismiss`)).json).toEqual({});
  expect(await listRequests(server, alice)).toEqual([]);
});

test('NTF-01: requests are listed in pages, and several are accepted at once', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await setPolicy(alice, { for_not_following: 'filter' });
  for (let index = 0; index < 7; index += 1) {
    await postBy(await server.user(`stranger${index}`), '@alice hi');
    await server.drain();
  }
  const countQueries = (limit: number) => server.countWarmQueries(() => alice.get(`${requestsPath}?limit=${limit}`));
  expect(await countQueries(7)).toBe(await countQueries(2));
  const all = await walk(alice, `${requestsPath}?limit=3`);
  expect((all as unknown as RequestJson[]).map(({ account }) => account.acct)).toEqual(
    [6, 5, 4, 3, 2, 1, 0].map((index) => `stranger${index}`),
  );
  const page = await alice.get(`${requestsPath}?limit=2&min_id=${all[4]?.id}`);
  expect(page.json.map(({ id }: { id: string }) => id)).toEqual([all[2]?.id, all[3]?.id]);
  expect(page.links.prev?.search).toBe(`?limit=2&min_id=${all[2]?.id}`);
  const accepted = all.slice(0, 5).map(({ id }) => id);
  expect((await alice.post(`${requestsPath}/accept`, { id: accepted })).json).toEqual({});
  expect((await alice.get(requestsPath)).json.map(({ id }: { id: string }) => id)).toEqual([all[5]?.id, all[6]?.id]);
  expect((await listAll(server, alice)).filter((text) => !text.startsWith('('))).toHaveLength(5);
});

test('NTF-02: a request follows the notifications that it counts until the last one is deleted', async () => {
  await using server = await startServer();
  const { alice, bob, carol, dave } = await createUsers(server, ['alice', 'bob', 'carol', 'dave']);
  await setPolicy(alice, { for_not_following: 'filter' });
  const posts: string[] = [];
  for (const text of ['one', 'two', 'three']) {
    posts.push(await postBy(bob, `@alice ${text}`));
    await server.drain();
  }
  await postBy(carol, '@alice hi');
  await postBy(dave, '@alice hi');
  const counts = async () =>
    Object.fromEntries(
      (await listRequests(server, alice)).map((r) => [r.account.acct, [r.notifications_count, r.last_status?.id]]),
    );
  expect((await counts())['bob']).toEqual(['3', posts[2]]);
  await bob.delete(`/api/v1/statuses/${posts[2]}`);
  expect((await counts())['bob']).toEqual(['2', posts[1]]);
  const { json } = await alice.get(`${notificationsPath}?account_id=${bob.id}`);
  await alice.post(`${notificationsPath}/${json[0].id}/dismiss`);
  expect((await counts())['bob']).toEqual(['1', posts[0]]);
  await alice.post(`/api/v2/notifications/ungrouped-${json[1].id}/dismiss`);
  expect(Object.keys(await counts()).toSorted()).toEqual(['carol', 'dave']);
  await alice.post(`/api/v1/accounts/${carol.id}/block`);
  expect(Object.keys(await counts())).toEqual(['dave']);
  await server.db.updateTable('accounts').set({ suspended_at: server.clock.now() }).where('id', '=', dave.id).execute();
  const summary = async () => (await alice.get(policyPath)).json.summary;
  expect(await summary()).toEqual({ pending_requests_count: 0, pending_notifications_count: 0 });
  await server.db.updateTable('accounts').set({ suspended_at: null }).where('id', '=', dave.id).execute();
  expect(await summary()).toEqual({ pending_requests_count: 1, pending_notifications_count: 1 });
  await alice.post(`/api/v1/accounts/${dave.id}/mute`);
  expect(await counts()).toEqual({});
  await alice.post(`/api/v1/accounts/${dave.id}/unmute`);
  await postBy(dave, '@alice back');
  expect(Object.keys(await counts())).toEqual(['dave']);
  await alice.post(`${notificationsPath}/clear`);
  expect(await counts()).toEqual({});
  expect(await listAll(server, alice)).toEqual([]);
});

test('NTF-02: a mention is counted that was stored after a newer one', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server, ['alice', 'bob']);
  await setPolicy(alice, { for_not_following: 'filter' });
  await postBy(bob, '@alice newer');
  const [opened] = await listRequests(server, alice);
  const older = (BigInt(opened?.id ?? 0) - 1n).toString() as NotificationId;
  await transaction(server.app, async (tx) => {
    const row = { id: older, account_id: alice.id, from_account_id: bob.id, type: 'mention', filtered: true } as const;
    await writable(tx.db)
      .insertInto('notifications')
      .values({ ...row, created_at: server.app.clock.now() })
      .execute();
    await openRequests(tx, [row], server.app.clock.now());
  });
  expect(await listRequests(server, alice)).toMatchObject([{ id: older, notifications_count: '2' }]);
});

test('NTF-02: concurrent mentions are all counted, up to a hundred', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server, ['alice', 'bob']);
  await setPolicy(alice, { for_not_following: 'filter' });
  await Promise.all(Array.from({ length: 6 }, (_, index) => postBy(bob, `@alice ${index}`)));
  expect((await listRequests(server, alice))[0]?.notifications_count).toBe('6');
  const [request] = await listRequests(server, alice);
  await sql`
    with copies as (
      insert into statuses (id, account_id, uri, local, visibility, created_at)
      select n, account_id, uri || n, local, visibility, created_at from statuses, generate_series(1, 120) n
      where id = ${request?.last_status?.id ?? ''}::bigint
      returning id, account_id, created_at
    )
    insert into notifications (account_id, id, type, from_account_id, status_id, filtered, created_at)
    select ${alice.id}::bigint, ${request?.id ?? ''}::bigint + 1000000000 + row_number() over (), 'mention', account_id, id, true, created_at
    from copies`.execute(server.db);
  await postBy(bob, '@alice last');
  expect((await listRequests(server, alice))[0]?.notifications_count).toBe('100');
});
