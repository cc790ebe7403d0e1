import { sql, type RawBuilder } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/database/transaction.ts';
import type { AccountId, StatusId, TagId } from '../platform/ids.ts';
import { belongsInHome, involvedAccounts, isInExclusiveList } from './belongs-in-home.ts';
import { buildHomeFeed } from './build-feed.ts';
import { feedLimits } from './feed-limits.ts';
import { maxId } from './page-filler.ts';
import { followGraphQuery } from './follow-graph.ts';
import { belongsInHomeByTag, tagGraphQuery } from './followed-tags.ts';
import { insertEntries, lockFeed, setCompleteFrom } from './feed-tables.ts';
import type { EntryRow } from './walk-sources.ts';

/** Whose posts, and those with which hashtags, may have to be brought into a feed. */
interface FeedChange {
  readonly accountId: AccountId;
  readonly authors?: readonly AccountId[];
  readonly tags?: readonly TagId[];
}

interface AccountPair {
  readonly accountId: AccountId;
  readonly targetAccountId: AccountId;
}

/**
 * Makes the feed of `accountId` agree with how it stands to others now: removes what no longer belongs in it, and brings
 * what does of these authors and hashtags. Asks the tables and not the event, so that the order of the jobs does not
 * matter.
 */
export async function reconcileFeed(app: App, { accountId, authors = [], tags = [] }: FeedChange): Promise<void> {
  await transaction(app, async (tx) => {
    const horizon = await lockFeed(tx, { kind: 'home', id: accountId });
    if (horizon === undefined || horizon === maxId) return;
    await deleteExcludedOfAccount(app, tx, accountId);
    const after = String(BigInt(horizon) - 1n) as StatusId;
    const stretch = {
      accountId,
      after,
      before: maxId,
      count: feedLimits(app).maxBackfilledEntries,
      now: app.clock.now(),
    };
    if (authors.length > 0) await backfillEntries(tx, stretch, followGraphQuery('desc', { ...stretch, authors }));
    if (tags.length > 0) await backfillEntries(tx, stretch, tagGraphQuery('desc', { ...stretch, tags }));
  });
}

/** Removes from a feed what no longer belongs in it. */
export const reconcileOwnFeed = (app: App, { accountId }: { accountId: AccountId }): Promise<void> =>
  reconcileFeed(app, { accountId });

/** Aligns a feed after a change between its owner and one other account. */
export const reconcileFeedWith = (app: App, { accountId, targetAccountId }: AccountPair): Promise<void> =>
  reconcileFeed(app, { accountId, authors: [targetAccountId] });

/** Aligns the feeds of both with each other, for what ends follows in both directions. */
export async function reconcileBothFeeds(app: App, { accountId, targetAccountId }: AccountPair): Promise<void> {
  await reconcileFeedWith(app, { accountId, targetAccountId });
  await reconcileFeedWith(app, { accountId: targetAccountId, targetAccountId: accountId });
}

async function deleteExcludedOfAccount(app: App, tx: Transaction, accountId: AccountId): Promise<void> {
  await deleteExcludedEntries(app, tx, sql`entry.account_id = ${accountId}::bigint`);
}

/** Takes statuses that were edited out of the feeds where they no longer belong: a followed hashtag brought them there. */
export async function reconcileEditedStatuses(app: App, statusIds: readonly StatusId[]): Promise<void> {
  await transaction(app, (tx) => deleteExcludedEntries(app, tx, sql`entry.status_id = any(${statusIds}::bigint[])`));
}

async function deleteExcludedEntries(app: App, { db }: Transaction, chosen: RawBuilder<unknown>): Promise<void> {
  await sql`
    delete from home_feed entry
    where ${chosen} and not exists (
      select 1 from statuses s ${involvedAccounts}
      where s.id = entry.status_id and (s.account_id = entry.account_id or exists (
        select 1 from follows f
        where f.account_id = entry.account_id and f.target_account_id = s.account_id
          and not ${isInExclusiveList(sql`s.account_id`)} and ${belongsInHome(app.clock.now())}
      ) or exists (
        select 1 from tag_follows f join status_tags st on st.tag_id = f.tag_id
        where f.account_id = entry.account_id and st.status_id = s.id and ${belongsInHomeByTag(app.clock.now())})))`.execute(
    db,
  );
}

/** When there is more than is brought, the feed is complete only from the oldest post that was brought. */
async function backfillEntries(
  tx: Transaction,
  { accountId, count }: { accountId: AccountId; count: number },
  query: RawBuilder<EntryRow>,
): Promise<void> {
  const { rows } = await query.execute(tx.db);
  await insertEntries(tx, { kind: 'home', id: accountId }, rows);
  const oldest = rows.at(-1);
  if (rows.length === count && oldest !== undefined)
    await setCompleteFrom(tx, { kind: 'home', id: accountId }, oldest.id);
}

/** Brings back all that was kept out of a feed because of an account: a new one is built in place of the old. */
export async function rebuildHomeFeed(app: App, { accountId }: { accountId: AccountId }): Promise<void> {
  await transaction(app, async (tx) => {
    const horizon = await lockFeed(tx, { kind: 'home', id: accountId });
    if (horizon === undefined || horizon === maxId) return;
    await setCompleteFrom(tx, { kind: 'home', id: accountId }, maxId);
    tx.enqueue(buildHomeFeed({ accountId }));
  });
}
