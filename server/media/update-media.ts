import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import type { UploadedFile } from '../platform/http/parse-params.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId, MediaId } from '../platform/ids.ts';
import { storeCover, type StoredCover } from './upload/cover.ts';
import { isAttachedOrScheduled, lockUploadedMedia, requireUnattachedMedia } from './upload/uploaded-media.ts';
import { parseDescription, parseFocus, type Focus } from './upload/parse-upload.ts';
import { deleteFiles } from './stored-files.ts';
import { writable, type MediaRow } from './tables.ts';

/** Changes of an attachment. Undefined members stay as they are. */
export interface MediaChanges {
  readonly description?: string | undefined;
  /** `x,y`, each from -1 to 1; a text without a valid point removes the focus. */
  readonly focus?: string | undefined;
  /** Replaces the preview of a video or audio file; images have their own. */
  readonly thumbnail?: UploadedFile | undefined;
}

/**
 * Changes the metadata of a file before it is posted (MED-02). Throws 404 for an attached file or one of another
 * account.
 */
export async function updateMedia(
  app: App,
  accountId: AccountId,
  id: MediaId,
  changes: MediaChanges,
): Promise<MediaRow> {
  const { type } = await requireUnattachedMedia(app, accountId, id);
  const words = parseMediaChanges(app, changes);
  const cover =
    changes.thumbnail === undefined || type === 'image'
      ? undefined
      : await storeCover(app, accountId, changes.thumbnail);
  try {
    return await transaction(app, async (tx) => {
      const row = await lockUploadedMedia(tx, accountId, id);
      if (isAttachedOrScheduled(row)) throw notFound();
      return applyChanges(tx, row, { ...words, ...(cover !== undefined && { cover }) });
    });
  } catch (error) {
    if (cover !== undefined) await app.storage.delete(cover.key);
    throw error;
  }
}

/** Changes as stored. */
export interface ParsedMediaChanges {
  readonly description?: string | null;
  readonly focus?: Focus | undefined;
  readonly cover?: StoredCover;
}

/** Parses the texts among the changes. Throws 422 for a description that is too long. */
export function parseMediaChanges(app: App, { description, focus }: MediaChanges): ParsedMediaChanges {
  return {
    ...(description !== undefined && { description: parseDescription(app, description) }),
    ...(focus !== undefined && { focus: parseFocus(focus) }),
  };
}

/** Stores changes to a row that the transaction has locked. */
export async function applyChanges(tx: Transaction, row: MediaRow, changes: ParsedMediaChanges): Promise<MediaRow> {
  const { cover } = changes;
  const meta = { ...row.meta };
  if ('focus' in changes) {
    if (changes.focus === undefined) delete meta.focus;
    else meta.focus = changes.focus;
  }
  if (cover !== undefined) Object.assign(meta, cover.meta);
  if (cover !== undefined && row.preview_key !== null) tx.enqueue(deleteFiles({ keys: [row.preview_key] }));
  return writable(tx.db)
    .updateTable('media_attachments')
    .set({
      ...(changes.description !== undefined && { description: changes.description }),
      ...(cover !== undefined && { preview_key: cover.key, blurhash: cover.blurhash }),
      meta: Object.keys(meta).length === 0 ? null : JSON.stringify(meta),
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
