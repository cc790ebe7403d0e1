import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import { unprocessable } from '../platform/http/problems.ts';
import type { AccountId, MediaId } from '../platform/ids.ts';
import { isTaken, lockOwnMedia } from './own-media.ts';
import { keysOf, removeFiles } from './stored-files.ts';

/** Deletes a file that is not posted; 422 when a status, perhaps a scheduled one, carries it. */
export async function deleteMedia(app: App, accountId: AccountId, id: MediaId): Promise<void> {
  await write(app, async (transaction) => {
    const row = await lockOwnMedia(transaction, accountId, id);
    if (isTaken(row)) throw unprocessable('Media attachment is currently used by a status');
    await transaction.db.deleteFrom('media_attachments').where('id', '=', row.id).execute();
    transaction.enqueue(removeFiles({ keys: keysOf([row]) }));
  });
}
