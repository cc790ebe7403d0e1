import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import type { UploadedFile } from '../platform/http/params.ts';
import { invalid, unprocessable } from '../platform/http/problems.ts';
import { newId, type AccountId } from '../platform/ids.ts';
import { imageDecoders } from './decoding/decoders.ts';
import { withWorkFolder } from './decoding/work-folder.ts';
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
 * sounds is `waiting`. 422 for what is too large, no media or cannot be decoded; then nothing is left of it.
 */
export async function uploadMedia(app: App, accountId: AccountId, upload: Upload): Promise<MediaRow> {
  const { file } = upload;
  if (file === undefined) throw invalid("File can't be blank");
  if (file.size > largestFilm) throw invalid('File must be smaller than 99 MB');
  const said: Said = {
    accountId,
    description: upload.description === undefined ? null : readDescription(app, upload.description),
    focus: upload.focus === undefined ? undefined : readFocus(upload.focus),
  };
  try {
    const { kind } = await imageDecoders.run<'inspect'>({ name: 'inspect', path: file.path });
    if (kind === 'image') return await uploadImage(app, file, said);
    throw unprocessable('File type of uploaded media could not be verified');
  } catch (error) {
    throw asProblem(app, error);
  }
}

interface Said {
  readonly accountId: AccountId;
  readonly description: string | null;
  readonly focus: Focus | undefined;
}

function uploadImage(app: App, file: UploadedFile, said: Said): Promise<MediaRow> {
  if (file.size > largestImage) throw invalid('File must be smaller than 16 MB');
  return withWorkFolder(app, async (folder) => {
    const image = await imageDecoders.run<'image'>({ name: 'image', path: file.path, folder });
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

interface Made {
  readonly row: Pick<MediaRow, 'type' | 'content_type'> & Partial<MediaRow>;
  readonly meta: MediaMeta;
  readonly files: readonly Placed[];
}

/**
 * Stores the row before its files and says it is ready after them: a process that dies in between leaves a row whose
 * files the sweep finds.
 */
async function storeMedia(app: App, said: Said, { row, meta, files }: Made): Promise<MediaRow> {
  const now = app.clock.now();
  const whole = { ...meta, ...(said.focus !== undefined && { focus: said.focus }) };
  const { id } = await write(app, ({ db }) =>
    db
      .insertInto('media_attachments')
      .values({
        ...row,
        id: newId<'media'>(now),
        account_id: said.accountId,
        description: said.description,
        meta: JSON.stringify(whole),
        created_at: now,
        state: 'waiting',
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  try {
    await storePlaced(app, files);
  } catch (error) {
    await write(app, ({ db }) => db.deleteFrom('media_attachments').where('id', '=', id).execute());
    throw error;
  }
  return write(app, ({ db }) =>
    db
      .updateTable('media_attachments')
      .set({ state: 'ready' })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}
