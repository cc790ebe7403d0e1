import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import type { UploadedFile } from '../platform/http/params.ts';
import { invalid, notFound } from '../platform/http/problems.ts';
import { newId, type AccountId } from '../platform/ids.ts';
import { storeCover } from './cover.ts';
import { imageDecoders } from './decoding/decoders.ts';
import { withWorkFolder } from './decoding/work-folder.ts';
import { developLater, developMedia } from './develop-media.ts';
import { imageMeta } from './image-meta.ts';
import { largestFilm, largestImage } from './limits.ts';
import { asProblem } from './refused-upload.ts';
import { readDescription, readFocus, type Focus } from './read-upload.ts';
import type { MediaMeta } from './schema.ts';
import { place, storePlaced, type Placed } from './stored-files.ts';
import type { MediaRow } from './tables.ts';

/** A file as its owner sends it, with what is said of it. */
export interface Upload {
  readonly file?: UploadedFile | undefined;
  readonly thumbnail?: UploadedFile | undefined;
  readonly description?: string | undefined;
  /** `x,y`, each from -1 to 1. */
  readonly focus?: string | undefined;
}

/**
 * Stores a file for a status that is yet to be written (MED-01). Images are ready when this returns; what moves or
 * sounds is `waiting` for a job (MED-03), or with `atOnce` is processed before this returns, however long it takes. 422
 * for what is too large, no media or cannot be decoded; then nothing is left of it.
 */
export async function uploadMedia(
  app: App,
  accountId: AccountId,
  upload: Upload,
  { atOnce }: { atOnce: boolean },
): Promise<MediaRow> {
  const { file } = upload;
  if (file === undefined) throw invalid("File can't be blank");
  if (file.size > largestFilm) throw invalid('File must be smaller than 99 MB');
  const said: Said = {
    accountId,
    description: upload.description === undefined ? null : readDescription(app, upload.description),
    focus: upload.focus === undefined ? undefined : readFocus(upload.focus),
  };
  try {
    const { kind } = await imageDecoders.run<'inspect'>(accountId, { name: 'inspect', path: file.path });
    if (kind === 'image') return await uploadImage(app, file, said);
    const row = await uploadFilm(app, { ...upload, file, said, type: filmTypes[kind] }, atOnce);
    return atOnce ? await developed(app, row) : row;
  } catch (error) {
    throw asProblem(app, error);
  }
}

const filmTypes = { moving: 'gifv', film: 'video', sound: 'audio' } as const;

interface Said {
  readonly accountId: AccountId;
  readonly description: string | null;
  readonly focus: Focus | undefined;
}

function uploadImage(app: App, file: UploadedFile, said: Said): Promise<MediaRow> {
  if (file.size > largestImage) throw invalid('File must be smaller than 16 MB');
  return withWorkFolder(app, async (folder) => {
    const image = await imageDecoders.run<'image'>(said.accountId, { name: 'image', path: file.path, folder });
    const [original, small] = [place(image.original), place(image.small, '-small')];
    const row = {
      type: 'image' as const,
      content_type: original.contentType,
      file_key: original.key,
      preview_key: small.key,
      blurhash: image.blurhash,
    };
    return storeMedia(app, said, { row, meta: imageMeta(image), files: [original, small] });
  });
}

interface Film {
  readonly file: UploadedFile;
  readonly thumbnail?: UploadedFile | undefined;
  readonly said: Said;
  readonly type: 'gifv' | 'video' | 'audio';
}

/** Keeps a film as it was sent, for the job that processes it. */
async function uploadFilm(app: App, { file, thumbnail, said, type }: Film, atOnce: boolean): Promise<MediaRow> {
  const source = place({ path: `${file.path}.bin`, contentType: 'application/octet-stream' });
  const cover = thumbnail && (await storeCover(app, said.accountId, thumbnail));
  const row = {
    type,
    content_type: null,
    source_key: source.key,
    preview_key: cover?.key ?? null,
    blurhash: cover?.blurhash ?? null,
  };
  const after = new Date(app.clock.now().getTime() + (atOnce ? safetyMilliseconds : 0));
  try {
    return await storeMedia(app, said, {
      row,
      meta: cover?.meta ?? {},
      files: [{ ...source, path: file.path }],
      process: { after },
    });
  } catch (error) {
    if (cover !== undefined) await app.storage.delete(cover.key);
    throw error;
  }
}

/** When a request processes a file itself, the job is there for the case that its process dies. */
const safetyMilliseconds = 600_000;

async function developed(app: App, { id }: MediaRow): Promise<MediaRow> {
  await developMedia(app, id);
  return app.db
    .selectFrom('media_attachments')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound());
}

interface Made {
  readonly row: Pick<MediaRow, 'type' | 'content_type'> & Partial<MediaRow>;
  readonly meta: MediaMeta;
  readonly files: readonly Placed[];
  /** Set for a file that is yet to be processed. */
  readonly process?: { readonly after: Date };
}

/**
 * Stores the row before its files and says what is next after them: a process that dies in between leaves a row whose
 * files the sweep finds.
 */
async function storeMedia(app: App, said: Said, { row, meta, files, process }: Made): Promise<MediaRow> {
  const now = app.clock.now();
  const whole = { ...meta, ...(said.focus !== undefined && { focus: said.focus }) };
  const stored = await write(app, ({ db }) =>
    db
      .insertInto('media_attachments')
      .values({
        ...row,
        id: newId<'media'>(now),
        account_id: said.accountId,
        description: said.description,
        meta: Object.keys(whole).length === 0 ? null : JSON.stringify(whole),
        created_at: now,
        state: 'waiting',
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
  const { id } = stored;
  try {
    await storePlaced(app, files);
  } catch (error) {
    await write(app, ({ db }) => db.deleteFrom('media_attachments').where('id', '=', id).execute());
    throw error;
  }
  await write(app, async ({ db, enqueue }) => {
    if (process !== undefined) enqueue(developLater({ mediaId: id }, { runAt: process.after }));
    else await db.updateTable('media_attachments').set({ state: 'ready' }).where('id', '=', id).execute();
  });
  return process === undefined ? { ...stored, state: 'ready' } : stored;
}
