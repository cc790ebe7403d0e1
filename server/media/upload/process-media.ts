import { defineJob } from '../../platform/jobs/define-job.ts';
import { Type } from 'typebox';
import { join } from 'node:path';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { idSchema, type MediaId } from '../../platform/ids.ts';
import { buildStoredCover, assignCoverKey } from './cover.ts';
import { audioVideoDecoders, RefusedFile } from '../decoding/decoder-pool.ts';
import type { DecodedAudioVideo } from '../decoding/tasks.ts';
import { withWorkFolder } from '../decoding/work-folder.ts';
import type { MediaMeta } from '../schema.ts';
import { fileKeysOf, assignKey, deleteFiles, storeFiles, type KeyedFile } from '../stored-files.ts';
import type { MediaRow } from '../tables.ts';

/** Processes a film, sound or moving image after its upload (MED-03). */
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
      if (!isThere) throw new RefusedFile('its source is gone');
      const film = await audioVideoDecoders.run<'audio-video'>(row.account_id ?? '', {
        name: 'audio-video',
        path,
        folder,
        ffmpeg: app.config.FFMPEG,
      });
      await storeResult(app, id, film);
    } catch (error) {
      if (!(error instanceof RefusedFile)) throw error;
      app.log.debug({ id, reason: error.cause ?? error.message }, 'an uploaded film cannot be processed');
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

/** Whether the owner has sent a preview. */
const hasCustomCover = (row: MediaRow): boolean => (row.meta as MediaMeta | null)?.small !== undefined;

/**
 * Stores what was made. The row names the files before they are stored, so that none is lost when the process dies, and
 * those of a try that died go.
 */
async function storeResult(app: App, id: MediaId, film: DecodedAudioVideo): Promise<void> {
  const file = assignKey(film.file);
  const cover = film.cover && assignCoverKey(film.cover);
  const recorded = await transaction(app, async ({ db, enqueue }) => {
    const row = await findUnprocessed({ db }, id);
    if (row === undefined) return undefined;
    const ownCover = hasCustomCover(row);
    const old = fileKeysOf([{ ...row, source_key: null, preview_key: ownCover ? null : row.preview_key }]);
    if (old.length > 0) enqueue(deleteFiles({ keys: old }));
    const preview = ownCover || cover === undefined ? {} : { preview_key: cover.key };
    await db
      .updateTable('media_attachments')
      .set({ file_key: file.key, ...preview })
      .where('id', '=', id)
      .execute();
    return { ownCover };
  });
  if (recorded === undefined) return;
  const files = cover === undefined || recorded.ownCover ? [file] : [file, cover];
  await storeFiles(app, files);
  if (!(await markReady(app, id, { film, file, cover }))) {
    await transaction(app, async ({ enqueue }) => enqueue(deleteFiles({ keys: files.map(({ key }) => key) })));
  }
}

/** Marks an attachment as ready. Returns false if it was deleted, or processed by another run. */
function markReady(
  app: App,
  id: MediaId,
  { film, file, cover }: { film: DecodedAudioVideo; file: KeyedFile; cover: KeyedFile | undefined },
): Promise<boolean> {
  return transaction(app, async ({ db, enqueue }) => {
    const row = await db
      .selectFrom('media_attachments')
      .selectAll()
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      // Another run that began later has announced other files.
      .where('file_key', '=', file.key)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return false;
    const facts =
      film.cover === undefined || cover === undefined || hasCustomCover(row)
        ? undefined
        : buildStoredCover(film.cover, cover);
    const obsoleteKeys = [row.source_key, facts === undefined ? cover?.key : undefined];
    enqueue(deleteFiles({ keys: obsoleteKeys.filter((key) => typeof key === 'string') }));
    const meta: MediaMeta = { original: film.original, ...facts?.meta, ...(row.meta as MediaMeta | null) };
    await db
      .updateTable('media_attachments')
      .set({
        type: film.type,
        content_type: file.contentType,
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
    await db
      .updateTable('media_attachments')
      .set({ state: 'failed', source_key: null, file_key: null, preview_key: null })
      .where('id', '=', id)
      .execute();
  });
}
