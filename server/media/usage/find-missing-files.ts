import type { App } from '../../platform/app.ts';
import type { MediaId } from '../../platform/ids.ts';
import { fileKeysOf } from '../stored-files.ts';

/** Files whose existence is checked at a time. */
const concurrency = 8;

/** A page of attachments. */
export interface ExaminedMedia {
  readonly ids: readonly MediaId[];
  /** Those whose files are not stored completely. */
  readonly incomplete: readonly MediaId[];
}

/**
 * Examines the attachments after an id: whether the storage has the files that processed ones refer to. It asks for their
 * size only.
 */
export async function findMissingFiles(app: App, after: MediaId, limit: number): Promise<ExaminedMedia> {
  const rows = await app.db
    .selectFrom('media_attachments')
    .select(['id', 'file_key', 'preview_key', 'source_key', 'state'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  const incomplete: MediaId[] = [];
  const waiting = rows.values();
  const examineNext = async (): Promise<void> => {
    for (const row of waiting) {
      if (row.state === 'ready' && !(await areStored(app, fileKeysOf([row])))) incomplete.push(row.id);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, examineNext));
  return { ids: rows.map(({ id }) => id), incomplete: await withoutDeleted(app, incomplete) };
}

async function areStored(app: App, keys: readonly string[]): Promise<boolean> {
  for (const key of keys) if ((await app.storage.get(key, { start: 0, end: -1 })) === undefined) return false;
  return true;
}

/** Leaves out attachments that were deleted in the meantime, with their files. */
async function withoutDeleted(app: App, ids: readonly MediaId[]): Promise<MediaId[]> {
  if (ids.length === 0) return [];
  const rows = await app.db.selectFrom('media_attachments').select('id').where('id', 'in', ids).orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** An image whose preview is lost. */
export interface MissingPreview {
  readonly id: MediaId;
  readonly key: string;
}

/** Returns the preview of a local image if only that is not stored. */
export async function findMissingPreview(app: App, id: MediaId): Promise<MissingPreview | undefined> {
  const row = await app.db
    .selectFrom('media_attachments')
    .select(['type', 'file_key', 'preview_key'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row?.type !== 'image' || row.file_key === null || row.preview_key === null) return undefined;
  const { file_key: file, preview_key: key } = row;
  return (await areStored(app, [file])) && !(await areStored(app, [key])) ? { id, key } : undefined;
}
