import { sql } from 'kysely';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { seedDemo } from '../../bench/demo/seed-demo.ts';
import { schedules } from '../../server/app.ts';
import { silenceAccount, suspendAccount, unsuspendAccount } from '../../server/moderation/index.ts';
import { changeSiteSettings } from '../../server/site/index.ts';
import { storeRemoteStatus } from '../../server/statuses/remote/index.ts';
import { hashTerm } from '../../server/search/index.ts';
import { startServer, TestUser, type TestServer } from '../server.ts';
import { recordStatements, type SentStatement } from '../record-statements.ts';
import { claimTenMillionPosts, largeTables } from '../table-statistics.ts';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Plan Rows'?: number;
  readonly 'Total Cost'?: number;
  readonly Plans?: readonly Plan[];
}

/**
 * Of a statement, in the units of the planner: a look-up by an index costs about 10, and reading one index of ten million
 * posts from its start to its end 200,000.
 */
const maxCost = 50_000;
/** The statistics claim that an account has up to 100,000 posts, which some pages sort. */
const maxSortedRows = 200_000;
/** Reads home through the follows, where no feed is stored: bounded by them, which the planner does not know. */
const isGraphWalk = (text: string): boolean => text.includes('with sources as (');

/** Returns the statements that are too expensive, each after the reasons. */
async function listExpensive(client: pg.PoolClient, sent: readonly SentStatement[]): Promise<string[]> {
  const found: string[] = [];
  for (const statement of sent) {
    const steps = await listExpensiveSteps(client, statement);
    if (steps.length > 0) found.push(`${steps.join(', ')}: ${statement.text}`);
  }
  return found;
}

/** Returns what is too expensive in the plan of a statement with its values, on a database of ten million posts. */
async function listExpensiveSteps(client: pg.PoolClient, { text, values }: SentStatement): Promise<string[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (format json) ${text}`, [...values]);
  const found: string[] = [];
  const visit = (plan: Plan): void => {
    const { 'Node Type': type, 'Relation Name': table = '', 'Plan Rows': count = 0 } = plan;
    if (type === 'Seq Scan' && largeTables.has(table)) found.push(`reads all ${table}`);
    if (type === 'Sort' && count > maxSortedRows) found.push(`sorts ${count} rows`);
    for (const part of plan.Plans ?? []) visit(part);
  };
  for (const row of rows) {
    const [{ Plan: plan }] = row['QUERY PLAN'];
    const cost = plan['Total Cost'] ?? 0;
    if (cost > maxCost && !isGraphWalk(text)) found.push(`costs ${Math.round(cost)}`);
    visit(plan);
  }
  return found;
}

/**
 * Returns the large tables that a statement can only scan sequentially. In a small seeded database a sequential scan
 * can be the cheapest plan, so the planner has to avoid it if it can.
 */
async function listSequentialScans(client: pg.PoolClient, text: string): Promise<string[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (generic_plan, format json) ${text}`,
  );
  const found: string[] = [];
  const visit = (plan: Plan): void => {
    const table = plan['Relation Name'];
    if (plan['Node Type'] === 'Seq Scan' && table !== undefined && largeTables.has(table)) found.push(table);
    for (const part of plan.Plans ?? []) visit(part);
  };
  for (const row of rows) visit(row['QUERY PLAN'][0].Plan);
  return found;
}

/** A user of the demo data, signed in. */
async function createActiveUser(server: TestServer, username: string): Promise<TestUser> {
  const { account_id, id } = await server.app.db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.id', 'users.account_id'])
    .where('accounts.username', '=', username)
    .where('accounts.domain', 'is', null)
    .executeTakeFirstOrThrow();
  const token = await server.token(id, 'read write follow');
  return new TestUser(server.http, { id: account_id, userId: id, username, token });
}

/** Stores an approved link that trends and was posted by the authors of recent posts. */
async function storeTrendingLink({ pool }: TestServer): Promise<void> {
  await pool.query(`insert into preview_cards (id, url, type, link_type, title, created_at, updated_at)
    values (1, 'https://news.example/', 'link', 'article', 'News', now(), now())`);
  await pool.query(`insert into status_cards (status_id, card_id, url)
    select id, 1, 'https://news.example/' from statuses order by id desc limit 2000`);
  await pool.query(`insert into trends (kind, subject_id, peak_score, peak_at, score) values ('link', 1, 9, now(), 9)`);
  await pool.query(`insert into link_reviews (card_id, domain, trendable) values (1, 'news.example', true)`);
}

/** The schedules that run every hour or more often. */
const frequentSchedules = schedules.filter(({ pattern }) => pattern.split(' ')[1] === '*');

