import { defineJob } from '../../platform/work/define-job.ts';
import { Type } from 'typebox';
import { join } from 'node:path';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { MediaId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { buildStoredCover, assignCoverKey } from './cover.ts';
import { audioVideoDecoders, RefusedFile } from '../decoding/decoder-pool.ts';
import type { DecodedAudioVideo } from '../decoding/tasks.ts';
import { withWorkFolder } from '../decoding/work-folder.ts';
import type { MediaMeta } from '../schema.ts';
import { fileKeysOf, assignKey, deleteFiles, sizeOf, storeFiles, type KeyedFile } from '../stored-files.ts';
import { writable, type MediaRow } from '../tables.ts';
import { message } from '../../platform/i18n/message.ts';

/** Processes a video, audio file or animated image after its upload (MED-03). */
export const processMediaJob = defineJob(
  'media.process_upload',
  Type.Object({ mediaId: idSchema<'media'>() }),
  (app, { mediaId }) => processMedia(app, mediaId),
  'media',
);

/**
 * Converts an upload to a format that browsers play. Afterwards it is `ready`, or `failed` without files. No-op unless it
 * is waiting.
 */
export async function processMedia(app: App, id: MediaId): Promise<void> {
  const row = await findUnprocessed(app, id);
  if (row === undefined) return;
  await withWorkFolder(app, async (folder) => {
    const path = join(folder, 'source');
    const isThere = await app.storage.copyTo(row.source_key ?? '', path);
    try {
      if (!isThere) throw new RefusedFile(message('media.sourceGone'));
      const decoded = await audioVideoDecoders.run<'audio-video'>(row.account_id ?? '', {
        name: 'audio-video',
        path,
        folder,
        ffmpeg: app.config.FFMPEG,
      });
      await storeResult(app, id, decoded);
    } catch (error) {
      if (!(error instanceof RefusedFile)) throw error;
      app.log.debug(
        { id, reason: error.cause ?? error.message },
        'an uploaded video or audio file cannot be processed',
      );
      await markFailed(app, id);
    }
  });
}

function findUnprocessed({ db }: Pick<App, 'db'>, id: MediaId): Promise<MediaRow | undefined> {
  return db
    .selectFrom('media_attachments')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('source_key', 'is not', null)
    .executeTakeFirst();
}

/** Returns whether the owner has uploaded a preview. */
const hasCustomCover = (row: MediaRow): boolean => row.meta?.small !== undefined;

/**
 * Stores the converted files. The row refers to the files before they are stored, so that none is lost if the process
 * dies; files of a failed attempt are deleted.
 */
async function storeResult(app: App, id: MediaId, decoded: DecodedAudioVideo): Promise<void> {
  const file = assignKey(decoded.file);
  const cover = decoded.cover && assignCoverKey(decoded.cover);
  const recorded = await transaction(app, async ({ db, enqueue }) => {
    const row = await findUnprocessed({ db }, id);
    if (row === undefined) return undefined;
    const ownCover = hasCustomCover(row);
    const old = fileKeysOf([{ ...row, source_key: null, preview_key: ownCover ? null : row.preview_key }]);
    if (old.length > 0) enqueue(deleteFiles({ keys: old }));
    const preview = ownCover || cover === undefined ? {} : { preview_key: cover.key };
    await writable(db)
      .updateTable('media_attachments')
      .set({ file_key: file.key, ...preview })
      .where('id', '=', id)
      .execute();
    return { ownCover };
  });
  if (recorded === undefined) return;
  const files = cover === undefined || recorded.ownCover ? [file] : [file, cover];
  await storeFiles(app, files);
  if (!(await markReady(app, id, { decoded, file, cover }))) {
    await transaction(app, async ({ enqueue }) => enqueue(deleteFiles({ keys: files.map(({ key }) => key) })));
  }
}

/** Marks an attachment as ready. Returns false if it was deleted, or processed by another run. */
async function markReady(
  app: App,
  id: MediaId,
  { decoded, file, cover }: { decoded: DecodedAudioVideo; file: KeyedFile; cover: KeyedFile | undefined },
): Promise<boolean> {
  const fileSize = await sizeOf(file);
  return transaction(app, async ({ db, enqueue }) => {
    const row = await db
      .selectFrom('media_attachments')
      .selectAll()
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      // Another run that started later refers to other files.
      .where('file_key', '=', file.key)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return false;
    const facts =
      decoded.cover === undefined || cover === undefined || hasCustomCover(row)
        ? undefined
        : buildStoredCover(decoded.cover, cover);
    const obsoleteKeys = [row.source_key, facts === undefined ? cover?.key : undefined];
    enqueue(deleteFiles({ keys: obsoleteKeys.filter((key) => typeof key === 'string') }));
    const meta: MediaMeta = { original: decoded.original, ...facts?.meta, ...row.meta };
    await writable(db)
      .updateTable('media_attachments')
      .set({
        type: decoded.type,
        content_type: file.contentType,
        file_size: fileSize,
        state: 'ready',
        source_key: null,
        meta: JSON.stringify(meta),
        ...(facts !== undefined && { blurhash: facts.blurhash }),
      })
      .where('id', '=', id)
      .execute();
    return true;
  });
}

async function markFailed(app: App, id: MediaId): Promise<void> {
  await transaction(app, async ({ db, enqueue }) => {
    const row = await db
      .selectFrom('media_attachments')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (row?.state !== 'waiting') return;
    enqueue(deleteFiles({ keys: fileKeysOf([row]) }));
    await writable(db)
      .updateTable('media_attachments')
      .set({ state: 'failed', source_key: null, file_key: null, preview_key: null })
      .where('id', '=', id)
      .execute();
  });
}
