import { clearCaches } from '../../../server/platform/write/publish.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { deleteAccount } from '../../../server/accounts/lifecycle/index.ts';
import {
  countOldNotifications,
  deleteOldNotifications,
  estimateOldNotifications,
} from '../../../server/notifications/index.ts';
import { notify } from '../../../server/notifications/notify.ts';
import { idFromDate, newId, type CollectionId, type RowId } from '../../../server/platform/ids.ts';
import {
  acceptFollowRequest,
  followAccount,
  rejectFollowRequest,
  unfollowAccount,
} from '../../../server/relationships/follow/index.ts';
import { blockAccount, muteAccount } from '../../../server/relationships/hide/index.ts';
import { follow, postBy, reblogBy } from '../../feeds.ts';
import { startServer, walk, type TestServer, type TestUser } from '../../server.ts';

const notificationsPath = '/api/v1/notifications';

interface NotificationJson {
  readonly id: string;
  readonly type: string;
  readonly group_key: string;
  readonly account: { readonly username: string };
  readonly status?: { readonly id: string };
}

/** Lists the notifications of a user, newest first: type, sender and status id. */
async function listNotifications(server: TestServer, user: TestUser, query = ''): Promise<string[]> {
  await server.drain();
  const response = await user.get(`${notificationsPath}${query}`);
  expect(response.status, response.text).toBe(200);
  return (response.json as NotificationJson[]).map(({ type, account, status }) =>
    [type, account.username, ...(status ? [status.id] : [])].join(' '),
  );
}

async function createUsers(server: TestServer) {
  return { alice: await server.user('alice'), bob: await server.user('bob'), carol: await server.user('carol') };
}

test('NTF-01: mentions, favourites, boosts and follows cause notifications with account and status', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const post = await postBy(alice, 'hello');
  const mention = await postBy(bob, '@alice and @carol, listen');
  await server.drain();
  await bob.post(`/api/v1/statuses/${post}/favourite`);
  await server.drain();
  await reblogBy(bob, post);
  await server.drain();
  await follow(server, bob, alice);
  expect(await listNotifications(server, alice)).toEqual([
    'follow bob',
    `reblog bob ${post}`,
    `favourite bob ${post}`,
    `mention bob ${mention}`,
  ]);
  expect(await listNotifications(server, carol)).toEqual([`mention bob ${mention}`]);
  expect(await listNotifications(server, bob)).toEqual([]);
  const [newest] = (await alice.get(notificationsPath)).json as NotificationJson[];
  expect(newest).toMatchObject({ id: expect.stringMatching(/^\d+$/), created_at: server.clock.now().toISOString() });
  expect((await alice.get(`${notificationsPath}/${newest?.id}`)).json).toEqual(newest);
  expect((await bob.get(`${notificationsPath}/${newest?.id}`)).status).toBe(404);
  expect((await alice.get(`${notificationsPath}/abc`)).status).toBe(404);
});

test('a repeated favourite or follow causes one notification', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const post = await postBy(alice, 'hello');
  for (let round = 0; round < 2; round += 1) {
    await bob.post(`/api/v1/statuses/${post}/favourite`);
    await server.drain();
    await followAccount(server.app, bob.id, alice.id);
    await server.drain();
  }
  await postBy(bob, '@alice @alice @Alice');
  expect((await listNotifications(server, alice)).map((text) => text.split(' ')[0])).toEqual([
    'mention',
    'follow',
    'favourite',
  ]);
});

test('undoing an action deletes its notification', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const post = await postBy(alice, 'hello');
  const mention = await postBy(bob, '@alice listen');
  await bob.post(`/api/v1/statuses/${post}/favourite`);
  await reblogBy(bob, post);
  await follow(server, bob, alice);
  expect(await listNotifications(server, alice)).toHaveLength(4);
  await bob.post(`/api/v1/statuses/${post}/unfavourite`);
  await bob.post(`/api/v1/statuses/${post}/unreblog`);
  await unfollowAccount(server.app, bob.id, alice.id);
  expect(await listNotifications(server, alice)).toEqual([`mention bob ${mention}`]);
  await bob.delete(`/api/v1/statuses/${mention}`);
  expect((await alice.get(notificationsPath)).json).toEqual([]);
  expect(await listNotifications(server, alice)).toEqual([]);
  expect(await server.app.db.selectFrom('notifications').selectAll().execute()).toEqual([]);
});

