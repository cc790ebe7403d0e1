import type { Transaction } from '../platform/database/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId, ListId } from '../platform/ids.ts';
import type { List } from './schema.ts';

/**
 * The list as it is and stays until the transaction ends: `update` when it is going to change itself, `share` when only
 * its members do. 404 when it is not of this account.
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
  const list = await (lock === 'update' ? query.forUpdate() : query.forShare()).executeTakeFirst();
  if (list === undefined) throw notFound();
  return list;
}
