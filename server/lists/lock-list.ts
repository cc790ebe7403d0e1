import type { Transaction } from '../platform/write/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId, ListId } from '../platform/ids.ts';
import type { List } from './schema.ts';

/**
 * Returns a list, locked until the transaction ends: `update` to change the list itself, `share` to change its members.
 * Throws 404 if it does not belong to the account.
 */
export async function lockList(
  { db }: Transaction,
  accountId: AccountId,
  id: ListId,
  lock: 'update' | 'share',
): Promise<List> {
  const query = db
    .selectFrom('lists')
    .select(['id', 'title', 'replies_policy', 'exclusive'])
    .where('id', '=', id)
    .where('account_id', '=', accountId);
  return (lock === 'update' ? query.forUpdate() : query.forShare()).executeTakeFirstOrThrow(() => notFound());
}