test('a favourite that is undone and repeated before the jobs run causes one notification', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const post = await postBy(alice, 'hello');
  for (const step of ['favourite', 'unfavourite', 'favourite']) await bob.post(`/api/v1/statuses/${post}/${step}`);
  expect(await listNotifications(server, alice)).toEqual([`favourite bob ${post}`]);
  for (const step of ['unfavourite', 'favourite', 'unfavourite']) await bob.post(`/api/v1/statuses/${post}/${step}`);
  expect(await listNotifications(server, alice)).toEqual([]);
});

test('FOL-02: the notification of a follow request is deleted when it is answered; acceptance adds a follow', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const dave = await server.user('dave');
  await alice.patch('/api/v1/accounts/update_credentials', { locked: true });
  for (const user of [bob, carol, dave]) {
    expect(await followAccount(server.app, user.id, alice.id)).toBe('requested');
    await server.drain();
  }
  expect(await listNotifications(server, alice)).toEqual([
    'follow_request dave',
    'follow_request carol',
    'follow_request bob',
  ]);
  await acceptFollowRequest(server.app, alice.id, bob.id);
  await rejectFollowRequest(server.app, alice.id, carol.id);
  await unfollowAccount(server.app, dave.id, alice.id);
  expect(await listNotifications(server, alice)).toEqual(['follow bob']);
});

test('a follow with notify causes notifications of new posts, except replies to others, boosts and direct posts', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  await follow(server, alice, bob, { notify: true });
  await follow(server, carol, bob);
  const otherPost = await postBy(carol, 'by carol');
  const post = await postBy(bob, 'news');
  await server.drain();
  const thread = await postBy(bob, { status: 'more news', in_reply_to_id: post });
  await server.drain();
  await postBy(bob, { status: '@carol no', in_reply_to_id: otherPost });
  await postBy(bob, { status: '@carol secretly', visibility: 'direct' });
  await reblogBy(bob, otherPost);
  await server.drain();
  const mention = await postBy(bob, '@alice personally');
  expect(await listNotifications(server, alice)).toEqual([
    `mention bob ${mention}`,
    `status bob ${thread}`,
    `status bob ${post}`,
  ]);
  expect((await listNotifications(server, carol)).filter((text) => text.startsWith('status'))).toEqual([]);
});

test('NTF-03, MUT-02: muted and blocked accounts, blocked domains and muted conversations cause no notifications', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const post = await postBy(alice, 'hello');
  const mentionAndFavourite = async (user: TestUser) => {
    await user.post(`/api/v1/statuses/${post}/favourite`);
    await postBy(user, { status: '@alice hey', in_reply_to_id: post });
    await server.drain();
  };
  await muteAccount(server.app, alice.id, bob.id, { notifications: true });
  await mentionAndFavourite(bob);
  expect(await listNotifications(server, alice)).toEqual([]);
  await muteAccount(server.app, alice.id, bob.id, { notifications: false });
  await postBy(bob, '@alice audible');
  expect(await listNotifications(server, alice)).toHaveLength(1);
  await muteAccount(server.app, alice.id, bob.id, { notifications: true, duration: 60 });
  expect((await alice.get(notificationsPath)).json).toEqual([]);
  expect(await listNotifications(server, alice)).toEqual([]);
  server.clock.advance(61);
  await postBy(bob, '@alice again');
  expect(await listNotifications(server, alice)).toHaveLength(1);
  await alice.post(`/api/v1/statuses/${post}/mute`);
  await mentionAndFavourite(carol);
  expect(await listNotifications(server, alice)).toHaveLength(1);
  await blockAccount(server.app, alice.id, bob.id);
  expect((await alice.get(notificationsPath)).json).toEqual([]);
  await postBy(bob, '@alice now?');
  expect(await listNotifications(server, alice)).toEqual([]);
  await server.db.updateTable('accounts').set({ domain: 'far.test' }).where('id', '=', carol.id).execute();
  await server.db
    .insertInto('account_domain_blocks')
    .values({ id: '1' as RowId, account_id: alice.id, domain: 'far.test', created_at: server.clock.now() })
    .execute();
  await postBy(carol, '@alice from afar');
  expect(await listNotifications(server, alice)).toEqual([]);
  expect(await server.app.db.selectFrom('notifications').selectAll().execute()).toEqual([]);
});

