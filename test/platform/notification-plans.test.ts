import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { postBy } from '../feeds.ts';
import { recordStatements, type SentStatement } from '../record-statements.ts';
import { startServer, type TestServer, type TestUser } from '../server.ts';

/** Notifications of the account, each from another sender. */
const total = 30_000;
/** Many more than a page shows, and far fewer than the account has. */
const few = 8_000;

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** Counts the notifications that a plan read, including those that it filtered out. */
const countRead = (plan: Plan): number =>
  (plan['Relation Name'] === 'notifications'
    ? ((plan['Actual Rows'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0)) * (plan['Actual Loops'] ?? 1)
    : 0) + (plan.Plans ?? []).reduce((sum, part) => sum + countRead(part), 0);

async function countReadBy(server: TestServer, statements: readonly SentStatement[]): Promise<number> {
  let read = 0;
  for (const { text, values } of statements.filter((sent) => sent.text.includes('notifications'))) {
    const { rows } = await server.pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, timing off, format json) ${text}`,
      [...values],
    );
    for (const row of rows) read += countRead(row['QUERY PLAN'][0].Plan);
  }
  return read;
}

/**
 * Inserts notifications of the account: a third in the group of one post, the others in groups of 20 posts and of follows,
 * and one of a hundred with another type. Returns the key of the large group.
 */
async function insertNotifications(server: TestServer, alice: TestUser): Promise<string> {
  const posts: string[] = [];
  for (let index = 0; index < 20; index += 1) posts.push(await postBy(alice, `post ${index}`));
  const popular = posts.at(-1) ?? '';
  const key = `favourite-${popular}-500000`;
  await sql`
    with senders as (
      insert into accounts (id, username, domain, uri, created_at, updated_at)
      select n, 'fan' || n, 'far.test', 'https://far.test/users/' || n, now(), now() from generate_series(1, ${total}) n
      returning id
    ), stats as (insert into account_stats (account_id) select id from senders)
    insert into notifications (account_id, id, type, from_account_id, status_id, group_key, filtered, created_at)
    select ${alice.id}::bigint, ${total}::bigint + n, type, n,
      case when type = 'favourite' then coalesce(post, ${popular})::bigint end,
      case when type = 'favourite' and post is null then ${key}
        when type = 'favourite' then 'favourite-' || post || '-' || 500000 + n / 1000
        when type = 'follow' then 'follow-' || 500000 + n / 500 end,
      n % 10 = 5, now()
    from generate_series(1, ${total}) n cross join lateral (
      select case when n % 100 = 1 then 'admin.sign_up' when n % 3 = 0 or n % 5 > 1 then 'favourite' else 'follow' end as type,
        case when n % 3 > 0 then (${posts}::text[])[1 + n % 19] end as post) kind`.execute(server.db);
  await sql`analyze`.execute(server.db);
  return key;
}

test('NTF-01: a page reads about as many notifications as it shows, and counts those of its groups', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const key = await insertNotifications(server, alice);
  const countFor = async (path: string): Promise<number> => {
    const sent = await recordStatements(async () => {
      const { status, text } = await alice.get(path);
      expect(status, text).toBe(200);
    });
    return countReadBy(server, sent);
  };
  const middle = total * 1.5;
  for (const path of [
    '/api/v1/notifications',
    `/api/v1/notifications?min_id=${middle}`,
    '/api/v1/notifications?types[]=follow',
    '/api/v1/notifications?types[]=mention',
    '/api/v1/notifications?exclude_types[]=favourite&exclude_types[]=follow&exclude_types[]=reblog',
    '/api/v1/notifications?account_id=7',
    '/api/v1/notifications/unread_count',
    `/api/v2/notifications?max_id=${middle}`,
    `/api/v2/notifications?min_id=${middle}`,
    '/api/v2/notifications?types[]=mention',
    '/api/v2/notifications?account_id=7',
    '/api/v2/notifications?grouped_types[]=follow',
    '/api/v2/notifications/unread_count',
    `/api/v2/notifications/${key}/accounts`,
  ]) {
    expect(await countFor(path), path).toBeLessThan(few);
  }
  for (const path of ['/api/v2/notifications', `/api/v2/notifications/${key}`]) {
    expect(await countFor(path), path).toBeLessThan(total / 3 + few);
  }
});
