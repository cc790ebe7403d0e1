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
import { reportFannedOut } from './report-fanned-out.ts';

const minAccountId = minId;

/** Filters public statuses with a hashtag that anyone follows. */
const followedTagStatusRows = preparedQuery<{ id: StatusId }>()((db, { ids }: { ids: StatusId[] }) => ({
  compile: () =>
    sql<{ id: StatusId }>`
      select s.id from statuses s
      where s.id = any(${ids}::bigint[]) and s.visibility = 'public' and s.reblog_of_id is null and s.deleted_at is null
        and exists (
          select 1 from status_tags st join tag_follows f on f.tag_id = st.tag_id where st.status_id = s.id)`.compile(
      db,
    ),
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
  const rows = await followedTagStatusRows(app, { ids: posted.map(({ statusId }) => statusId) });
  for (const { id } of rows) {
    if (!(await fanOutBatch(app, { statusId: id, above: minAccountId }))) unfinished.push(id);
  }
  return { followed: rows.map(({ id }) => id), unfinished };
}

const fanOutNextBatch = defineJob(
  'feed.fan_out_to_tag_followers',
  Type.Object({ statusId: idSchema<'status'>(), above: idSchema<'account'>() }),
  async (app, batch) => {
    if (await fanOutBatch(app, batch)) await reportFannedOut(app, [batch.statusId], () => ['hashtags']);
  },
  'feeds',
);
export const fanOutToTagFollowersJob = fanOutNextBatch.subscription;

/**
 * Inserts a status into the feeds of one batch of followers, ordered by id, and queues the next batch. Returns whether this
 * was the last one.
 */
async function fanOutBatch(app: App, { statusId, above }: { statusId: StatusId; above: AccountId }): Promise<boolean> {
  const { fanOutBatchSize } = feedLimits(app);
  return transaction(app, async ({ db, enqueue }) => {
    const { rows } = await sql<{ last: AccountId | null; seen: number }>`
      with post as materialized (
        select s.*, p.people from statuses s ${involvedAccounts} where s.id = ${statusId}::bigint
      ), followers as materialized (
        select distinct account_id from tag_follows
        where tag_id = any(array(select tag_id from status_tags where status_id = ${statusId}::bigint))
          and account_id > ${above}::bigint
        order by account_id limit ${fanOutBatchSize}::int
      ), written as (
        insert into home_feed (account_id, status_id)
        select f.account_id, s.id
        from post s cross join lateral (select s.people) p
        cross join followers f join home_feed_states h on h.account_id = f.account_id
        where ${belongsInHomeByTag(app.clock.now())}
        on conflict do nothing
      )
      select max(account_id) as last, count(*)::int as seen from followers`.execute(db);
    const [result] = rows;
    if (!result?.last || result.seen < fanOutBatchSize) return true;
    enqueue(fanOutNextBatch({ statusId, above: result.last }));
    return false;
  });
}