test('notifications by a silenced account are filtered unless the recipient follows it', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  await follow(server, carol, bob);
  await server.db.updateTable('accounts').set({ silenced_at: new Date() }).where('id', '=', bob.id).execute();
  clearCaches(server.app);
  const mention = await postBy(bob, '@alice and @carol');
  const about = `mention bob ${mention}`;
  expect(await listNotifications(server, carol)).toContain(about);
  expect(await listNotifications(server, alice)).toEqual([]);
  expect(await listNotifications(server, alice, '?include_filtered=true')).toEqual([about]);
  expect(await listNotifications(server, alice, `?account_id=${bob.id}`)).toEqual([about]);
  const [filtered] = (await alice.get(`${notificationsPath}?include_filtered=true`)).json;
  expect(filtered).toMatchObject({ filtered: true, group_key: `ungrouped-${filtered.id}` });
  expect((await alice.get(`${notificationsPath}/unread_count`)).json).toEqual({ count: 0 });
  await alice.patch('/api/v1/accounts/update_credentials', { locked: true });
  await followAccount(server.app, bob.id, alice.id);
  expect(await listNotifications(server, alice)).toEqual(['follow_request bob']);
});

test('users get no notifications of their own actions', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const post = await postBy(alice, '@alice to myself');
  await alice.post(`/api/v1/statuses/${post}/favourite`);
  await reblogBy(alice, post);
  expect(await listNotifications(server, alice)).toEqual([]);
});

test('NTF-01: types, exclude_types and account_id filter notifications; an unknown account has none', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const post = await postBy(alice, 'hello');
  await bob.post(`/api/v1/statuses/${post}/favourite`);
  await server.drain();
  await carol.post(`/api/v1/statuses/${post}/favourite`);
  await server.drain();
  await follow(server, bob, alice);
  const listBy = (query: string) => listNotifications(server, alice, query);
  expect(await listBy('?types[]=favourite')).toEqual([`favourite carol ${post}`, `favourite bob ${post}`]);
  expect(await listBy('?types[]=follow&types[]=pleroma:emoji_reaction')).toEqual(['follow bob']);
  expect(await listBy('?types[]=pleroma:emoji_reaction')).toEqual([]);
  expect(await listBy('?exclude_types[]=favourite')).toEqual(['follow bob']);
  expect(await listBy('?types[]=favourite&types[]=follow&exclude_types[]=follow')).toHaveLength(2);
  expect(await listBy(`?account_id=${carol.id}`)).toEqual([`favourite carol ${post}`]);
  expect(await listBy('?account_id=4711')).toEqual([]);
});

test('NTF-01: notifications are dismissed one by one or all together; the old endpoint is 404', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  await postBy(bob, '@alice one');
  await server.drain();
  await postBy(bob, '@alice two');
  await server.drain();
  const [newest] = (await alice.get(notificationsPath)).json as NotificationJson[];
  expect((await bob.post(`${notificationsPath}/${newest?.id}/dismiss`)).status).toBe(404);
  expect((await (await server.withScopes(alice, 'read')).post(`${notificationsPath}/clear`)).status).toBe(403);
  expect((await alice.post(`${notificationsPath}/${newest?.id}/dismiss`)).json).toEqual({});
  expect((await alice.post(`${notificationsPath}/${newest?.id}/dismiss`)).status).toBe(404);
  expect((await alice.get(notificationsPath)).json).toHaveLength(1);
  expect((await alice.post(`${notificationsPath}/dismiss`, { id: newest?.id })).status).toBe(404);
  expect((await alice.post(`${notificationsPath}/clear`)).json).toEqual({});
  expect((await alice.get(notificationsPath)).json).toEqual([]);
  expect((await server.anonymous.get(notificationsPath)).status).toBe(401);
  expect((await (await server.withScopes(alice, 'read:notifications')).get(notificationsPath)).status).toBe(200);
});

