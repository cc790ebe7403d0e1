import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/database/transaction.ts';
import type { AccountId } from '../platform/ids.ts';

/**
 * Deletes the user of a deleted account in the same transaction, with its sessions, tokens and grants. No-op for a remote
 * account.
 */
export async function deleteUser(
  { db }: Transaction,
  _app: App,
  { accountId }: { readonly accountId: AccountId },
): Promise<void> {
  await db.deleteFrom('users').where('account_id', '=', accountId).execute();
}
