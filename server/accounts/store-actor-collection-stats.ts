import { accountChanged } from './events.ts';
import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/database/transaction.ts';
import type { AccountId } from '../platform/ids.ts';

/** What the collections of an account of another server tell; what is missing could not be had. */
export interface ActorCollectionStats {
  readonly statuses?: number | undefined;
  readonly followers?: number | undefined;
  readonly following?: number | undefined;
  /** Whether it shows nobody whom it follows and who follows it; null when it does not tell. */
  readonly hidesCollections: boolean | null;
}

/** Counts come from others, so that any number may come. */
const maxCount = 1_000_000_000;

/** Takes over what an account of another server says of itself in numbers, and when that was. */
export async function storeActorCollectionStats(
  tx: Transaction,
  app: App,
  accountId: AccountId,
  { statuses, followers, following, hidesCollections }: ActorCollectionStats,
): Promise<void> {
  await tx.db
    .updateTable('accounts')
    .set({ hide_collections: hidesCollections, collections_fetched_at: app.clock.now() })
    .where('id', '=', accountId)
    .where('domain', 'is not', null)
    .execute();
  await sql`
    update account_stats set
      statuses_count = coalesce(${clampCount(statuses)}::int, statuses_count),
      followers_count = greatest(coalesce(${clampCount(followers)}::int, followers_count), local_followers_count),
      following_count = coalesce(${clampCount(following)}::int, following_count),
      version = version + 1
    where account_id = ${accountId}::bigint`.execute(tx.db);
  tx.emit(accountChanged({ accountId }));
}

const clampCount = (count: number | undefined): number | null =>
  count === undefined ? null : Math.min(Math.max(Math.trunc(count), 0), maxCount);
