import { defineJob } from '../platform/jobs/define-job.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { beforeCommit } from '../platform/events/reactions.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { transaction, type Transaction } from '../platform/database/transaction.ts';
import { idSchema, type AccountId, type RowId, type StatusId } from '../platform/ids.ts';
import { belongsInHome, involvedAccounts, isInExclusiveList } from './belongs-in-home.ts';
import { feedLimits } from './feed-limits.ts';
import { fanOutToLists } from './fan-out-to-lists.ts';
import { maxId } from './page-filler.ts';
import { fanOutToTagFollowers } from './followed-tags.ts';
import { insertIntoListFeeds } from './list-feed-entries.ts';
import { ownListReached } from './events.ts';
import { isMergedAuthor, markMergedAuthor } from './merged-authors.ts';

/**
 * Writes what was posted into its author's own feed, and into those lists of the author that show it, in the same
 * transaction: one reads one's own writes.
 */
export async function insertIntoOwnFeed(
  tx: Transaction,
  _app: App,
  posted: readonly { statusId: StatusId; accountId: AccountId; reblogOfId?: StatusId }[],
): Promise<void> {
  const { rows } = await sql<{ listed: boolean }>`
    with posted as (
      select * from unnest(
        ${posted.map(({ accountId }) => accountId)}::bigint[],
        ${posted.map(({ statusId }) => statusId)}::bigint[],
        ${posted.map(({ reblogOfId }) => reblogOfId ?? null)}::bigint[]
      ) as posted(account_id, status_id, reblog_of_id)
    ), entered as (
      insert into home_feed (account_id, status_id, reblog_of_id)
      select account_id, posted.status_id, posted.reblog_of_id from posted join home_feed_states using (account_id)
      on conflict do nothing
    )
    select exists (
      select 1 from list_accounts m join list_feed_states h on h.list_id = m.list_id
      where m.account_id = any(array(select account_id from posted)) and m.owner_id = m.account_id
    ) as listed`.execute(tx.db);
  if (rows[0]?.listed !== true) return;
  for (const { statusId } of posted) tx.emit(ownListReached({ statusId }));
}

/** Runs after the counters of accounts: whatever deletes a list feed locks those before the feed's state. */
export const insertIntoOwnLists = beforeCommit([ownListReached], {
  isLast: true,
  runBatch: async (tx: Transaction, app: App, posted) => {
    const ids = posted.map(({ statusId }) => statusId);
    await insertIntoListFeeds(tx, app, ids, { ownListsOnly: true });
  },
});

interface AuthorReach {
  readonly id: StatusId;
  readonly account_id: AccountId;
  readonly local_followers_count: number;
}

/** The reach of the authors; no row for a status that is gone or whose author nobody follows. */
const authorReachRows = preparedQuery<AuthorReach>()((db, { ids }: { ids: StatusId[] }) =>
  db
    .selectFrom('statuses as s')
    .innerJoin('account_stats as stats', 'stats.account_id', 's.account_id')
    .select(['s.id', 's.account_id', 'stats.local_followers_count'])
    .where(sql<boolean>`s.id = any(${ids}::bigint[])`)
    .where('s.deleted_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('follows').select('id').whereRef('target_account_id', '=', 's.account_id')),
    ),
);

/** Brings statuses to the feeds of those who follow their authors or their hashtags, and to lists. */
export async function fanOutStatuses(app: App, posted: readonly { readonly statusId: StatusId }[]): Promise<void> {
  await fanOutToFollowers(app, posted);
  await fanOutToTagFollowers(app, posted);
  await fanOutToLists(app, posted);
}

/** Brings reblogs to the feeds of those who follow who made them, and to lists. */
export async function fanOutReblogs(app: App, posted: readonly { readonly statusId: StatusId }[]): Promise<void> {
  await fanOutToFollowers(app, posted);
  await fanOutToLists(app, posted);
}

/** Brings statuses and reblogs to the feeds of those who follow their authors, or leaves that to the readers. */
async function fanOutToFollowers(app: App, posted: readonly { readonly statusId: StatusId }[]): Promise<void> {
  for (const reach of await authorReachRows(app, { ids: posted.map(({ statusId }) => statusId) })) {
    const { id: statusId, account_id: accountId } = reach;
    if (await isMergedAuthor(app, accountId)) continue;
    if (reach.local_followers_count > feedLimits(app).mergeThreshold) await markMergedAuthor(app, accountId);
    else await fanOutBatch(app, { statusId, below: maxId });
  }
}

const fanOutNextBatch = defineJob(
  'feed.fan_out_to_followers',
  Type.Object({ statusId: idSchema<'status'>(), below: idSchema<'row'>() }),
  fanOutBatch,
  'feeds',
);
export const fanOutJob = fanOutNextBatch.subscription;

/** One chunk of followers, newest follows first, in one statement; stores the next chunk as a job. */
async function fanOutBatch(
  app: App,
  { statusId, below }: { statusId: StatusId; below: RowId | typeof maxId },
): Promise<void> {
  const { fanOutBatchSize } = feedLimits(app);
  await transaction(app, async ({ db, enqueue }) => {
    const { rows } = await sql<{ last: RowId | null; seen: number }>`
      with post as materialized (
        select s.*, p.people from statuses s ${involvedAccounts} where s.id = ${statusId}::bigint and s.deleted_at is null
      ), followers as materialized (
        select * from follows
        where target_account_id = (select account_id from post) and id < ${below}::bigint
        order by id desc limit ${fanOutBatchSize}::int
      ), written as (
        insert into home_feed (account_id, status_id, reblog_of_id)
        select f.account_id, s.id, s.reblog_of_id
        from post s left join statuses o on o.id = s.reblog_of_id cross join lateral (select s.people) p
        cross join followers f join home_feed_states h on h.account_id = f.account_id
        where not ${isInExclusiveList(sql`f.target_account_id`)} and ${belongsInHome(app.clock.now())}
        on conflict do nothing
      )
      select min(id) as last, count(*)::int as seen from followers`.execute(db);
    const [result] = rows;
    if (result?.last && result.seen === fanOutBatchSize) enqueue(fanOutNextBatch({ statusId, below: result.last }));
  });
}