test('no statement of a page needs a sequential scan of a large table', async () => {
  await using server = await startServer();
  const { app } = server;
  const size = { accounts: 2_000, statuses: 40_000, followsPerAccount: 50, seed: 1 };
  const demo = await seedDemo(app, size, () => {});
  server.expectUndelivered(/\.example$/u);
  const reader = await createActiveUser(server, demo.active[0] ?? '');
  const busy = await createActiveUser(server, demo.active[1] ?? '');
  const thread = demo.longest_thread;
  const { json: list } = await reader.post('/api/v1/lists', { title: 'Friends' });
  const { json: followed } = await reader.get(`/api/v1/accounts/${reader.id}/following?limit=40`);
  const members = [reader.id, ...followed.map(({ id }: { id: string }) => id)];
  await reader.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: members });
  const { json: tags } = await reader.get('/api/v2/search?q=cats&type=hashtags&limit=1');
  const tag = tags.hashtags[0]?.name ?? 'photography';
  await reader.post(`/api/v1/tags/${tag}/follow`);
  await server.drain();
  const remote = await app.db
    .selectFrom('follows')
    .innerJoin('accounts', 'accounts.id', 'follows.account_id')
    .select(['accounts.id', 'accounts.uri', 'accounts.username', 'accounts.domain'])
    .where('accounts.domain', 'is not', null)
    .executeTakeFirstOrThrow();
  await storeTrendingLink(server);
  await sql`analyze`.execute(app.db);

  const pages = [
    ...['tags', 'statuses', 'links'].map((kind) => `/api/v1/trends/${kind}`),
    '/api/v1/timelines/home',
    `/api/v1/timelines/home?max_id=${thread}`,
    `/api/v1/timelines/home?min_id=${thread}`,
    '/api/v1/timelines/public',
    '/api/v1/timelines/public?local=true',
    '/api/v1/timelines/public?remote=true',
    '/api/v1/timelines/public?only_media=true',
    `/api/v1/timelines/public?max_id=${thread}`,
    `/api/v1/timelines/public?min_id=${thread}`,
    `/api/v1/timelines/tag/${tag}`,
    `/api/v1/timelines/tag/${tag}?min_id=${thread}`,
    `/api/v1/timelines/tag/${tag}?any[]=art&none[]=food&local=true`,
    `/api/v1/timelines/list/${list.id}`,
    `/api/v1/timelines/list/${list.id}?min_id=${thread}`,
    `/api/v1/statuses/${thread}/context`,
    `/api/v1/statuses/${thread}`,
    `/api/v1/statuses/${thread}/favourited_by`,
    `/api/v1/statuses/${thread}/reblogged_by`,
    `/api/v1/statuses/${thread}/quotes`,
    '/api/v1/notifications',
    '/api/v1/notifications?types[]=mention&types[]=favourite',
    `/api/v1/notifications?account_id=${busy.id}`,
    '/api/v2/notifications',
    '/api/v2/notifications/policy',
    '/api/v1/notifications/requests',
    ...['', '?only_media=true', '?exclude_replies=true', '?exclude_reblogs=true', '?pinned=true', `?tagged=${tag}`].map(
      (query) => `/api/v1/accounts/${busy.id}/statuses${query}`,
    ),
    `/api/v1/accounts/${busy.id}`,
    `/api/v1/accounts/${busy.id}/followers`,
    `/api/v1/accounts/${busy.id}/following`,
    `/api/v1/accounts/${busy.id}/featured_tags`,
    `/api/v1/accounts/${busy.id}/lists`,
    `/api/v1/accounts/relationships?id[]=${busy.id}`,
    `/api/v1/accounts/familiar_followers?id[]=${busy.id}`,
    `/api/v1/accounts/lookup?acct=${busy.username}`,
    '/api/v1/accounts/search?q=an',
    '/api/v1/accounts/search?q=ann',
    '/api/v1/accounts/search?q=an&following=true',
    '/api/v2/search?q=morning&type=statuses',
    '/api/v2/search?q=morning+in:library&type=statuses',
    `/api/v2/search?q=morning&type=statuses&min_id=${thread}`,
    '/api/v2/search?q=%22the+heron%22+has:poll+is:quote+-has:embed&type=statuses',
    `/api/v2/search?q=morning&type=statuses&account_id=${busy.id}`,
    '/api/v2/search?q=an&type=accounts',
    '/api/v2/search?q=c&type=hashtags',
    '/api/v1/favourites',
    '/api/v1/bookmarks',
    '/api/v1/conversations',
    '/api/v1/followed_tags',
    '/api/v1/featured_tags/suggestions',
    '/api/v1/follow_requests',
    '/api/v1/mutes',
    '/api/v1/blocks',
    '/api/v1/endorsements',
    '/api/v1/lists',
    `/api/v1/lists/${list.id}/accounts`,
    '/api/v1/scheduled_statuses',
    '/api/v1/markers?timeline[]=home',
    '/api/v1/directory?local=true&order=new',
    '/api/v1/directory?order=active',
  ];
  const sent = await recordStatements(async () => {
    for (const path of pages) {
      const response = await reader.get(path);
      expect(response.status, path).toBe(200);
    }
    for (const path of [
      '/',
      `/@${busy.username}`,
      `/@${busy.username}/${thread}`,
      `/users/${busy.username}/outbox?page=true`,
    ]) {
      await server.anonymous.get(path);
    }
    const { json: posted } = await reader.post('/api/v1/statuses', { status: `Hello @${busy.username} #${tag}` });
    await reader.post(`/api/v1/statuses/${thread}/favourite`);
    await reader.post(`/api/v1/statuses/${thread}/reblog`);
    await reader.post(`/api/v1/statuses/${thread}/bookmark`);
    await reader.post('/api/v1/statuses', { status: 'An answer', in_reply_to_id: thread });
    const quote = await reader.post('/api/v1/statuses', { status: 'See', quoted_status_id: posted.id });
    await reader.post(`/api/v1/statuses/${posted.id}/quotes/${quote.json.id}/revoke`);
    await reader.put(`/api/v1/statuses/${posted.id}/interaction_policy`, { quote_approval_policy: 'nobody' });
    await busy.post(`/api/v1/accounts/${reader.id}/follow`);
    await server.drain();
    await reader.post(`/api/v1/statuses/${thread}/unreblog`);
    await reader.post(`/api/v1/statuses/${thread}/unfavourite`);
    await reader.post(`/api/v1/accounts/${busy.id}/mute`);
    await reader.post(`/api/v1/accounts/${busy.id}/unmute`);
    await busy.post(`/api/v1/accounts/${reader.id}/unfollow`);
    await reader.get(`/api/v1/timelines/list/${list.id}`);
    await server.drain();
    await reader.put(`/api/v1/statuses/${posted.id}`, { status: 'Hello' });
    await reader.delete(`/api/v1/statuses/${posted.id}`);
    await server.drain();
    await silenceAccount(app, 'system', { accountId: reader.id });
    await reader.post('/api/v1/statuses', { status: `Hello @${remote.username}@${remote.domain}` });
    for (const accountId of [busy.id, remote.id]) await suspendAccount(app, 'system', { accountId });
    await server.drain();
    await changeSiteSettings(app, 'system', { remotePostRetentionDays: 1, remoteEditRetentionDays: 1 });
    for (const schedule of [
      'feed.trim_feeds',
      'feed.clean_up_unused',
      'federation.apply_retention',
      'moderation.delete_long_suspended',
      'notification.clean_up_old',
      'status.clean_up_deleted',
    ])
      await server.runSchedule(schedule);
    const remotePost = { uri: `${remote.uri}/posts/1`, accountId: remote.id, visibility: 'public' } as const;
    for (const content of ['Hello', 'Hello again'])
      await storeRemoteStatus(app, { ...remotePost, content, publishedAt: app.clock.now() });
    await unsuspendAccount(app, 'system', { accountId: busy.id });
    await server.drain();
    // One past day has the statements of all.
    await server.pool.query(
      `insert into recount_progress (name, day, is_complete) values ('days', current_date, true)`,
    );
    for (const { name } of frequentSchedules) await server.runSchedule(name);
  });
  const texts = sent.map(({ text }) => text);
  const statements = new Set(texts.filter((text) => /^\s*(?:with|select|insert|update|delete)\b/iu.test(text)));
  expect(statements.size).toBeGreaterThan(100);
  for (const part of ['from status_cards attached', 'insert into tag_daily_uses', 'insert into trend_uses'])
    expect(texts).toContainEqual(expect.stringContaining(part));
  const slow: string[] = [];
  const client = await server.pool.connect();
  try {
    await client.query('set enable_seqscan = off');
    for (const text of statements) {
      const tables = await listSequentialScans(client, text);
      if (tables.length > 0) slow.push(`${tables.join(', ')}: ${text}`);
    }
    expect(slow).toEqual([]);
    await client.query('reset enable_seqscan');
    await claimTenMillionPosts(client);
    const distinct = [...new Map(sent.map((statement) => [statement.text, statement])).values()].filter(({ text }) =>
      statements.has(text),
    );
    expect(await listExpensive(client, distinct)).toEqual([]);
    // The statistics show what a missing index would cost.
    await client.query('begin read write');
    await client.query('drop index statuses_thread');
    expect(await listExpensive(client, distinct)).toContainEqual(expect.stringContaining('conversation_id'));
    await client.query('rollback');
  } finally {
    client.release(true);
  }
});