test('the unread count starts at the marker and is capped by the limit', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  for (let count = 0; count < 5; count += 1) {
    await postBy(bob, `@alice ${count}`);
    await server.drain();
  }
  const url = `${notificationsPath}/unread_count`;
  expect((await alice.get(url)).json).toEqual({ count: 5 });
  expect((await alice.get(`${url}?limit=3`)).json).toEqual({ count: 3 });
  const notifications = (await alice.get(notificationsPath)).json as NotificationJson[];
  await alice.post('/api/v1/markers', { notifications: { last_read_id: notifications[1]?.id } });
  expect((await alice.get(url)).json).toEqual({ count: 1 });
  expect((await alice.get(`${url}?types[]=follow`)).json).toEqual({ count: 0 });
});

test('favourites and boosts of a post, and follows, share a group for 12 hours', async () => {
  await using server = await startServer();
  const { alice, bob, carol } = await createUsers(server);
  const dave = await server.user('dave');
  const post = await postBy(alice, 'hello');
  const favourite = async (user: TestUser) => {
    await user.post(`/api/v1/statuses/${post}/favourite`);
    await server.drain();
  };
  await favourite(bob);
  server.clock.advance(11 * 3600);
  await favourite(carol);
  server.clock.advance(3600);
  await favourite(dave);
  await follow(server, bob, alice);
  await postBy(bob, '@alice hi');
  await server.drain();
  const notifications = (await alice.get(notificationsPath)).json as NotificationJson[];
  const [mention, followed, third, second, first] = notifications.map(({ group_key }) => group_key);
  expect(mention).toBe(`ungrouped-${notifications[0]?.id}`);
  expect(followed).toMatch(/^follow-\d+$/);
  expect(first).toMatch(new RegExp(`^favourite-${post}-\\d+$`));
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test('PAG-03, PAG-06: every non-empty page of notifications links to the next and the previous page', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  await postBy(bob, '@alice hi');
  await server.drain();
  const response = await alice.get(`${notificationsPath}?types[]=mention&limit=40`);
  const [only] = response.json as NotificationJson[];
  expect(response.links.next?.search).toBe(`?types[]=mention&limit=40&max_id=${only?.id}`);
  expect(response.links.prev?.search).toBe(`?types[]=mention&limit=40&min_id=${only?.id}`);
  expect((await alice.get(response.links.next?.href ?? '')).headers['link']).toBeUndefined();
  expect((await alice.get(`${notificationsPath}?limit=0`)).json).toEqual([]);
  for (const limit of ['x', '-1', '5000'])
    expect((await alice.get(`${notificationsPath}?limit=${limit}`)).json).toHaveLength(1);
  expect((await alice.get(`${notificationsPath}?max_id=x`)).status).toBe(404);
});

test('PAG-05: paging visits every notification once while others are added and dismissed', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  const post = await postBy(alice, 'popular');
  await bob.post(`/api/v1/statuses/${post}/favourite`);
  for (let count = 0; count < 20; count += 1) await postBy(bob, `@alice ${count}`);
  await server.drain();
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.array(fc.boolean(), { maxLength: 5 }), async (limit, plan) => {
      const before = (await walk(alice, `${notificationsPath}?limit=80`)).map(({ id }) => id);
      const seen: string[] = [];
      const dismissed = new Set<string>();
      for (let url: string | undefined = `${notificationsPath}?limit=${limit}`; url !== undefined;) {
        const response = await alice.get(url);
        seen.push(...(response.json as NotificationJson[]).map(({ id }) => id));
        url = response.links.next?.href;
        const step = plan.shift();
        if (step === true) await postBy(bob, '@alice meanwhile');
        const victim = before[before.length - 1 - dismissed.size];
        if (step === false && victim !== undefined) {
          dismissed.add(victim);
          await alice.post(`${notificationsPath}/${victim}/dismiss`);
        }
        await server.drain();
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(before.filter((id) => !dismissed.has(id)).every((id) => seen.includes(id))).toBe(true);
    }),
    { numRuns: 12 },
  );
});

test('the number of queries for a page of notifications does not depend on its length', async () => {
  await using server = await startServer();
  const { alice, bob } = await createUsers(server);
  for (let count = 0; count < 30; count += 1) await postBy(bob, `@alice ${count}`);
  await server.drain();
  const countQueries = (limit: number) =>
    server.countWarmQueries(() => alice.get(`${notificationsPath}?limit=${limit}`));
  expect(await countQueries(40)).toBe(await countQueries(2));
  expect(await countQueries(20)).toBeLessThanOrEqual(2);
});

