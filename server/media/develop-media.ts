import { defineJob } from '../platform/jobs/define-job.ts';
import { Type } from 'typebox';
import { join } from 'node:path';
import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import { idSchema, type MediaId } from '../platform/ids.ts';
import { coverFacts, placeCover } from './cover.ts';
import { filmDecoders, RefusedFile } from './decoding/decoders.ts';
import type { DecodedFilm } from './decoding/tasks.ts';
import { withWorkFolder } from './decoding/work-folder.ts';
import type { MediaMeta } from './schema.ts';
import { keysOf, place, removeFiles, storePlaced, type Placed } from './stored-files.ts';
import type { MediaRow } from './tables.ts';

/** Processes a film, sound or moving image after its upload (MED-03). */
export const developLater = defineJob(
  'media.develop',
  Type.Object({ mediaId: idSchema<'media'>() }),
  (app, { mediaId }) => developMedia(app, mediaId),
  'media',
);

/**
 * Makes what was sent something that browsers play. Afterwards the file is `ready`, or `failed` with nothing of it kept.
 * One that is not waiting, or is gone, is passed over.
 */
export async function developMedia(app: App, id: MediaId): Promise<void> {
  const row = await findWaiting(app, id);
  if (row === undefined) return;
  await withWorkFolder(app, async (folder) => {
    const path = join(folder, 'source');
    const isThere = await app.storage.copyTo(row.source_key ?? '', path);
    try {
      if (!isThere) throw new RefusedFile('its source is gone');
      const film = await filmDecoders.run<'film'>(row.account_id ?? '', {
        name: 'film',
        path,
        folder,
        ffmpeg: app.config.FFMPEG,
      });
      await keep(app, id, film);
    } catch (error) {
      if (!(error instanceof RefusedFile)) throw error;
      app.log.debug({ id, reason: error.cause ?? error.message }, 'an uploaded film cannot be processed');
      await giveUp(app, id);
    }
  });
}

function findWaiting({ db }: Pick<App, 'db'>, id: MediaId): Promise<MediaRow | undefined> {
  return db
    .selectFrom('media_attachments')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('source_key', 'is not', null)
    .executeTakeFirst();
}

/** Whether the owner has sent a preview. */
const hasOwnCover = (row: MediaRow): boolean => (row.meta as MediaMeta | null)?.small !== undefined;

/**
 * Stores what was made. The row names the files before they are stored, so that none is lost when the process dies, and
 * those of a try that died go.
 */
async function keep(app: App, id: MediaId, film: DecodedFilm): Promise<void> {
  const file = place(film.file);
  const cover = film.cover && placeCover(film.cover);
  const announced = await write(app, async ({ db, enqueue }) => {
    const row = await findWaiting({ db }, id);
    if (row === undefined) return undefined;
    const ownCover = hasOwnCover(row);
    const old = keysOf([{ ...row, source_key: null, preview_key: ownCover ? null : row.preview_key }]);
    if (old.length > 0) enqueue(removeFiles({ keys: old }));
    const preview = ownCover || cover === undefined ? {} : { preview_key: cover.key };
    await db
      .updateTable('media_attachments')
      .set({ file_key: file.key, ...preview })
      .where('id', '=', id)
      .execute();
    return { ownCover };
  });
  if (announced === undefined) return;
  const files = cover === undefined || announced.ownCover ? [file] : [file, cover];
  await storePlaced(app, files);
  if (!(await finish(app, id, { film, file, cover }))) {
    await write(app, async ({ enqueue }) => enqueue(removeFiles({ keys: files.map(({ key }) => key) })));
  }
}

/** Says that a file is ready, with what its owner has said meanwhile; false when it was deleted or made by another run. */
function finish(
  app: App,
  id: MediaId,
  { film, file, cover }: { film: DecodedFilm; file: Placed; cover: Placed | undefined },
): Promise<boolean> {
  return write(app, async ({ db, enqueue }) => {
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
      film.cover === undefined || cover === undefined || hasOwnCover(row) ? undefined : coverFacts(film.cover, cover);
    const leftOver = [row.source_key, facts === undefined ? cover?.key : undefined];
    enqueue(removeFiles({ keys: leftOver.filter((key) => typeof key === 'string') }));
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

async function giveUp(app: App, id: MediaId): Promise<void> {
  await write(app, async ({ db, enqueue }) => {
    const row = await db
      .selectFrom('media_attachments')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (row?.state !== 'waiting') return;
    enqueue(removeFiles({ keys: keysOf([row]) }));
    await db
      .updateTable('media_attachments')
      .set({ state: 'failed', source_key: null, file_key: null, preview_key: null })
      .where('id', '=', id)
      .execute();
  });
}
