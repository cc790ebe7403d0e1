import { setTimeout as pause } from 'node:timers/promises';
import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import { deleteMedia, maxAttachments } from '../../media/index.ts';
import { uploadMedia } from '../../media/upload/index.ts';
import type { App } from '../../platform/app.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { UploadedFile } from '../../platform/http/parse-params.ts';
import type { AccountId, MediaId } from '../../platform/ids.ts';
import { truncateText } from '../../text/index.ts';
import type { ArchivedFile } from './reading/archived-post.ts';
import { nameOf } from './reading/unpack-archive.ts';
import type { RemoteFiles } from './remote-files.ts';

/** Bytes that imported files of an account may still take. */
export interface Quota {
  remaining: number;
}

/** Returns what the imported posts of an account leave of IMPORT_QUOTA. */
export async function openQuota({ db, config }: App, accountId: AccountId): Promise<Quota> {
  const { rows } = await sql<{ size: string }>`
    select coalesce(sum(file_size), 0) as size
    from imported_statuses imported join media_attachments media on media.status_id = imported.status_id
    where imported.account_id = ${accountId}::bigint`.execute(db);
  return { remaining: config.IMPORT_QUOTA * 1_048_576 - Number(rows[0]?.size ?? 0) };
}

interface Source {
  /** Paths of unpacked files by name. */
  readonly media: ReadonlyMap<string, string>;
  /** For files that are not in the archive. */
  readonly remoteFiles: RemoteFiles;
  readonly quota: Quota;
}

/**
 * Stores the files of a post like uploads, as many as may be attached together. Returns their ids. Leaves out files that are
 * neither in the archive nor at their address, no media, or beyond the quota.
 */
export async function addFiles(
  app: App,
  accountId: AccountId,
  files: readonly ArchivedFile[],
  { media, remoteFiles, quota }: Source,
): Promise<MediaId[]> {
  const ids: MediaId[] = [];
  let isFull = false;
  for (const file of files) {
    if (isFull || ids.length >= maxAttachments || quota.remaining <= 0) continue;
    const path = media.get(nameOf(file.path));
    await using fetched = path === undefined ? await remoteFiles.fetch(file.path) : undefined;
    const found = path === undefined ? fetched : { path, size: (await stat(path)).size };
    if (found === undefined || found.size > quota.remaining) continue;
    const added = await addFile(app, accountId, file, found);
    if (added === undefined) continue;
    // A video or audio file is attached alone.
    const isAlone = added.type === 'video' || added.type === 'audio';
    if (isAlone && ids.length > 0) {
      await deleteMedia(app, accountId, added.id);
      continue;
    }
    isFull = isAlone;
    quota.remaining -= Number(added.file_size ?? found.size);
    ids.push(added.id);
  }
  return ids;
}

async function addFile(
  app: App,
  accountId: AccountId,
  { description, focus }: ArchivedFile,
  { path, size }: { readonly path: string; readonly size: number },
) {
  const file = new UploadedFile({ path, size, filename: 'imported', contentType: 'application/octet-stream' });
  try {
    const row = await uploadMedia(
      app,
      accountId,
      {
        file,
        description: truncateText(description.trim(), app.config.MEDIA_DESCRIPTION_LIMIT),
        focus: focus ?? undefined,
      },
      { synchronous: true },
    );
    return await waitUntilProcessed(app, row.id);
  } catch (error) {
    // The decoders are busy: the batch is repeated later.
    if (!(error instanceof HttpError) || error.status === 503) throw error;
    return undefined;
  }
}

const checkIntervalMs = 1_000;
/** Longer ones are left out. */
const maxChecks = 1_800;

/** Waits until a file is processed. Returns its row; undefined if that failed or takes too long. */
async function waitUntilProcessed({ db }: App, id: MediaId) {
  for (let check = 0; check < maxChecks; check += 1) {
    const row = await db
      .selectFrom('media_attachments')
      .select(['id', 'type', 'state', 'file_size'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (row?.state !== 'waiting') return row?.state === 'ready' ? row : undefined;
    await pause(checkIntervalMs);
  }
  return undefined;
}
