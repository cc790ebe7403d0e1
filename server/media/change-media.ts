import type { App } from '../platform/app.ts';
import { write, type Write } from '../platform/database/write.ts';
import type { UploadedFile } from '../platform/http/params.ts';
import { notFound } from '../platform/http/problems.ts';
import type { AccountId, MediaId } from '../platform/ids.ts';
import { storeCover, type StoredCover } from './cover.ts';
import { isTaken, lockOwnMedia, requireFreeMedia } from './own-media.ts';
import { readDescription, readFocus, type Focus } from './read-upload.ts';
import type { MediaMeta } from './schema.ts';
import { removeFiles } from './stored-files.ts';
import type { MediaRow } from './tables.ts';

/** What may be said anew of a file; what is not named stays. */
export interface MediaChanges {
  readonly description?: string | undefined;
  /** `x,y`, each from -1 to 1; a text that names no point takes the old one away. */
  readonly focus?: string | undefined;
  /** Takes the place of the preview of a film or sound; images are their own. */
  readonly thumbnail?: UploadedFile | undefined;
}

/** Changes what is said of a file before it is posted (MED-02); 404 for one that is attached or somebody else's. */
export async function changeMedia(
  app: App,
  accountId: AccountId,
  id: MediaId,
  changes: MediaChanges,
): Promise<MediaRow> {
  const { type } = await requireFreeMedia(app, accountId, id);
  const words = readWords(app, changes);
  const cover =
    changes.thumbnail === undefined || type === 'image'
      ? undefined
      : await storeCover(app, accountId, changes.thumbnail);
  try {
    return await write(app, async (transaction) => {
      const row = await lockOwnMedia(transaction, accountId, id);
      if (isTaken(row)) throw notFound();
      return applyChanges(transaction, row, { ...words, ...(cover !== undefined && { cover }) });
    });
  } catch (error) {
    if (cover !== undefined) await app.storage.delete(cover.key);
    throw error;
  }
}

/** Changes as they are stored. */
export interface ReadChanges {
  readonly description?: string | null;
  readonly focus?: Focus | undefined;
  readonly cover?: StoredCover;
}

/** Reads the words among the changes; 422 for a description that is too long. */
export function readWords(app: App, { description, focus }: MediaChanges): ReadChanges {
  return {
    ...(description !== undefined && { description: readDescription(app, description) }),
    ...(focus !== undefined && { focus: readFocus(focus) }),
  };
}

/** Stores changes to a row that the transaction has locked. */
export async function applyChanges(write: Write, row: MediaRow, changes: ReadChanges): Promise<MediaRow> {
  const { cover } = changes;
  const meta = { ...(row.meta as MediaMeta | null) };
  if ('focus' in changes) {
    if (changes.focus === undefined) delete meta.focus;
    else meta.focus = changes.focus;
  }
  if (cover !== undefined) Object.assign(meta, cover.meta);
  if (cover !== undefined && row.preview_key !== null) write.enqueue(removeFiles({ keys: [row.preview_key] }));
  return write.db
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