/** Counts the rows of a table that a plan read, including those that it filtered out. */
function countRowsRead(plan: AnalyzedPlan, table: string): number {
  const own =
    plan['Relation Name'] === table
      ? ((plan['Actual Rows'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0)) * (plan['Actual Loops'] ?? 1)
      : 0;
  return (plan.Plans ?? []).reduce((sum, part) => sum + countRowsRead(part, table), own);
}

/** Returns the indexes of a table that a plan reads; a sequential scan is one without a name. */
function listIndexesRead(plan: AnalyzedPlan, table: string): (string | undefined)[] {
  const isIndexScan = plan['Node Type'] === 'Bitmap Index Scan' && (plan['Index Name'] ?? '').startsWith(table);
  const isOtherScan = plan['Relation Name'] === table && plan['Node Type'] !== 'Bitmap Heap Scan';
  return [
    ...(isIndexScan || isOtherScan ? [plan['Index Name']] : []),
    ...(plan.Plans ?? []).flatMap((part) => listIndexesRead(part, table)),
  ];
}

/** Returns how often a plan reads each table. */
function countScans(plan: AnalyzedPlan, scans = new Map<string, number>()): ReadonlyMap<string, number> {
  const table = plan['Relation Name'];
  if (table !== undefined) scans.set(table, (scans.get(table) ?? 0) + (plan['Actual Loops'] ?? 1));
  for (const part of plan.Plans ?? []) countScans(part, scans);
  return scans;
}

interface AnalyzedPlan {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly AnalyzedPlan[];
}

test('SRC-02: searching a common word reads a page of posts, and searching a rare word reads only its matches', async () => {
  await using server = await startServer();
  const { app } = server;
  const demo = await seedDemo(app, { accounts: 500, statuses: 20_000, followsPerAccount: 10, seed: 2 }, () => {});
  server.expectUndelivered(/\.example$/u);
  const reader = await createActiveUser(server, demo.active[0] ?? '');
  const { rows: matches } = await sql<{ common: number }>`
    select count(*)::int as common from status_search where terms @> array[${hashTerm('bees')}::int]`.execute(app.db);
  expect(matches[0]?.common).toBeGreaterThan(500);

  /** Returns the plans of the statements of a search, as they ran. */
  const explainSearch = async (q: string): Promise<AnalyzedPlan[]> => {
    const sent = await recordStatements(() => reader.get(`/api/v2/search?q=${q}&type=statuses&limit=40`));
    const plans: AnalyzedPlan[] = [];
    for (const { text, values } of sent.filter((statement) => statement.text.includes('from status_search'))) {
      const { rows } = await server.pool.query<{ 'QUERY PLAN': [{ Plan: AnalyzedPlan }] }>(
        `explain (analyze, timing off, format json) ${text}`,
        [...values],
      );
      plans.push(...rows.map((row) => row['QUERY PLAN'][0].Plan));
    }
    return plans;
  };
  const readFor = async (q: string): Promise<number> =>
    countRowsRead((await explainSearch(q))[0] as AnalyzedPlan, 'status_search');
  expect(await readFor('bees')).toBeLessThan(500);
  expect(await readFor('unheardof')).toBe(0);

  // Prepared statements have a generic plan.
  const sent = await recordStatements(() => reader.get('/api/v2/search?q=bees&type=statuses'));
  const { text = '' } = sent.find((statement) => statement.text.includes('from status_search')) ?? {};
  const client = await app.pool.connect();
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: AnalyzedPlan }] }>(
    `explain (generic_plan, format json) ${text}`,
  );
  client.release(true);
  const indexes = rows.flatMap((row) => listIndexesRead(row['QUERY PLAN'][0].Plan, 'status_search'));
  expect(new Set(indexes)).toEqual(new Set(['status_search_terms']));

  // Where few posts may be found, their rows are read by one scan, and so is each table of the library of the viewer.
  await server.pool.query('update accounts set indexable = false');
  await server.pool.query(`update statuses set visibility = 'unlisted' where id % 2 = 0`);
  await sql`analyze`.execute(app.db);
  const plans = await explainSearch('bees');
  expect(plans.length).toBeGreaterThan(1);
  for (const plan of plans) {
    const scans = countScans(plan);
    for (const table of ['mentions', 'favourites', 'bookmarks', 'poll_votes'])
      expect(scans.get(table), table).toBeLessThanOrEqual(1);
    // The library has posts and boosts.
    expect(scans.get('statuses')).toBeLessThanOrEqual(3);
  }
});
