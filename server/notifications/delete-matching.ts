import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../platform/write/transaction.ts';
import { countsForRequestSql, recountRequests, type RequestPair } from './requests/count-requests.ts';

/** Deletes the notifications that match a condition, and counts their requests again. Returns how many it deleted. */
export async function deleteMatching(tx: Transaction, condition: RawBuilder<boolean>): Promise<number> {
  const { rows } = await sql<{ count: number; pairs: RequestPair[] }>`
    with deleted as (
      delete from notifications where ${condition}
      returning account_id, from_account_id, ${countsForRequestSql} as counted
    )
    select count(*)::int as count,
      coalesce(
        jsonb_agg(distinct jsonb_build_array(account_id::text, from_account_id::text)) filter (where counted),
        '[]') as pairs
    from deleted`.execute(tx.db);
  const [{ count, pairs } = { count: 0, pairs: [] }] = rows;
  await recountRequests(tx, pairs);
  return count;
}
