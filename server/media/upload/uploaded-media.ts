import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/database/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId, MediaId } from '../../platform/ids.ts';
import type { MediaRow } from '../tables.ts';

/** A file of `accountId` that no status carries or will carry; 404 for any other. */
export async function requireUnattachedMedia(app: App, accountId: AccountId, id: MediaId): Promise<MediaRow> {
  const row = await selectUploadedMedia(app, accountId, id).executeTakeFirst();
  if (row === undefined || isAttachedOrScheduled(row)) throw notFound();
  return row;
}

/** The same, kept from being posted or changed by others until the transaction ends. */
export async function lockUploadedMedia({ db }: Transaction, accountId: AccountId, id: MediaId): Promise<MediaRow> {
  const row = await selectUploadedMedia({ db }, accountId, id).forUpdate().executeTakeFirst();
  if (row === undefined) throw notFound();
  return row;
}

/** Whether a status, perhaps a scheduled one, carries a file. */
export const isAttachedOrScheduled = ({ status_id, scheduled_id }: MediaRow): boolean =>
  status_id !== null || scheduled_id !== null;

function selectUploadedMedia({ db }: Pick<App, 'db'>, accountId: AccountId, id: MediaId) {
  return db
    .selectFrom('media_attachments')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('remote_url', 'is', null);
}
