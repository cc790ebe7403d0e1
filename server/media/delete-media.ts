import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { unprocessable } from '../platform/http/http-errors.ts';
import type { AccountId, MediaId } from '../platform/ids.ts';
import { isAttachedOrScheduled, lockUploadedMedia } from './upload/uploaded-media.ts';
import { fileKeysOf, deleteFiles } from './stored-files.ts';
import { writable } from './tables.ts';

/** Deletes an unposted file. Throws 422 if a status uses it, even a scheduled one. A draft loses it. */
export async function deleteMedia(app: App, accountId: AccountId, id: MediaId): Promise<void> {
  await transaction(app, async (tx) => {
    const row = await lockUploadedMedia(tx, accountId, id);
    if (isAttachedOrScheduled(row)) throw unprocessable('media.attachmentInUse');
    await writable(tx.db).deleteFrom('media_attachments').where('id', '=', row.id).execute();
    tx.enqueue(deleteFiles({ keys: fileKeysOf([row]) }));
  });
}
