import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createAnnouncement } from '../../../server/announcements/index.ts';
import { deleteAccount, findDeletedAccount } from '../../../server/accounts/lifecycle/index.ts';
import { loadSigningKeys } from '../../../server/accounts/keys/index.ts';
import { createUser } from '../../../server/users/sign-up/index.ts';
import { newId } from '../../../server/platform/ids.ts';
import { addRule } from '../../staff/moderation-rules.ts';
import { PushClient } from '../../push-client.ts';
import { multipart, startServer, type TestServer, type TestUser } from '../../server.ts';
import { importFile } from './import-posts.ts';
import { collectionOf, createOf } from './post-import-files.ts';

/** Columns that still reference an account after it was deleted, and why. */
const remainingColumns: Readonly<Record<string, string>> = {
  'account_stats.account_id': 'counters of the emptied row, which are never shown',
  'accounts.moved_to_account_id': 'the move of another account',
  'mentions.account_id': 'part of posts by other accounts',
  'quotes.quoted_account_id': 'part of posts by other accounts',
  'reports.target_account_id': 'for the staff, so that nobody avoids them by deleting an account',
};

/** Columns that reference an account without a foreign key. */
const columnsWithoutForeignKey = ['home_feed.account_id', 'list_accounts.owner_id'];

/** Counts the references to an account, by column. */
async function countReferences(server: TestServer, id: string): Promise<Map<string, number>> {
  const { rows: columns } = await sql<{ name: string }>`
    select format('%s.%s', c.conrelid::regclass, a.attname) as name
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
    where c.contype = 'f' and c.confrelid = 'accounts'::regclass and array_length(c.conkey, 1) = 1
    order by name`.execute(server.app.db);
  const counts = new Map<string, number>();
  for (const name of [...columns.map((column) => column.name), ...columnsWithoutForeignKey]) {
    const [table = '', column = ''] = name.split('.');
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(table)} where ${sql.ref(column)} = ${id}::bigint`.execute(
      server.app.db,
    );
    counts.set(name, rows[0]?.count ?? 0);
  }
  return counts;
}

const createPng = async (): Promise<File> => {
  const body = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();
  return new File([Uint8Array.from(body)], 'image.png', { type: 'image/png' });
};

const upload = async (user: TestUser): Promise<string> =>
  (await user.post('/api/v2/media', await multipart({ file: await createPng() }))).json.id;

async function storedFiles(server: TestServer): Promise<string[]> {
  const folder = join(server.app.config.dataDir, 'media');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

const postStatusAs = async (user: TestUser, status: string, more: object = {}): Promise<string> =>
  (await user.post('/api/v1/statuses', { status, ...more })).json.id;

const act = async (user: TestUser, action: string, target: TestUser, input: object = {}): Promise<void> => {
  expect((await user.post(`/api/v1/accounts/${target.id}/${action}`, input)).status, action).toBe(200);
};

/** Creates every kind of row and file that an account can leave behind. */
async function useEveryFeature(server: TestServer, alice: TestUser, others: readonly TestUser[]): Promise<void> {
  const [bob, carol, dave, erin] = others as [TestUser, TestUser, TestUser, TestUser];
  const inAnHour = new Date(server.clock.now().getTime() + 3_600_000).toISOString();
  await alice.patch(
    '/api/v1/accounts/update_credentials',
    await multipart({ avatar: await createPng(), header: await createPng() }),
  );
  await alice.get('/api/v1/timelines/home');
  await act(alice, 'follow', bob);
  await act(bob, 'follow', alice);
  await alice.patch('/api/v1/accounts/update_credentials', { locked: true });
  await carol.patch('/api/v1/accounts/update_credentials', { locked: true });
  await act(alice, 'follow', carol);
  await act(carol, 'follow', alice);
  for (const [one, other] of [
    [alice, bob],
    [bob, alice],
  ] as const) {
    await act(one, 'pin', other);
    await act(one, 'note', other, { comment: 'nice' });
    await act(one, 'mute', other, { notifications: false });
    expect((await one.delete(`/api/v1/suggestions/${other.id}`)).status).toBe(200);
    const list = (await one.post('/api/v1/lists', { title: 'friends' })).json.id as string;
    expect((await one.post(`/api/v1/lists/${list}/accounts`, { account_ids: [other.id] })).status).toBe(200);
  }
  await act(alice, 'block', dave);
  await act(erin, 'block', alice);
  await alice.post('/api/v1/domain_blocks', { domain: 'bad.test' });
  await alice.post('/api/v2/filters', {
    title: 'birds',
    context: ['home'],
    keywords_attributes: [{ keyword: 'bird' }],
  });
  await alice.post('/api/v1/tags/birds/follow');
  await alice.post('/api/v1/featured_tags', { name: 'birds' });
  await alice.post('/api/v1/markers', { home: { last_read_id: '1' } });
  await (await PushClient.create('https://push.test/')).subscribe(alice);
  await alice.post('/api/v1/fieldfare/webhooks', { url: 'https://hooks.test/', events: ['follow.created'] });
  const mine = await postStatusAs(alice, '#birds', { media_ids: [await upload(alice)] });
  await alice.post(`/api/v1/statuses/${mine}/pin`);
  await alice.post('/api/v1/statuses', { status: 'once' }, { headers: { 'idempotency-key': 'k' } });
  await postStatusAs(alice, 'asks', { poll: { options: ['a', 'b'], expires_in: 3_600 } });
  await postStatusAs(alice, 'later', { scheduled_at: inAnHour, media_ids: [await upload(alice)] });
  const draft = await alice.post('/api/v1/fieldfare/drafts', { posts: [{ media_ids: [await upload(alice)] }] });
  expect(draft.status).toBe(200);
  await upload(alice);
  await postStatusAs(alice, '@carol psst', { visibility: 'direct' });
  const pollStatus = await bob.post('/api/v1/statuses', {
    status: '@alice what?',
    poll: { options: ['a', 'b'], expires_in: 3_600 },
  });
  await alice.post(`/api/v1/polls/${pollStatus.json.poll.id}/votes`, { choices: [0] });
  for (const action of ['favourite', 'bookmark', 'reblog', 'mute', 'react/%F0%9F%91%8D']) {
    expect((await alice.post(`/api/v1/statuses/${pollStatus.json.id}/${action}`)).status, action).toBe(200);
  }
  expect((await alice.post('/api/v1/fieldfare/archives')).status).toBe(200);
  expect((await alice.post('/api/v1/fieldfare/imports', { type: 'blocks', csv: 'eve@far.test' })).status).toBe(200);
  const folder = await alice.post('/api/v1/fieldfare/bookmark_folders', { name: 'Polls' });
  const items = { status_ids: [pollStatus.json.id] };
  expect((await alice.post(`/api/v1/fieldfare/bookmark_folders/${folder.json.id}/statuses`, items)).status).toBe(200);
  const announcement = await createAnnouncement(server.app, 'system', { text: 'Welcome' });
  await alice.put(`/api/v1/announcements/${announcement}/reactions/%F0%9F%91%8D`);
  await alice.post(`/api/v1/announcements/${announcement}/dismiss`);
  for (const [one, other] of [
    [alice, bob],
    [bob, alice],
  ] as const) {
    expect((await one.post('/api/v1/reports', { account_id: other.id })).status).toBe(200);
  }
  await addRule(server);
  expect((await alice.post('/api/v1/statuses', { status: 'casino' })).status).toBe(422);
  await addRule(server, { actions: ['hold'], conditions: { text: { keywords: ['roulette'] } } });
  await postStatusAs(alice, 'roulette', { media_ids: [await upload(alice)] });
  await addToCollections(alice, bob);
  await quoteEachOther(alice, bob);
  await askEachOther(alice, bob);
  await loadSigningKeys(server.app, alice.id);
  await insertRemainingRows(server, alice, bob);
  await server.drain();
  await alice.get('/api/v1/timelines/home');
  await server.drain();
}

/** Each account favourites and replies to a post whose author approves that. */
async function askEachOther(alice: TestUser, bob: TestUser): Promise<void> {
  const asked = { manual_approval: ['public'] };
  for (const [one, other] of [
    [alice, bob],
    [bob, alice],
  ] as const) {
    const id = await postStatusAs(one, 'ask me', { interaction_policy: { can_favourite: asked, can_reply: asked } });
    expect((await other.post(`/api/v1/statuses/${id}/favourite`)).status).toBe(200);
    await postStatusAs(other, 'may I?', { in_reply_to_id: id });
  }
}

/** Adds each account to a collection of the other. */
async function addToCollections(alice: TestUser, bob: TestUser): Promise<void> {
  for (const user of [alice, bob]) await user.patch('/api/v1/accounts/update_credentials', { discoverable: true });
  for (const [one, other] of [
    [alice, bob],
    [bob, alice],
  ] as const) {
    const { status } = await one.post('/api/v1/collections', { name: 'Birds', account_ids: [other.id] });
    expect(status).toBe(200);
  }
}

async function quoteEachOther(alice: TestUser, bob: TestUser): Promise<void> {
  const posts = [await postStatusAs(alice, 'look', { visibility: 'public' }), await postStatusAs(bob, 'look')] as const;
  expect(await postStatusAs(alice, 'see there', { quoted_status_id: posts[1] })).toBeDefined();
  expect(await postStatusAs(bob, 'see there', { quoted_status_id: posts[0] })).toBeDefined();
}

/** Inserts the rows that otherwise only remote servers or very many followers cause. */
async function insertRemainingRows({ db, clock }: TestServer, alice: TestUser, bob: TestUser): Promise<void> {
  const now = clock.now();
  await db.insertInto('merged_authors').values({ account_id: alice.id, since: now }).execute();
  await db.insertInto('outbox_reads').values({ account_id: alice.id, started_at: now }).execute();
  await db
    .insertInto('annual_reports')
    .values({ account_id: alice.id, year: 2025, schema_version: 2, data: '{}', share_key: 'x', created_at: now })
    .execute();
  await db.insertInto('popular_accounts').values({ source: 'most_followed', account_id: alice.id, score: 9 }).execute();
  await db.insertInto('groups').values({ account_id: alice.id, created_at: now }).execute();
  await db
    .insertInto('group_moderators')
    .values({ group_id: alice.id, account_id: alice.id, created_at: now })
    .execute();
  await insertProviderRows(db, alice.id, bob.id);
  const [status] = await db.selectFrom('statuses').select('id').where('account_id', '=', alice.id).limit(1).execute();
  if (status === undefined) throw new Error('alice has no post');
  const subscription = { id: newId<'email-subscription'>(now), account_id: alice.id, created_at: now } as const;
  const unsent = { confirmation_sent_at: null, confirmed_at: null, failing_since: null };
  await db
    .insertInto('email_subscriptions')
    .values({ ...subscription, ...unsent, email: 'reader@mail.test', locale: 'en' })
    .execute();
  await db.insertInto('email_digest_posts').values({ account_id: alice.id, status_id: status.id }).execute();
  await db
    .insertInto('email_digests')
    .values({
      id: newId<'email-digest'>(now),
      account_id: alice.id,
      status_ids: [],
      after_id: subscription.id,
      created_at: now,
    })
    .execute();
  await db
    .insertInto('canonical_email_blocks')
    .values({
      id: newId<'canonical-email-block'>(now),
      canonical_email_hash: '0'.repeat(64),
      account_id: alice.id,
      created_at: now,
    })
    .execute();
  for (const [one, other] of [
    [alice, bob],
    [bob, alice],
  ] as const) {
    await db
      .insertInto('account_moves')
      .values({ id: newId<'row'>(now), account_id: one.id, target_account_id: other.id, created_at: now })
      .execute();
    const report = await db.selectFrom('reports').select('id').limit(1).executeTakeFirstOrThrow();
    await db
      .updateTable('reports')
      .set({ assigned_account_id: alice.id, action_taken_by_account_id: alice.id })
      .execute();
    const note = { report_id: report.id, account_id: one.id, content: 'note', created_at: now };
    await db
      .insertInto('report_notes')
      .values({ ...note, id: newId<'report-note'>(now) })
      .execute();
    const warning = { action: 'none', text: 'please', status_ids: null, created_at: now } as const;
    const warningId = newId<'warning'>(now);
    await db
      .insertInto('account_warnings')
      .values({ ...warning, id: warningId, account_id: one.id, staff_id: other.id })
      .execute();
    await db
      .insertInto('appeals')
      .values({
        id: newId<'appeal'>(now),
        warning_id: warningId,
        account_id: one.id,
        text: 'sorry',
        state: 'rejected',
        decided_by_account_id: other.id,
        created_at: now,
      })
      .execute();
    await db
      .insertInto('account_moderation_notes')
      .values({
        id: newId<'moderation-note'>(now),
        account_id: one.id,
        staff_id: other.id,
        content: 'seen before',
        created_at: now,
      })
      .execute();
    await db
      .updateTable('reports')
      .set({ action_taken_at: now, action_taken_by_account_id: one.id })
      .where('target_account_id', '=', other.id)
      .execute();
    const entry = { action: 'domain_allow.create', target_type: 'domain_allow', target_label: 'a.test' };
    await db
      .insertInto('audit_log')
      .values({ ...entry, id: newId<'row'>(now), staff_id: one.id, staff_name: one.username, created_at: now })
      .execute();
    const severance = await db
      .insertInto('relationship_severances')
      .values({
        id: newId<'severance'>(now),
        account_id: one.id,
        type: 'domain_block',
        target_name: 'bad.test',
        cause_id: newId<'row'>(now),
        followers_count: 1,
        following_count: 0,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('severed_follows')
      .values({
        severance_id: severance.id,
        account_id: other.id,
        is_follower: true,
        show_reblogs: true,
        notify: false,
        languages: null,
      })
      .execute();
    const pair = { account_id: one.id, from_account_id: other.id, created_at: now };
    await db.insertInto('notification_policies').values({ account_id: one.id }).execute();
    await db
      .insertInto('notification_permissions')
      .values({ ...pair, merging: false })
      .execute();
    await db
      .insertInto('notification_requests')
      .values({ ...pair, id: newId<'notification-request'>(now), notifications_count: 1, updated_at: now })
      .execute();
  }
  await db.updateTable('accounts').set({ moved_to_account_id: alice.id }).where('username', '=', 'dave').execute();
  await sql`insert into preview_cards (id, url, type, link_type, title, creator_account_id, created_at, updated_at)
    values (1, 'https://a.test/', 'link', 'article', 'x', ${alice.id}::bigint, ${now}, ${now})`.execute(db);
}

/** Inserts what an auxiliary service provider found. */
async function insertProviderRows(db: TestServer['db'], aliceId: string, bobId: string): Promise<void> {
  await sql`insert into service_providers (id, name, base_url, server_id, public_key, private_key_pem, created_at, updated_at)
    values (1, 'Finder', 'https://fasp.test', 'x', '', '', now(), now())`.execute(db);
  await sql`insert into service_provider_results (provider_id, search_key, account_id, place, found_at)
    values (1, 'alice', ${aliceId}::bigint, 0, now())`.execute(db);
  await sql`insert into service_provider_recommendations (provider_id, account_id, target_account_id, place, found_at)
    values (1, ${aliceId}::bigint, ${bobId}::bigint, 0, now()), (1, ${bobId}::bigint, ${aliceId}::bigint, 0, now())`.execute(
    db,
  );
  await sql`insert into service_provider_requests (account_id, requested_at) values (${aliceId}::bigint, now())`.execute(
    db,
  );
}

test('deleting an account deletes its files at once, its posts after a day and its keys after a month', async () => {
  await using server = await startServer();
  const [alice, ...others] = await Promise.all(
    ['alice', 'bob', 'carol', 'dave', 'erin'].map((name) => server.user(name)),
  );
  if (alice === undefined) throw new Error('no user was created');
  await useEveryFeature(server, alice, others);
  await importFile(server, alice, collectionOf([createOf(1, 'From elsewhere')]));
  const before = await countReferences(server, alice.id);
  const missing = [...before].filter(([, count]) => count === 0).map(([name]) => name);
  expect(missing, 'this test does not fill these columns').toEqual([]);
  expect((await storedFiles(server)).length).toBeGreaterThan(6);

  await deleteAccount(server.app, alice.id);
  await server.drain();
  expect(await storedFiles(server)).toEqual([]);
  const soon = await countReferences(server, alice.id);
  for (const name of ['media_attachments.account_id', 'notifications.account_id', 'notifications.from_account_id']) {
    expect(soon.get(name), name).toBe(0);
  }
  server.clock.advance(86_401);
  await server.drain();
  server.clock.advance(30 * 86_400);
  await server.drain();
  const after = await countReferences(server, alice.id);
  const unexpected = [...after].filter(([name, count]) => count > 0 && !Object.hasOwn(remainingColumns, name));
  expect(unexpected).toEqual([]);
  const [bob] = others;
  const { json } = await (bob as TestUser).get('/api/v1/notifications');
  expect(json.filter((item: { account: { id: string } }) => item.account.id === alice.id)).toEqual([]);
});

test('a new user gets the name and address of a deleted account, once nothing else is left of it', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  await act(bob, 'follow', alice);
  const post = await postStatusAs(alice, 'From the first one');
  await loadSigningKeys(server.app, alice.id);
  expect(await findDeletedAccount(server.app, 'alice')).toBeUndefined();
  await deleteAccount(server.app, alice.id);
  const deleted = await findDeletedAccount(server.app, 'Alice');
  if (deleted === undefined) throw new Error('no deleted account');
  const reattach = (email: string) =>
    createUser(server.app, {
      createdBy: 'system',
      username: 'alice',
      email,
      password: 'a long password',
      confirmed: true,
      approved: true,
      deletedAccountId: deleted.accountId,
    });
  await server.drain();
  server.clock.advance(30 * 86_400);
  await server.drain();
  await expect(reattach('new@mail.test')).rejects.toMatchObject({ status: 422 });
  // Nobody was created for the refused name.
  server.clock.advance(86_400);
  await server.drain();
  expect(deleted.emptyAt).toEqual(server.clock.now());
  const keys = server.db.selectFrom('account_keys').select('id').where('account_id', '=', alice.id);
  expect(await keys.execute()).toEqual([]);
  expect((await bob.get('/api/v1/accounts/lookup?acct=alice')).status).toBe(404);
  expect(await reattach('new@mail.test')).toMatchObject({ accountId: alice.id });
  await expect(reattach('third@mail.test')).rejects.toMatchObject({ status: 422 });

  const account = (await bob.get('/api/v1/accounts/lookup?acct=alice')).json;
  expect(account).toMatchObject({ id: alice.id, statuses_count: 0, followers_count: 0, following_count: 0 });
  expect((await bob.get(`/api/v1/accounts/${alice.id}/statuses`)).json).toEqual([]);
  expect((await bob.get(`/api/v1/statuses/${post}`)).status).toBe(404);
  expect((await bob.get(`/api/v1/accounts/relationships?id[]=${alice.id}`)).json[0]).toMatchObject({
    following: false,
  });
  const actor = await server.http.inject({
    url: '/users/alice',
    headers: { host: server.app.config.webDomain, accept: 'application/activity+json' },
  });
  expect([actor.statusCode, (actor.json() as { id: string }).id]).toEqual([200, account.uri]);
});
