import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../platform/write/transaction.ts';
import type { AccountId } from '../platform/ids.ts';
import { notificationsChanged } from './events.ts';
import { countsForRequestSql, recountRequests, type RequestPair } from './requests/count-requests.ts';

/** Deletes the notifications that match a condition, and counts their requests again. Returns how many it deleted. */
export async function deleteMatching(tx: Transaction, condition: RawBuilder<boolean>): Promise<number> {
  const { rows } = await sql<{ count: number; pairs: RequestPair[]; recipients: AccountId[] }>`
    with deleted as (
      delete from notifications where ${condition}
      returning account_id, from_account_id, ${countsForRequestSql} as counted
    )
    select count(*)::int as count,
      coalesce(
        jsonb_agg(distinct jsonb_build_array(account_id::text, from_account_id::text)) filter (where counted),
        '[]') as pairs,
      coalesce(array_agg(distinct account_id), '{}') as recipients
    from deleted`.execute(tx.db);
  const [{ count, pairs, recipients } = { count: 0, pairs: [], recipients: [] }] = rows;
  if (count > 0) tx.emit(notificationsChanged({ accountIds: recipients }));
  await recountRequests(tx, pairs);
  return count;
}
