import { sql } from 'kysely';
import { adjustAccountStats, type StatsDelta } from '../../accounts/index.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, RowId } from '../../platform/ids.ts';
import { accountUnfollowed, followerRemoved, followRequestRejected, relationsChanged } from '../events.ts';

/** A follower and its target. */
export interface FollowPair {
  readonly accountId: AccountId;
  readonly targetId: AccountId;
}

/** A follow or request that was deleted. */
export interface DeletedFollow {
  readonly kind: 'follow' | 'request';
  readonly id: RowId;
  readonly account_id: AccountId;
  readonly target_account_id: AccountId;
  readonly uri: string | null;
  /** Whether the follower is local. */
  readonly local: boolean;
}

/** Converts it to the payload of follow events. */
export function toFollowPayload(follow: Omit<DeletedFollow, 'kind' | 'local'>) {
  return {
    followId: follow.id,
    accountId: follow.account_id,
    targetAccountId: follow.target_account_id,
    followUri: follow.uri,
  };
}

/**
 * Deletes the follows and requests of these pairs with their endorsements, and adjusts counters. Returns what it deleted.
 * Requests go first: one that is accepted concurrently is then found among the follows.
 */
export async function deleteFollows(
  tx: Transaction,
  pairs: readonly FollowPair[],
  kinds: readonly DeletedFollow['kind'][] = ['request', 'follow'],
): Promise<DeletedFollow[]> {
  const requests = kinds.includes('request') ? await deleteRows(tx, 'follow_requests', pairs) : [];
  const follows = kinds.includes('follow') ? await deleteRows(tx, 'follows', pairs) : [];
  if (follows.length > 0) {
    await deleteRows(tx, 'endorsements', pairs);
    adjustAccountStats(tx, toStatsDeltas(follows, -1));
  }
  const deleted = [
    ...requests.map((row) => ({ kind: 'request' as const, ...row })),
    ...follows.map((row) => ({ kind: 'follow' as const, ...row })),
  ];
  if (deleted.length > 0) for (const id of accountIdsOf(deleted)) tx.emit(relationsChanged({ accountId: id }));
  return deleted;
}

type DeletedRow = Omit<DeletedFollow, 'kind'>;

async function deleteRows(
  tx: Transaction,
  table: 'follows' | 'follow_requests' | 'endorsements',
  pairs: readonly FollowPair[],
): Promise<DeletedRow[]> {
  const uri = table === 'endorsements' ? sql`null::text` : sql`gone.uri`;
  const { rows } = await sql<DeletedRow>`
    delete from ${sql.table(table)} as gone
    using unnest(
      ${pairs.map(({ accountId }) => accountId)}::bigint[], ${pairs.map(({ targetId }) => targetId)}::bigint[]
    ) as pair(account_id, target_account_id)
    where gone.account_id = pair.account_id and gone.target_account_id = pair.target_account_id
    returning gone.id, gone.account_id, gone.target_account_id, ${uri} as uri,
      (select domain is null from accounts where id = gone.account_id) as local`.execute(tx.db);
  return rows;
}

/** Returns how counters change when these follows begin (1) or end (-1). */
export function toStatsDeltas(
  follows: readonly Pick<DeletedFollow, 'account_id' | 'target_account_id' | 'local'>[],
  sign: 1 | -1,
): StatsDelta[] {
  return follows.flatMap((row) => [
    { accountId: row.account_id, following: sign },
    { accountId: row.target_account_id, followers: sign, localFollowers: row.local ? sign : 0 },
  ]);
}

/** Returns the accounts on both sides of these follows, each once. */
export function accountIdsOf(
  follows: readonly { readonly account_id: AccountId; readonly target_account_id: AccountId }[],
): AccountId[] {
  return [...new Set(follows.flatMap((row) => [row.account_id, row.target_account_id]))];
}

/** Emits the event for a follow that a block ended: unfollowed, request rejected or follower removed. */
export function emitFollowDeleted(tx: Transaction, blocker: AccountId, follow: DeletedFollow): void {
  const facts = toFollowPayload(follow);
  if (follow.account_id === blocker) tx.emit(accountUnfollowed(facts));
  else if (follow.kind === 'request') tx.emit(followRequestRejected(facts));
  else tx.emit(followerRemoved(facts));
}
