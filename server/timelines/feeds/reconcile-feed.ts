import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { type AccountId, addToId, maxId, type StatusId, type TagId } from '../../platform/ids.ts';
import { belongsInHome, belongsInHomeByTag, involvedAccounts, isInExclusiveList } from '../graph/belongs-in-home.ts';
import { statusRemoved } from '../events.ts';
import { enqueueBuild } from './build-feed.ts';
import { feedLimits } from './feed-limits.ts';
import { followGraphQuery } from '../graph/follow-graph.ts';
import { tagGraphQuery } from '../graph/tag-graph.ts';
import { insertEntries, lockFeed, reportChange, setCompleteFrom } from './feed-tables.ts';
import type { EntryRow } from '../graph/walk-sources.ts';

/** A change of what an account wants to see or may see. */
interface FeedChange {
  readonly accountId: AccountId;
  /** Account, list members or hashtag whose statuses may belong in the feed now. */
  readonly targetAccountId?: AccountId;
  readonly memberIds?: readonly AccountId[];
  readonly tagId?: TagId;
}

/**
 * Reconciles a home feed with the relationships of its owner: deletes entries that no longer belong in it, and inserts
 * statuses of the changed accounts and hashtag that do. Reads the tables, so the order of the jobs does not matter.
 */
export async function reconcileHomeFeed(app: App, change: FeedChange): Promise<void> {
  const { accountId, targetAccountId, memberIds = [], tagId } = change;
  const authors = targetAccountId === undefined ? memberIds : [targetAccountId];
  await transaction(app, async (tx) => {
    const completeFrom = await lockFeed(tx, { kind: 'home', id: accountId });
    if (completeFrom === undefined || completeFrom === maxId) return;
    await deleteExcludedEntries(app, tx, sql`entry.account_id = ${accountId}::bigint`);
    const range = {
      accountId,
      after: addToId(completeFrom, -1n),
      before: maxId,
      count: feedLimits(app).maxBackfilledEntries,
      now: app.clock.now(),
    };
    if (authors.length > 0) await backfillEntries(tx, range, followGraphQuery('desc', { ...range, authors }));
    if (tagId !== undefined) await backfillEntries(tx, range, tagGraphQuery('desc', { ...range, tags: [tagId] }));
    reportChange(tx, { kind: 'home', id: accountId });
  });
}

/** Reconciles the home feeds of both accounts of a block, which ends follows in both directions. */
export async function reconcileBothHomeFeeds(
  app: App,
  { accountId, targetAccountId }: { readonly accountId: AccountId; readonly targetAccountId: AccountId },
): Promise<void> {
  await reconcileHomeFeed(app, { accountId, targetAccountId });
  await reconcileHomeFeed(app, { accountId: targetAccountId, targetAccountId: accountId });
}

/** Deletes edited statuses from home feeds in which they no longer belong: they lost a followed hashtag. */
export async function reconcileEditedStatuses(app: App, statusIds: readonly StatusId[]): Promise<void> {
  await transaction(app, async (tx) => {
    const removed = await deleteExcludedEntries(app, tx, sql`entry.status_id = any(${statusIds}::bigint[])`);
    for (const statusId of removed) tx.emit(statusRemoved({ statusId }));
  });
}

/** Returns the statuses that were in any of the feeds. */
async function deleteExcludedEntries(app: App, { db }: Transaction, chosen: RawBuilder<unknown>): Promise<StatusId[]> {
  const { rows } = await sql<{ id: StatusId }>`
    with excluded as (
      delete from home_feed entry
      where ${chosen} and not exists (
        select 1 from statuses s ${involvedAccounts}
        where s.id = entry.status_id and (s.account_id = entry.account_id or exists (
          select 1 from follows f
          where f.account_id = entry.account_id and f.target_account_id = s.account_id
            and not ${isInExclusiveList(sql`s.account_id`)} and ${belongsInHome(app.clock.now())}
        ) or exists (
          select 1 from tag_follows f join status_tags st on st.tag_id = f.tag_id
          where f.account_id = entry.account_id and st.status_id = s.id and ${belongsInHomeByTag(app.clock.now())})))
      returning entry.status_id
    )
    select distinct status_id as id from excluded`.execute(db);
  return rows.map(({ id }) => id);
}

/** Inserts the rows of a query. If there may be more than its limit, the feed is complete only from the oldest row on. */
async function backfillEntries(
  tx: Transaction,
  { accountId, count }: { readonly accountId: AccountId; readonly count: number },
  query: RawBuilder<EntryRow>,
): Promise<void> {
  const { rows } = await query.execute(tx.db);
  await insertEntries(tx, { kind: 'home', id: accountId }, rows);
  const oldest = rows.at(-1);
  if (rows.length === count && oldest !== undefined)
    await setCompleteFrom(tx, { kind: 'home', id: accountId }, oldest.id);
}

/** Queues a rebuild of a home feed, for changes that let statuses of any age back into it. */
export async function rebuildHomeFeed(app: App, { accountId }: { accountId: AccountId }): Promise<void> {
  await transaction(app, async (tx) => {
    const feed = { kind: 'home', id: accountId } as const;
    const completeFrom = await lockFeed(tx, feed);
    if (completeFrom === undefined || completeFrom === maxId) return;
    await setCompleteFrom(tx, feed, maxId);
    reportChange(tx, feed);
    await enqueueBuild(tx, app, feed);
  });
}
