import { defineJob } from '../../platform/work/define-job.ts';
import { sql } from 'kysely';
import { Type, type Static } from 'typebox';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { StatusId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { feedLimits } from '../feeds/feed-limits.ts';
import { reportFannedOut } from './report-fanned-out.ts';
import { insertIntoListFeeds, startCursor } from './list-feed-entries.ts';

/**
 * Filters statuses, and optionally their reblogs, whose author is in a list with a stored feed. A feed that is created
 * later is built with them.
 */
const listedStatusRows = preparedQuery<{ id: StatusId }>()((db, args: { ids: StatusId[]; withReblogs: boolean }) => ({
  compile: () =>
    sql<{ id: StatusId }>`
      select s.id from statuses s
      where s.id = any(array(
          select unnest(${args.ids}::bigint[]) union all
          select id from statuses where ${args.withReblogs}::boolean and reblog_of_id = any(${args.ids}::bigint[])))
        and s.visibility <> 'direct' and s.deleted_at is null and exists (
          select 1 from list_accounts m join list_feed_states h on h.list_id = m.list_id
          where m.account_id = s.account_id)`.compile(db),
}));

async function filterListedStatuses(
  app: App,
  statuses: readonly { readonly statusId: StatusId }[],
  { withReblogs }: { readonly withReblogs: boolean },
): Promise<StatusId[]> {
  const rows = await listedStatusRows(app, { ids: statuses.map(({ statusId }) => statusId), withReblogs });
  return rows.map(({ id }) => id);
}

/**
 * Inserts statuses and reblogs into the list feeds that show them, however many followers their authors have. Returns the
 * statuses that further jobs insert into more feeds.
 */
export async function fanOutToLists(
  app: App,
  posted: readonly { readonly statusId: StatusId }[],
): Promise<readonly StatusId[]> {
  const ids = await filterListedStatuses(app, posted, { withReblogs: false });
  return ids.length === 0 || (await fanOutBatch(app, { ids, edited: false, after: startCursor })) ? [] : ids;
}

/** Updates list feeds after edits, which may change the language and the mentions that decide where a status belongs. */
export async function fanOutEditsToLists(app: App, edited: readonly { readonly statusId: StatusId }[]): Promise<void> {
  const ids = await filterListedStatuses(app, edited, { withReblogs: true });
  if (ids.length > 0) await fanOutBatch(app, { ids, edited: true, after: startCursor });
}

const accountIdSchema = idSchema<'account'>();
const fanOutSchema = Type.Object({
  ids: Type.Array(idSchema<'status'>()),
  edited: Type.Boolean(),
  after: Type.Object({ accountId: accountIdSchema, ownerId: accountIdSchema }),
});

const fanOutNextBatch = defineJob(
  'feed.fan_out_to_lists',
  fanOutSchema,
  async (app, batch) => {
    const isLast = await fanOutBatch(app, batch);
    if (isLast && !batch.edited) await reportFannedOut(app, batch.ids, () => ['lists']);
  },
  'feeds',
);
export const fanOutToListsJob = fanOutNextBatch.subscription;

/**
 * Inserts statuses into the feeds of one batch of the authors' list memberships, and queues the next batch. Returns whether
 * this was the last one.
 */
async function fanOutBatch(app: App, { ids, edited, after }: Static<typeof fanOutSchema>): Promise<boolean> {
  const { fanOutBatchSize } = feedLimits(app);
  return transaction(app, async (tx) => {
    const reached = await insertIntoListFeeds(tx, app, ids, { edited, after, maxMemberships: fanOutBatchSize });
    if (reached !== undefined) tx.enqueue(fanOutNextBatch({ ids, edited, after: reached }));
    return reached === undefined;
  });
}
