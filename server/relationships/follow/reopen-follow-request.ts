import { sql } from 'kysely';
import { adjustAccountStats } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { toStatsDeltas, toFollowPayload, accountIdsOf, type DeletedFollow } from './delete-follows.ts';
import { followerRemoved, relationsChanged } from '../events.ts';

/**
 * Turns a follow back into a request with the same options and id, because the target undid its Accept. Returns
 * false if there is no such follow.
 */
export function reopenFollowRequest(app: App, targetId: AccountId, accountId: AccountId): Promise<boolean> {
  return transaction(app, async (tx) => {
    const { rows } = await sql<Omit<DeletedFollow, 'kind'>>`
      with ended as (
        delete from follows where account_id = ${accountId}::bigint and target_account_id = ${targetId}::bigint
        returning *
      ), unendorsed as (
        delete from endorsements where account_id = ${accountId}::bigint and target_account_id = ${targetId}::bigint
          and exists (select from ended)
      ), reopened as (
        insert into follow_requests (id, account_id, target_account_id, show_reblogs, notify, languages, uri, created_at)
        select id, account_id, target_account_id, show_reblogs, notify, languages, uri, ${app.clock.now()}::timestamptz
        from ended on conflict (account_id, target_account_id) do nothing
      )
      select id, account_id, target_account_id, uri,
        (select domain is null from accounts where id = ended.account_id) as local
      from ended`.execute(tx.db);
    if (rows.length === 0) return false;
    adjustAccountStats(tx, toStatsDeltas(rows, -1));
    for (const row of rows) tx.emit(followerRemoved(toFollowPayload(row)));
    for (const id of accountIdsOf(rows)) tx.emit(relationsChanged({ accountId: id }));
    return true;
  });
}
