import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { accountChanged, accountDeleted } from '../events.ts';
import { deleteReplacedImages } from '../profile/delete-replaced-images.ts';
import { writable } from '../tables.ts';

/** Runs `markDeleted` in a new transaction. */
export async function deleteAccount(app: App, accountId: AccountId): Promise<void> {
  await transaction(app, (tx) => markDeleted(tx, app, accountId));
}

/**
 * Deletes an account permanently and empties its profile. Other domains delete their data of it on `accountDeleted`. The
 * row stays without content. Returns false if it was deleted before.
 */
export async function markDeleted(tx: Transaction, app: App, accountId: AccountId): Promise<boolean> {
  const before = await tx.db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (before === undefined) return false;
  const noImages = { avatar_key: null, avatar_static_key: null, header_key: null, header_static_key: null };
  const now = app.clock.now();
  await writable(tx.db)
    .updateTable('accounts')
    .set({
      display_name: '',
      note: '',
      fields: '[]',
      avatar_remote_url: null,
      header_remote_url: null,
      avatar_description: '',
      header_description: '',
      also_known_as: [],
      attribution_domains: [],
      moved_to_account_id: null,
      ...noImages,
      deleted_at: now,
      updated_at: now,
    })
    .where('id', '=', accountId)
    .execute();
  await writable(tx.db).deleteFrom('outbox_reads').where('account_id', '=', accountId).execute();
  deleteReplacedImages(tx, before, noImages);
  tx.emit(accountDeleted({ accountId }));
  tx.emit(accountChanged({ accountId }));
  return true;
}
