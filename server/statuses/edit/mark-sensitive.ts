import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { StatusId } from '../../platform/ids.ts';
import { statusChanged, statusEdited } from '../events.ts';
import { writable } from '../tables.ts';
import { lockStatus, storeFirstVersion, storeVersion, type StoredStatus } from './store-edit.ts';

/**
 * Marks a post with media or a preview card as sensitive for staff, or undoes that. For a local post it is an edit,
 * which other servers get. A remote post changes on this server only, until its author edits it. A content warning keeps a
 * post sensitive. Returns false if nothing changed.
 */
export async function setStatusSensitive(
  tx: Transaction,
  app: App,
  statusId: StatusId,
  sensitive: boolean,
): Promise<boolean> {
  const status = await lockStatus(tx, statusId);
  if (status === undefined) return false;
  const { local, account_id: accountId } = status;
  const value = sensitive || status.spoiler_text !== '';
  if (status.sensitive === value || (value && !(await hasMediaOrCard(tx, status)))) return false;
  if (local) await storeFirstVersion(tx, app, statusId);
  await writable(tx.db)
    .updateTable('statuses')
    .set({ sensitive: value, ...(local && { edited_at: app.clock.now() }) })
    .where('id', '=', statusId)
    .execute();
  tx.emit(statusChanged({ statusId }));
  if (local) {
    await storeVersion(tx, app, statusId);
    tx.emit(statusEdited({ statusId, accountId, local }));
  }
  return true;
}

async function hasMediaOrCard({ db }: Transaction, { id, has_media: hasMedia }: StoredStatus): Promise<boolean> {
  if (hasMedia) return true;
  const card = await db.selectFrom('status_cards').select('card_id').where('status_id', '=', id).executeTakeFirst();
  return card !== undefined;
}