test('NTF-01: types outside supported_types have a fallback, except the standard types', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  await server.drain();
  const now = server.clock.now();
  const row = { account_id: alice.id, from_account_id: bob.id, status_id: null, group_key: null, created_at: now };
  for (const type of ['added_to_collection', 'something_new']) {
    await server.db
      .insertInto('notifications')
      .values({ ...row, id: newId<'notification'>(now), type })
      .execute();
  }
  const fallbacks = async (query: string) =>
    (await alice.get(`/api/v1/notifications${query}`)).json.map(
      (item: { type: string; fallback?: { title: string | null; summary: string; description: null } }) => [
        item.type,
        item.fallback?.title,
        item.fallback?.summary,
      ],
    );
  const withoutFallback = (type: string) => [type, undefined, undefined];
  expect(await fallbacks('')).toEqual([
    withoutFallback('something_new'),
    withoutFallback('added_to_collection'),
    withoutFallback('follow'),
  ]);
  expect(await fallbacks('?supported_types[]=mention')).toEqual([
    ['something_new', null, 'Something new from bob'],
    ['added_to_collection', 'Added to a collection', 'bob added you to a collection'],
    withoutFallback('follow'),
  ]);
  const known = '?supported_types[]=added_to_collection&supported_types[]=something_new';
  expect(await fallbacks(known)).toEqual([
    withoutFallback('something_new'),
    withoutFallback('added_to_collection'),
    withoutFallback('follow'),
  ]);
  const [{ id }] = (await alice.get('/api/v1/notifications')).json;
  expect((await alice.get(`/api/v1/notifications/${id}`)).json).not.toHaveProperty('fallback');
  expect((await alice.get(`/api/v1/notifications/${id}?supported_types[]=poll`)).json.fallback.description).toBeNull();
});

test('old notifications are deleted in batches, also imported ones with small ids', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const now = server.clock.now();
  const insert = (first: string, count: number, age: string) =>
    sql`
    insert into notifications (account_id, id, type, from_account_id, status_id, group_key, created_at)
    select ${alice.id}::bigint, ${first}::bigint + n, 'update', ${bob.id}::bigint, null, null,
      ${now}::timestamptz - ${age}::interval
    from generate_series(1, ${count}::int) n`.execute(server.db);
  const yearAgo = idFromDate(new Date(now.getTime() - 400 * 86_400_000));
  await insert(yearAgo, 12_000, '400 days');
  await insert('1000', 3, '400 days');
  await insert('2000', 4, '300 days');
  await insert(idFromDate(now), 5, '0 days');
  expect(await countOldNotifications(server.app, 365)).toBe(12_003);
  expect(await estimateOldNotifications(server.app, 365)).toEqual({ number: 12_003, isExact: true });
  expect(await deleteOldNotifications(server.app, 365)).toBe(12_003);
  expect(await countOldNotifications(server.app, 365)).toBe(0);
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from notifications`.execute(server.db);
  expect(rows).toEqual([{ count: 9 }]);
});

test('notifications expire after a year and no longer count as unread', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  await server.drain();
  server.clock.advance(300 * 86_400);
  await carol.post(`/api/v1/accounts/${alice.id}/follow`);
  await server.drain();
  const unread = async () => (await alice.get('/api/v1/notifications/unread_count')).json.count;
  await server.runSchedule('notification.clean_up_old');
  expect(await unread()).toBe(2);
  server.clock.advance(66 * 86_400);
  await server.runSchedule('notification.clean_up_old');
  expect(await unread()).toBe(1);
  const { json } = await alice.get('/api/v1/notifications');
  expect(json.map((item: { account: { id: string } }) => item.account.id)).toEqual([carol.id]);
});

test('nothing is stored that a deleted account causes, or about a collection that was deleted meanwhile', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const collectionId = '1' as CollectionId;
  await notify(server.app, {
    type: 'added_to_collection',
    fromAccountId: bob.id,
    collectionId,
    recipients: [alice.id],
  });
  await followAccount(server.app, bob.id, alice.id);
  await deleteAccount(server.app, bob.id);
  await notify(server.app, { type: 'follow', fromAccountId: bob.id, recipients: [alice.id] });
  expect(await server.db.selectFrom('notifications').selectAll().execute()).toEqual([]);
});
