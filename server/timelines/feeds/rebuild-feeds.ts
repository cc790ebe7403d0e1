import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { buildFeed } from './build-feed.ts';
import type { FeedRef } from './feed-tables.ts';

/** Feeds whose ids are loaded at once. */
const batchSize = 500;

/** An account whose home feed and lists are rebuilt. */
export interface FeedOwner {
  readonly accountId: AccountId;
  readonly acct: string;
}

const storedFeeds = (owner: FeedOwner | undefined) => sql`
  select 'home' as kind, account_id as id from home_feed_states
  where ${owner?.accountId ?? null}::bigint is null or account_id = ${owner?.accountId ?? null}::bigint
  union all
  select 'list', list_id from list_feed_states
  where ${owner?.accountId ?? null}::bigint is null
    or list_id in (select id from lists where account_id = ${owner?.accountId ?? null}::bigint)`;

/** Counts the stored feeds of an account, or of all. Others are built when they are read. */
export async function countStoredFeeds({ db }: App, owner?: FeedOwner): Promise<number> {
  const { rows } = await sql<{ feeds: number }>`
    select count(*)::int as feeds from (${storedFeeds(owner)}) feed`.execute(db);
  return rows[0]?.feeds ?? 0;
}

/**
 * Rebuilds the stored feeds of an account, or of all, one after the other in this process: as jobs they would delay the
 * fan-out of new posts. Reports the number of rebuilt feeds, and returns it.
 */
export async function rebuildStoredFeeds(
  app: App,
  staff: Staff,
  { owner, progress }: { readonly owner?: FeedOwner | undefined; readonly progress?: (rebuilt: number) => void },
): Promise<number> {
  await transaction(app, async (tx) =>
    recordStaffAction(tx, staff, {
      target: 'feed',
      verb: 'rebuild',
      id: owner?.accountId,
      label: owner === undefined ? 'all' : owner.acct,
    }),
  );
  let rebuilt = 0;
  for (let feeds = await listBatch(app, owner); feeds.length > 0; feeds = await listBatch(app, owner, feeds.at(-1))) {
    for (const feed of feeds) {
      await buildFeed(app, feed);
      rebuilt += 1;
      progress?.(rebuilt);
    }
  }
  return rebuilt;
}

async function listBatch({ db }: App, owner: FeedOwner | undefined, after?: FeedRef): Promise<FeedRef[]> {
  const { rows } = await sql<FeedRef>`
    select kind, id from (${storedFeeds(owner)}) feed
    where (kind, id) > (${after?.kind ?? ''}::text, ${after?.id ?? '0'}::bigint)
    order by kind, id limit ${batchSize}`.execute(db);
  return rows;
}
