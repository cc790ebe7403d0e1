import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/database/transaction.ts';
import type { AccountId } from '../platform/ids.ts';

/**
 * Ends the user of an account that is gone, in the same transaction: password, address, preferences, and with it its
 * sessions, tokens and grants. Accounts of other servers have none.
 */
export async function deleteUser(
  { db }: Transaction,
  _app: App,
  { accountId }: { readonly accountId: AccountId },
): Promise<void> {
  await db.deleteFrom('users').where('account_id', '=', accountId).execute();
}
