import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { MediaId } from '../../platform/ids.ts';
import { writable } from '../tables.ts';
import { areStored } from './find-missing-files.ts';

/**
 * Lets a local image be shown instead of its preview if only that is not stored; in cached posts within a minute. Returns
 * whether it was changed.
 */
export async function removeMissingPreview(app: App, id: MediaId): Promise<boolean> {
  const row = await app.db
    .selectFrom('media_attachments')
    .select(['type', 'file_key', 'preview_key'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row?.type !== 'image' || row.file_key === null || row.preview_key === null) return false;
  const { file_key: file, preview_key: preview } = row;
  if (!(await areStored(app, [file])) || (await areStored(app, [preview]))) return false;
  return transaction(app, async ({ db }) => {
    const { numUpdatedRows } = await writable(db)
      .updateTable('media_attachments')
      .set({ preview_key: null })
      .where('id', '=', id)
      .where('preview_key', '=', preview)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
}
