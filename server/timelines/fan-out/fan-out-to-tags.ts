import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { type AccountId, minId, type StatusId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { belongsInHomeByTag, involvedAccounts } from '../graph/belongs-in-home.ts';
import { feedLimits } from '../feeds/feed-limits.ts';
import { groupByReach } from './group-by-reach.ts';
import { reportFannedOut } from './report-fanned-out.ts';

const minAccountId = minId;

interface TagReach {
  readonly id: StatusId;
  /** Number of follows of its hashtags, up to that of one batch. */
  readonly follows_count: number;
}

/** Filters public statuses with a hashtag that anyone follows. */
const followedTagStatusRows = preparedQuery<TagReach>()((db, { ids, limit }: { ids: StatusId[]; limit: number }) => ({
  compile: () =>
    sql<TagReach>`
      select s.id, reach.follows_count from statuses s cross join lateral (
        select count(*)::int as follows_count from (
          select from status_tags st join tag_follows f on f.tag_id = st.tag_id where st.status_id = s.id
          limit ${limit}::int) follow) reach
      where s.id = any(${ids}::bigint[]) and s.visibility in ('public', 'local_public') and s.reblog_of_id is null and s.deleted_at is null
        and reach.follows_count > 0`.compile(db),
}));

/**
 * Inserts public statuses into the home feeds of those who follow one of their hashtags. Returns the statuses with such
 * hashtags, and those of them that further jobs insert into more feeds.
 */
export async function fanOutToTagFollowers(
  app: App,
  posted: readonly { readonly statusId: StatusId }[],
): Promise<{ readonly followed: readonly StatusId[]; readonly unfinished: readonly StatusId[] }> {
  const unfinished: StatusId[] = [];
  const ids = posted.map(({ statusId }) => statusId);
  const rows = await followedTagStatusRows(app, { ids, limit: feedLimits(app).fanOutBatchSize });
  for (const statusIds of groupByReach(app, rows))
    unfinished.push(...(await fanOutBatch(app, { statusIds, above: minAccountId })));
  return { followed: rows.map(({ id }) => id), unfinished };
}

const fanOutNextBatch = defineJob(
  'feed.fan_out_to_tag_followers',
  Type.Object({ statusId: idSchema<'status'>(), above: idSchema<'account'>() }),
  async (app, { statusId, above }) => {
    const unfinished = await fanOutBatch(app, { statusIds: [statusId], above });
    if (unfinished.length === 0) await reportFannedOut(app, [statusId], () => ['hashtags']);
  },
  'feeds',
);
export const fanOutToTagFollowersJob = fanOutNextBatch.subscription;

/**
 * Inserts statuses into the feeds of one batch of followers of each, ordered by id, and queues the next batches. Returns the
 * statuses that have one.
 */
async function fanOutBatch(
  app: App,
  { statusIds, above }: { statusIds: readonly StatusId[]; above: AccountId },
): Promise<StatusId[]> {
  const { fanOutBatchSize } = feedLimits(app);
  return transaction(app, async ({ db, enqueue }) => {
    const { rows } = await sql<{ statusId: StatusId; last: AccountId }>`
      with post as materialized (
        select s.*, p.people from statuses s ${involvedAccounts} where s.id = any(${[...statusIds]}::bigint[])
      ), followers as materialized (
        select post.id as status_id, f.account_id from post cross join lateral (
          select distinct account_id from tag_follows
          where tag_id = any(array(select tag_id from status_tags where status_id = post.id))
            and account_id > ${above}::bigint
          order by account_id limit ${fanOutBatchSize}::int
        ) f
      ), written as (
        insert into home_feed (account_id, status_id)
        select f.account_id, s.id
        from post s cross join lateral (select s.people) p
        join followers f on f.status_id = s.id join home_feed_states h on h.account_id = f.account_id
        where ${belongsInHomeByTag(app.clock.now())}
        on conflict do nothing
      )
      select status_id as "statusId", max(account_id) as last from followers
      group by status_id having count(*) >= ${fanOutBatchSize}::int`.execute(db);
    for (const { statusId, last } of rows) enqueue(fanOutNextBatch({ statusId, above: last }));
    return rows.map(({ statusId }) => statusId);
  });
}
