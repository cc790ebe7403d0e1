import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { StatusId } from '../platform/ids.ts';
import { postsOfYear, type AccountYear } from './posts-of-year.ts';
import type { Archetype, ReportData } from './tables.ts';

/** The number of posts of each kind. A reply to a post of the same author counts as standalone. */
export interface PostCounts {
  readonly standalone: number;
  readonly replies: number;
  readonly reblogs: number;
  /** Also among the standalone posts or replies. */
  readonly polls: number;
}

/** Posts and reblogs of an average active user in a year, as counted by Mastodon in 2023. */
const averagePosts = 113;

/** Returns the archetype of an account by what it posted. */
export function chooseArchetype({ standalone, replies, reblogs, polls }: PostCounts): Archetype {
  if (standalone + replies + reblogs < averagePosts) return 'lurker';
  if (reblogs > standalone * 2) return 'booster';
  if (polls > standalone * 0.1) return 'pollster';
  if (replies > standalone * 2) return 'replier';
  return 'oracle';
}

/** Builds the report of an account about a year. */
export async function buildReport(app: App, accountYear: AccountYear): Promise<ReportData> {
  const counts = await countPosts(app, accountYear);
  const statuses = counts.standalone + counts.replies + counts.reblogs;
  return {
    archetype: chooseArchetype(counts),
    time_series: [{ month: 12, statuses, followers: await countNewFollowers(app, accountYear) }],
    top_hashtags: await listTopHashtags(app, accountYear),
    top_statuses: { by_reblogs: await findMostReblogged(app, accountYear) },
  };
}

async function countPosts({ db }: App, accountYear: AccountYear): Promise<PostCounts> {
  const { rows } = await sql<PostCounts>`
    select count(*) filter (where reblog_of_id is null and not is_reply)::int as standalone,
      count(*) filter (where reblog_of_id is null and is_reply)::int as replies,
      count(*) filter (where reblog_of_id is not null)::int as reblogs,
      count(*) filter (where poll_id is not null)::int as polls
    from (${postsOfYear(accountYear)}) posts`.execute(db);
  const [counts] = rows;
  if (counts === undefined) throw new Error('the query of post counts returned no row');
  return counts;
}

/** Counts the current followers who followed the account in the year. */
async function countNewFollowers({ db }: App, { accountId, year }: AccountYear): Promise<number> {
  const [from, to] = [new Date(Date.UTC(year, 0, 1)), new Date(Date.UTC(year + 1, 0, 1))];
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from follows
    where target_account_id = ${accountId}::bigint and created_at >= ${from}::timestamptz
      and created_at < ${to}::timestamptz`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Returns the hashtag that was used most in posts that anyone may see, if it was used more than once. */
async function listTopHashtags({ db }: App, accountYear: AccountYear): Promise<ReportData['top_hashtags']> {
  const { rows } = await sql<{ name: string; count: number }>`
    select coalesce(nullif(tags.display_name, ''), tags.name) as name, count(*)::int as count
    from (${postsOfYear(accountYear)}) posts
      join status_tags on status_tags.status_id = posts.id
      join tags on tags.id = status_tags.tag_id
    where posts.visibility in ('public', 'unlisted')
    group by tags.id having count(*) > 1
    order by count(*) desc, tags.name limit 1`.execute(db);
  return rows;
}

/** Returns the public post with the most reblogs; null if there is no public post. */
async function findMostReblogged({ db }: App, accountYear: AccountYear): Promise<StatusId | null> {
  const { rows } = await sql<{ id: StatusId }>`
    select posts.id from (${postsOfYear(accountYear)}) posts
      join status_stats on status_stats.status_id = posts.id
    where posts.visibility in ('public', 'unlisted') and posts.reblog_of_id is null
    order by status_stats.reblogs_count desc, posts.id desc limit 1`.execute(db);
  return rows[0]?.id ?? null;
}
