import { findMissingFiles, findMissingPreview, type MissingPreview } from '../media/usage/index.ts';
import { transaction, type Transaction } from '../platform/database/transaction.ts';
import type { MediaId } from '../platform/ids.ts';
import { nextCursor, type Check } from './checks.ts';

const pageSize = 500;

export const missingFiles: Check = {
  name: 'missing-files',
  description:
    'Attachments whose file is not in the storage (repaired if an image only lacks its preview; else restore it)',
  async examine(app, after) {
    const { ids, incomplete } = await findMissingFiles(app, after as MediaId, pageSize);
    return { wrong: incomplete, next: nextCursor(ids, pageSize) };
  },
  async repairOne(app, id) {
    const media = await findMissingPreview(app, id as MediaId);
    return media !== undefined && transaction(app, (tx) => removePreview(tx, media));
  },
};

/**
 * Lets an image be shown instead of its preview; in cached posts within a minute. Returns false if another preview was
 * stored.
 */
async function removePreview({ db }: Transaction, { id, key }: MissingPreview): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('media_attachments')
    .set({ preview_key: null })
    .where('id', '=', id)
    .where('preview_key', '=', key)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
