import { accountChanged } from '../events.ts';
import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { writable } from '../tables.ts';

/** Facts from the collections of a remote account. Absent ones could not be fetched. */
export interface ActorCollectionStats {
  readonly statuses?: number | undefined;
  readonly followers?: number | undefined;
  readonly following?: number | undefined;
  /** Whether it hides its follows and followers; null if unknown. */
  readonly hidesCollections: boolean | null;
}

/** Remote counts may be any number. */
const maxCount = 1_000_000_000;

/** Stores the counters of a remote account, and when they were fetched. */
export async function storeActorCollectionStats(
  tx: Transaction,
  app: App,
  accountId: AccountId,
  { statuses, followers, following, hidesCollections }: ActorCollectionStats,
): Promise<void> {
  await writable(tx.db)
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
