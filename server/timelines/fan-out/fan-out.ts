import { defineJob } from '../../platform/work/define-job.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { type AccountId, maxId, type RowId, type StatusId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { belongsInHome, involvedAccounts, isInExclusiveList } from '../graph/belongs-in-home.ts';
import { fanOutParts, type FanOutPart } from '../events.ts';
import { reportFannedOut } from './report-fanned-out.ts';
import { feedLimits } from '../feeds/feed-limits.ts';
import { fanOutEditsToLists, fanOutToLists } from './fan-out-to-lists.ts';
import { fanOutToTagFollowers } from './fan-out-to-tags.ts';
import { groupByReach } from './group-by-reach.ts';
import { isMergedAuthor, markMergedAuthor } from '../feeds/merged-authors.ts';
import { reconcileEditedStatuses } from '../feeds/reconcile-feed.ts';

interface PostedStatus {
  readonly statusId: StatusId;
  readonly accountId: AccountId;
  /** The reblogged status, of a reblog. */
  readonly reblogOfId?: StatusId;
  /** Whether it has hashtags; missing in events of earlier versions. */
  readonly tags?: boolean;
}

interface AuthorReach {
  readonly id: StatusId;
  readonly account_id: AccountId;
  readonly local_followers_count: number;
  /** Number of stored follows of the author. */
  readonly follows_count: number;
}

/** Without deleted statuses and authors without followers. */
const authorReachRows = preparedQuery<AuthorReach>()((db, { ids }: { ids: StatusId[] }) =>
  db
    .selectFrom('statuses as s')
    .innerJoin('account_stats as stats', 'stats.account_id', 's.account_id')
    .select(['s.id', 's.account_id', 'stats.local_followers_count'])
    .select(({ ref }) =>
      sql<number>`case when ${ref('s.local')} then ${ref('stats.followers_count')}
        else ${ref('stats.local_followers_count')} end`.as('follows_count'),
    )
    .where(sql<boolean>`s.id = any(${ids}::bigint[])`)
    .where('s.deleted_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('follows').select('id').whereRef('target_account_id', '=', 's.account_id')),
    ),
);

/** Inserts statuses and reblogs into the home feeds of followers, of authors and hashtags, and into lists. */
export async function fanOutStatuses(app: App, posted: readonly PostedStatus[]): Promise<void> {
  const tagged = posted.filter(({ reblogOfId, tags }) => reblogOfId === undefined && tags !== false);
  const unfinished: Record<FanOutPart, readonly StatusId[]> = {
    followers: await fanOutToFollowers(app, posted),
    hashtags: tagged.length === 0 ? [] : (await fanOutToTagFollowers(app, tagged)).unfinished,
    lists: await fanOutToLists(app, posted),
  };
  const ids = posted.map(({ statusId }) => statusId);
  await reportFannedOut(app, ids, (id) => fanOutParts.filter((part) => !unfinished[part].includes(id)));
}

/** Updates feeds after edits, which may change the hashtags, language and mentions that decide where a status belongs. */
export async function fanOutEdits(app: App, edited: readonly { readonly statusId: StatusId }[]): Promise<void> {
  await reconcileEditedStatuses(
    app,
    edited.map(({ statusId }) => statusId),
  );
  const { followed } = await fanOutToTagFollowers(app, edited);
  if (followed.length > 0) await reportFannedOut(app, followed, () => ['hashtags']);
  await fanOutEditsToLists(app, edited);
}

/**
 * Inserts statuses into the feeds of the authors' followers, unless an author has so many that reads merge them. Returns
 * the statuses that further jobs insert into more feeds.
 */
async function fanOutToFollowers(app: App, posted: readonly { readonly statusId: StatusId }[]): Promise<StatusId[]> {
  const reaches: AuthorReach[] = [];
  for (const reach of await authorReachRows(app, { ids: posted.map(({ statusId }) => statusId) })) {
    const { account_id: accountId } = reach;
    if (await isMergedAuthor(app, accountId)) continue;
    if (reach.local_followers_count > feedLimits(app).mergeThreshold) await markMergedAuthor(app, accountId);
    else reaches.push(reach);
  }
  const unfinished: StatusId[] = [];
  for (const statusIds of groupByReach(app, reaches))
    unfinished.push(...(await fanOutBatch(app, { statusIds, below: maxId })));
  return unfinished;
}

const fanOutNextBatch = defineJob(
  'feed.fan_out_to_followers',
  Type.Object({ statusId: idSchema<'status'>(), below: idSchema<'row'>() }),
  async (app, { statusId, below }) => {
    const unfinished = await fanOutBatch(app, { statusIds: [statusId], below });
    if (unfinished.length === 0) await reportFannedOut(app, [statusId], () => ['followers']);
  },
  'feeds',
);
export const fanOutJob = fanOutNextBatch.subscription;

/**
 * Inserts statuses into the feeds of one batch of followers of each, newest follows first, and queues the next batches.
 * Returns the statuses that have one.
 */
async function fanOutBatch(
  app: App,
  { statusIds, below }: { statusIds: readonly StatusId[]; below: RowId | typeof maxId },
): Promise<StatusId[]> {
  const { fanOutBatchSize } = feedLimits(app);
  return transaction(app, async ({ db, enqueue }) => {
    const { rows } = await sql<{ statusId: StatusId; last: RowId }>`
      with post as materialized (
        select s.*, p.people from statuses s ${involvedAccounts}
        where s.id = any(${[...statusIds]}::bigint[]) and s.deleted_at is null
      ), followers as materialized (
        select post.id as status_id, f.* from post cross join lateral (
          select * from follows where target_account_id = post.account_id and id < ${below}::bigint
          order by id desc limit ${fanOutBatchSize}::int
        ) f
      ), written as (
        insert into home_feed (account_id, status_id, reblog_of_id)
        select f.account_id, s.id, s.reblog_of_id
        from post s left join statuses o on o.id = s.reblog_of_id cross join lateral (select s.people) p
        join followers f on f.status_id = s.id join home_feed_states h on h.account_id = f.account_id
        where not ${isInExclusiveList(sql`f.target_account_id`)} and ${belongsInHome(app.clock.now())}
        on conflict do nothing
      )
      select status_id as "statusId", min(id) as last from followers
      group by status_id having count(*) >= ${fanOutBatchSize}::int`.execute(db);
    for (const { statusId, last } of rows) enqueue(fanOutNextBatch({ statusId, below: last }));
    return rows.map(({ statusId }) => statusId);
  });
}
