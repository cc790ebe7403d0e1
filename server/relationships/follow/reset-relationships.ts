import { findAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { accountUnfollowed, followerRemoved } from '../events.ts';
import { deleteFollows, toFollowPayload, type FollowPair } from './delete-follows.ts';

/** Pairs per transaction. */
const batchSize = 100;

export interface RelationshipReset {
  readonly accountId: AccountId;
  /** `follows`: the accounts that it follows, and its requests; `followers`: those that follow it. */
  readonly side: 'follows' | 'followers';
  /** Called with the number of follows that a batch ended. */
  readonly onBatch?: ((ended: number) => void) | undefined;
}

/**
 * Ends all follows of a local account, or all follows by others, as if it had unfollowed or removed each: other servers are
 * told. Returns how many. Follows that begin meanwhile end too. Throws 404 if there is no such account.
 */
export async function resetRelationships(
  app: App,
  staff: Staff,
  { accountId, side, onBatch }: RelationshipReset,
): Promise<number> {
  const account = await findAccount(app, accountId);
  if (account === undefined || account.domain !== null) throw notFound();
  await transaction(app, async (tx) =>
    recordStaffAction(tx, staff, {
      target: 'account',
      verb: side === 'follows' ? 'reset_follows' : 'reset_followers',
      id: accountId,
      label: account.username,
    }),
  );
  let total = 0;
  for (let ended = await endBatch(app, accountId, side); ended > 0; ended = await endBatch(app, accountId, side)) {
    total += ended;
    onBatch?.(ended);
  }
  return total;
}

const endBatch = (app: App, accountId: AccountId, side: RelationshipReset['side']): Promise<number> =>
  transaction(app, async (tx) => {
    const pairs = await listPairs(tx, accountId, side);
    const ended = await deleteFollows(tx, pairs, side === 'follows' ? ['request', 'follow'] : ['follow']);
    const event = side === 'follows' ? accountUnfollowed : followerRemoved;
    for (const follow of ended) tx.emit(event(toFollowPayload(follow)));
    return ended.length;
  });

async function listPairs(
  { db }: Transaction,
  accountId: AccountId,
  side: RelationshipReset['side'],
): Promise<FollowPair[]> {
  const follows = db
    .selectFrom('follows')
    .select(['account_id as accountId', 'target_account_id as targetId'])
    .where(side === 'follows' ? 'account_id' : 'target_account_id', '=', accountId)
    .limit(batchSize);
  if (side === 'followers') return follows.execute();
  const requests = db
    .selectFrom('follow_requests')
    .select(['account_id as accountId', 'target_account_id as targetId'])
    .where('account_id', '=', accountId)
    .limit(batchSize);
  return [...(await requests.execute()), ...(await follows.execute())];
}
