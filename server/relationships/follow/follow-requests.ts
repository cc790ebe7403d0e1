import { sql } from 'kysely';
import { adjustAccountStats } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { toStatsDeltas, deleteFollows, toFollowPayload, accountIdsOf, type DeletedFollow } from './delete-follows.ts';
import { accountFollowed, followRequestRejected, relationsChanged } from '../events.ts';

/**
 * Lets `accountId`, who asked for it, follow `targetId`; false when there is no such request (any more). Serves local
 * people who approve, and the Accept of another server.
 */
export function acceptFollowRequest(app: App, targetId: AccountId, accountId: AccountId): Promise<boolean> {
  return transaction(app, async (tx) => (await acceptFollowRequests(tx, app, targetId, [accountId])) > 0);
}

/** Rejects a request. Returns false if there is none. */
export function rejectFollowRequest(app: App, targetId: AccountId, accountId: AccountId): Promise<boolean> {
  return transaction(app, async (tx) => {
    const ended = await deleteFollows(tx, [{ accountId, targetId }], ['request']);
    for (const request of ended) tx.emit(followRequestRejected(toFollowPayload(request)));
    return ended.length > 0;
  });
}

/** Turns the requests of these accounts into follows with the same options. Returns how many there were. */
export async function acceptFollowRequests(
  tx: Transaction,
  app: App,
  targetId: AccountId,
  accountIds: readonly AccountId[],
): Promise<number> {
  // A remote server knows the Follow activity by the request's id, which an Undo has to name. A local target gets a new
  // id, so that the follower is listed first.
  const ids = accountIds.map(() => newId<'row'>(app.clock.now()));
  const { rows } = await sql<Omit<DeletedFollow, 'kind'>>`
    with answered as (
      delete from follow_requests where target_account_id = ${targetId}::bigint
        and account_id = any(${accountIds}::bigint[]) returning *
    )
    insert into follows (id, account_id, target_account_id, show_reblogs, notify, languages, uri, created_at)
    select case when target.domain is null then fresh.id else answered.id end, answered.account_id, target_account_id, show_reblogs, notify, languages, answered.uri,
      ${app.clock.now()}::timestamptz
    from answered join unnest(${ids}::bigint[], ${accountIds}::bigint[]) as fresh(id, account_id)
      on fresh.account_id = answered.account_id
    join accounts as target on target.id = answered.target_account_id
    on conflict (account_id, target_account_id) do nothing
    returning id, account_id, target_account_id, uri,
      (select domain is null from accounts where id = follows.account_id) as local`.execute(tx.db);
  if (rows.length === 0) return 0;
  adjustAccountStats(tx, toStatsDeltas(rows, 1));
  for (const row of rows) {
    tx.emit(accountFollowed(toFollowPayload(row)));
  }
  for (const id of accountIdsOf(rows)) tx.emit(relationsChanged({ accountId: id }));
  return rows.length;
}
