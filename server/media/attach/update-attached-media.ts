import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { UploadedFile } from '../../platform/http/parse-params.ts';
import { isId, type AccountId, type StatusId } from '../../platform/ids.ts';
import { applyChanges, parseMediaChanges, type MediaChanges } from '../update-media.ts';
import { storeCover, type StoredCover } from '../upload/cover.ts';
import { deleteUnreferencedFiles } from '../stored-files.ts';
import type { MediaRow } from '../tables.ts';

/** Changes that an edit of a status makes to one of its attachments. */
export interface AttachedMediaChanges extends MediaChanges {
  readonly id: string;
}

/** New previews for files, by the ids of the files. */
export type Covers = ReadonlyMap<string, StoredCover>;

/**
 * Creates and stores the new previews of video and audio files, before the transaction that attaches them. Throws 422 for
 * an invalid thumbnail. Call `discardCovers` after the transaction, whether it succeeded or not.
 */
export async function prepareCovers(
  app: App,
  accountId: AccountId,
  changes: readonly AttachedMediaChanges[],
): Promise<Covers> {
  const wanted = new Map<string, UploadedFile>(
    changes.flatMap(({ id, thumbnail }) => (thumbnail && isId(id) ? [[id, thumbnail]] : [])),
  );
  if (wanted.size === 0) return new Map();
  const { rows } = await sql<Pick<MediaRow, 'id'>>`select id from media_attachments
    where id = any(${[...wanted.keys()]}::bigint[]) and account_id = ${accountId} and type <> 'image'
      and remote_url is null`.execute(app.db);
  const covers = new Map<string, StoredCover>();
  try {
    for (const { id } of rows) {
      const thumbnail = wanted.get(id);
      if (thumbnail !== undefined) covers.set(id, await storeCover(app, accountId, thumbnail));
    }
  } catch (error) {
    await deleteUnusedCovers(app, covers);
    throw error;
  }
  return covers;
}

/** Deletes those of these previews that no file uses. */
export async function deleteUnusedCovers(app: App, covers: Covers): Promise<void> {
  const keys = Array.from(covers.values(), ({ key }) => key);
  await deleteUnreferencedFiles(app, keys);
}

/**
 * Changes descriptions, focus and previews of files that are attached to a status, by `media_attributes` of an edit.
 * Returns the changed rows. Ignores ids of other files. Throws 422 for a description that is too long.
 */
// Transaction, app, post, changes and previews: each argument is one word at the call.
// oxlint-disable-next-line max-params
export async function updateAttachedMedia(
  tx: Transaction,
  app: App,
  statusId: StatusId,
  changes: readonly AttachedMediaChanges[],
  covers: Covers = new Map(),
): Promise<MediaRow[]> {
  const ids = changes.map(({ id }) => id).filter(isId);
  if (ids.length === 0) return [];
  const { rows } = await sql<MediaRow>`select * from media_attachments
    where id = any(${ids}::bigint[]) and status_id = ${statusId} order by id for update`.execute(tx.db);
  const changed: MediaRow[] = [];
  for (const row of rows) {
    const words = parseMediaChanges(app, changes.findLast(({ id }) => id === row.id) ?? {});
    const cover = covers.get(row.id);
    const after = await applyChanges(tx, row, { ...words, ...(cover !== undefined && { cover }) });
    if (hasChanged(row, after)) changed.push(after);
  }
  return changed;
}

const hasChanged = (before: MediaRow, after: MediaRow): boolean =>
  after.description !== before.description ||
  after.preview_key !== before.preview_key ||
  JSON.stringify(after.meta) !== JSON.stringify(before.meta);
