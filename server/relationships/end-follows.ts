import { sql } from 'kysely';
import { adjustAccountStats, type StatsDelta } from '../accounts/index.ts';
import type { Write } from '../platform/database/write.ts';
import type { AccountId, RowId } from '../platform/ids.ts';
import { accountUnfollowed, followerRemoved, followRequestRejected, relationsChanged } from './events.ts';

/** Who follows whom. */
export interface FollowPair {
  readonly accountId: AccountId;
  readonly targetId: AccountId;
}

/** A follow or a request that was there and is gone. */
export interface EndedFollow {
  readonly kind: 'follow' | 'request';
  readonly id: RowId;
  readonly account_id: AccountId;
  readonly target_account_id: AccountId;
  readonly uri: string | null;
  /** Whether the follower is of this server. */
  readonly local: boolean;
}

/** The same as the events about follows carry it. */
export function followFacts(ended: Omit<EndedFollow, 'kind' | 'local'>) {
  return {
    followId: ended.id,
    accountId: ended.account_id,
    targetAccountId: ended.target_account_id,
    followUri: ended.uri,
  };
}

/**
 * Removes the follows and requests of these pairs, counters and endorsements with them; gives what there was. Requests
 * go first: one that is being accepted meanwhile is then found among the follows.
 */
export async function endFollows(
  write: Write,
  pairs: readonly FollowPair[],
  kinds: readonly EndedFollow['kind'][] = ['request', 'follow'],
): Promise<EndedFollow[]> {
  const requests = kinds.includes('request') ? await remove(write, 'follow_requests', pairs) : [];
  const follows = kinds.includes('follow') ? await remove(write, 'follows', pairs) : [];
  if (follows.length > 0) {
    await remove(write, 'endorsements', pairs);
    await adjustAccountStats(write, deltasOf(follows, -1));
  }
  const ended = [
    ...requests.map((row) => ({ kind: 'request' as const, ...row })),
    ...follows.map((row) => ({ kind: 'follow' as const, ...row })),
  ];
  if (ended.length > 0) for (const id of idsOf(ended)) write.emit(relationsChanged({ accountId: id }));
  return ended;
}

type Removed = Omit<EndedFollow, 'kind'>;

async function remove(
  write: Write,
  table: 'follows' | 'follow_requests' | 'endorsements',
  pairs: readonly FollowPair[],
): Promise<Removed[]> {
  const uri = table === 'endorsements' ? sql`null::text` : sql`gone.uri`;
  const { rows } = await sql<Removed>`
    delete from ${sql.table(table)} as gone
    using unnest(
      ${pairs.map(({ accountId }) => accountId)}::bigint[], ${pairs.map(({ targetId }) => targetId)}::bigint[]
    ) as pair(account_id, target_account_id)
    where gone.account_id = pair.account_id and gone.target_account_id = pair.target_account_id
    returning gone.id, gone.account_id, gone.target_account_id, ${uri} as uri,
      (select domain is null from accounts where id = gone.account_id) as local`.execute(write.db);
  return rows;
}

/** How counters change when these follows begin (1) or end (-1). */
export function deltasOf(
  follows: readonly Pick<EndedFollow, 'account_id' | 'target_account_id' | 'local'>[],
  sign: 1 | -1,
): StatsDelta[] {
  return follows.flatMap((row) => [
    { accountId: row.account_id, following: sign },
    { accountId: row.target_account_id, followers: sign, localFollowers: row.local ? sign : 0 },
  ]);
}

/** Both sides of these follows, each once. */
export function idsOf(
  follows: readonly { readonly account_id: AccountId; readonly target_account_id: AccountId }[],
): AccountId[] {
  return [...new Set(follows.flatMap((row) => [row.account_id, row.target_account_id]))];
}

/** What the end of a follow is, seen from the one who blocks: its own it gives up, the other's it takes away. */
export function emitEnd(write: Write, blocker: AccountId, ended: EndedFollow): void {
  const facts = followFacts(ended);
  if (ended.account_id === blocker) write.emit(accountUnfollowed(facts));
  else if (ended.kind === 'request') write.emit(followRequestRejected(facts));
  else write.emit(followerRemoved(facts));
}
