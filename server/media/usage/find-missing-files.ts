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

export async function areStored(app: App, keys: readonly string[]): Promise<boolean> {
  for (const key of keys) if ((await app.storage.get(key, { start: 0, end: -1 })) === undefined) return false;
  return true;
}

/** Leaves out attachments that were deleted in the meantime, with their files. */
async function withoutDeleted(app: App, ids: readonly MediaId[]): Promise<MediaId[]> {
  if (ids.length === 0) return [];
  const rows = await app.db.selectFrom('media_attachments').select('id').where('id', 'in', ids).orderBy('id').execute();
  return rows.map(({ id }) => id);
}
