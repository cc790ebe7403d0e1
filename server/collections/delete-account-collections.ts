import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import type { AccountId } from '../platform/ids.ts';
import { writable } from './tables.ts';

/** Deletes the collections of a deleted account, and its items in others. */
export async function deleteAccountCollections(app: App, { accountId }: { accountId: AccountId }): Promise<void> {
  await transaction(app, async ({ db }) => {
    await writable(db).deleteFrom('collections').where('account_id', '=', accountId).execute();
    await writable(db).deleteFrom('collection_items').where('account_id', '=', accountId).execute();
  });
}
