import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { UploadedFile } from '../../platform/http/parse-params.ts';
import { notFound, invalidField } from '../../platform/http/http-errors.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { storeCover } from './cover.ts';
import { hashFile } from './earlier-description.ts';
import { imageDecoders } from '../decoding/decoder-pool.ts';
import { withWorkFolder } from '../decoding/work-folder.ts';
import { processMediaJob, processMedia } from './process-media.ts';
import { imageMeta } from './image-meta.ts';
import { maxVideoBytes, maxImageBytes } from '../limits.ts';
import { toUploadError } from './upload-error.ts';
import { parseDescription, parseFocus, type Focus } from './parse-upload.ts';
import type { MediaMeta } from '../schema.ts';
import { assignKey, sizeOf, storeFiles, type KeyedFile } from '../stored-files.ts';
import { writable, type MediaRow } from '../tables.ts';

/** An upload with its metadata. */
export interface MediaUpload {
  readonly file?: UploadedFile | undefined;
  readonly thumbnail?: UploadedFile | undefined;
  readonly description?: string | undefined;
  /** `x,y`, each from -1 to 1. */
  readonly focus?: string | undefined;
}

/**
 * Stores a file for a future status (MED-01). Images are ready when this returns. Video, audio and animations are
 * `waiting` for a job (MED-03), or with `synchronous` processed before this returns, however long it takes. Throws 422
 * and stores nothing if the file is too large, not media or cannot be decoded.
 */
export async function uploadMedia(
  app: App,
  accountId: AccountId,
  upload: MediaUpload,
  { synchronous }: { synchronous: boolean },
): Promise<MediaRow> {
  const { file } = upload;
  if (file === undefined) throw invalidField('file', 'problems.blank');
  if (file.size > maxVideoBytes) throw invalidField('file', 'problems.notSmallerThan99MB');
  const metadata: UploadMetadata = {
    accountId,
    description: upload.description === undefined ? null : parseDescription(app, upload.description),
    focus: upload.focus === undefined ? undefined : parseFocus(upload.focus),
    hash: await hashFile(file.path),
  };
  try {
    const { kind } = await imageDecoders.run<'inspect'>(accountId, { name: 'inspect', path: file.path });
    if (kind === 'image') return await uploadImage(app, file, metadata);
    const row = await uploadAudioVideo(app, { ...upload, file, metadata, type: attachmentTypes[kind] }, synchronous);
    return synchronous ? await processNow(app, row) : row;
  } catch (error) {
    throw toUploadError(app, error);
  }
}

const attachmentTypes = { animation: 'gifv', video: 'video', audio: 'audio' } as const;

interface UploadMetadata {
  readonly accountId: AccountId;
  readonly description: string | null;
  readonly focus: Focus | undefined;
  readonly hash: Buffer;
}

function uploadImage(app: App, file: UploadedFile, metadata: UploadMetadata): Promise<MediaRow> {
  if (file.size > maxImageBytes) throw invalidField('file', 'problems.notSmallerThan16MB');
  return withWorkFolder(app, async (folder) => {
    const image = await imageDecoders.run<'image'>(metadata.accountId, { name: 'image', path: file.path, folder });
    const [original, small] = [assignKey(image.original), assignKey(image.small, '-small')];
    const row = {
      type: 'image' as const,
      content_type: original.contentType,
      file_key: original.key,
      file_size: await sizeOf(original),
      preview_key: small.key,
      blurhash: image.blurhash,
    };
    return insertMedia(app, metadata, { row, meta: imageMeta(image), files: [original, small] });
  });
}

interface AudioVideoUpload {
  readonly file: UploadedFile;
  readonly thumbnail?: UploadedFile | undefined;
  readonly metadata: UploadMetadata;
  readonly type: 'gifv' | 'video' | 'audio';
}

/** Stores a video or audio file as uploaded, for the job that processes it. */
async function uploadAudioVideo(
  app: App,
  { file, thumbnail, metadata, type }: AudioVideoUpload,
  synchronous: boolean,
): Promise<MediaRow> {
  const source = assignKey({ path: `${file.path}.bin`, contentType: 'application/octet-stream' });
  const cover = thumbnail && (await storeCover(app, metadata.accountId, thumbnail));
  const row = {
    type,
    content_type: null,
    source_key: source.key,
    preview_key: cover?.key ?? null,
    blurhash: cover?.blurhash ?? null,
  };
  const after = new Date(app.clock.now().getTime() + (synchronous ? fallbackDelayMs : 0));
  try {
    return await insertMedia(app, metadata, {
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

/** Even if the request processes the file, the job is stored in case its process dies. */
const fallbackDelayMs = 600_000;

/** Maximum time that a client waits for a file to be processed; then it gets an unprocessed one. */
const maxSynchronousMs = 60_000;

async function processNow(app: App, { id }: MediaRow): Promise<MediaRow> {
  const processed = processMedia(app, id);
  // If it fails later, the stored job repeats it.
  processed.catch(() => {});
  await Promise.race([processed, pause(maxSynchronousMs, undefined, { ref: false })]);
  return app.db
    .selectFrom('media_attachments')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound());
}

interface MediaToStore {
  readonly row: Pick<MediaRow, 'type' | 'content_type'> & Partial<MediaRow>;
  readonly meta: MediaMeta;
  readonly files: readonly KeyedFile[];
  /** Set for a file that still has to be processed. */
  readonly process?: { readonly after: Date };
}

/**
 * Stores the row before its files, and the next step after them. If the process dies in between, the clean-up finds the
 * files by their row.
 */
async function insertMedia(
  app: App,
  metadata: UploadMetadata,
  { row, meta, files, process }: MediaToStore,
): Promise<MediaRow> {
  const now = app.clock.now();
  const fullMeta = { ...meta, ...(metadata.focus !== undefined && { focus: metadata.focus }) };
  const stored = await transaction(app, ({ db }) =>
    writable(db)
      .insertInto('media_attachments')
      .values({
        ...row,
        id: newId<'media'>(now),
        account_id: metadata.accountId,
        description: metadata.description,
        upload_hash: metadata.hash,
        meta: Object.keys(fullMeta).length === 0 ? null : JSON.stringify(fullMeta),
        created_at: now,
        state: 'waiting',
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
  const { id } = stored;
  try {
    await storeFiles(app, files);
  } catch (error) {
    await transaction(app, ({ db }) => writable(db).deleteFrom('media_attachments').where('id', '=', id).execute());
    throw error;
  }
  await transaction(app, async ({ db, enqueue }) => {
    if (process !== undefined) enqueue(processMediaJob({ mediaId: id }, { runAt: process.after }));
    else await writable(db).updateTable('media_attachments').set({ state: 'ready' }).where('id', '=', id).execute();
  });
  return process === undefined ? { ...stored, state: 'ready' } : stored;
}
