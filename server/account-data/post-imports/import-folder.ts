import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createReadStream } from 'node:fs';
import type { App } from '../../platform/app.ts';
import { maxVideoBytes } from '../../media/index.ts';
import type { PostImportRow } from './find-post-imports.ts';
import { NotItemsError, splitJsonItems } from './reading/split-json-items.ts';
import { ArchiveError, findArchiveKind, unpackArchive, type ArchiveKind } from './reading/unpack-archive.ts';

/** The temporary folder of an import at work. */
export interface ImportFolder {
  readonly path: string;
  readonly row: PostImportRow;
}

/** The uploaded file in the folder. */
export interface UploadedArchive {
  readonly path: string;
  readonly kind: ArchiveKind;
}

/** Names of the JSON files of an archive. */
export type JsonName = 'outbox.json' | 'actor.json' | 'likes.json' | 'bookmarks.json';

/** Bytes of a JSON file: about half a million posts. */
const maxJsonBytes: Readonly<Record<JsonName, number>> = {
  'outbox.json': 2 * 1024 ** 3,
  'actor.json': 1024 ** 2,
  'likes.json': 64 * 1024 ** 2,
  'bookmarks.json': 64 * 1024 ** 2,
};
/** Bytes of one item. */
const maxItemBytes = 1024 ** 2;

/** Copies the uploaded file into the folder. Throws ArchiveError if it is gone or of no known kind. */
export async function findReadable(app: App, { path: folder, row }: ImportFolder): Promise<UploadedArchive> {
  const path = join(folder, 'upload');
  if (row.storage_key === null || !(await app.storage.copyTo(row.storage_key, path))) throw new ArchiveError('damaged');
  const kind = await findArchiveKind(path);
  if (kind === undefined) throw new ArchiveError('damaged');
  return { path, kind };
}

const quotaOf = ({ config }: App): number => config.IMPORT_QUOTA * 1_048_576;

/** Unpacks JSON files. Returns their paths by name. The file itself is the outbox if it is JSON. */
export async function unpackJson(
  app: App,
  { path }: ImportFolder,
  file: UploadedArchive,
  names: readonly JsonName[],
): Promise<ReadonlyMap<string, string>> {
  if (file.kind === 'json') return new Map([['outbox.json', file.path]]);
  return unpackInto(app, join(path, 'json'), file, {
    maxBytesOf: (name) => names.reduce((max, each) => (each === name ? maxJsonBytes[each] : max), 0),
    maxBytes: maxJsonBytes['outbox.json'] + quotaOf(app),
  });
}

/** Unpacks the media of the posts, as far as the quota permits. Returns their paths by `nameOf` their names. */
export function unpackMedia(
  app: App,
  { path }: ImportFolder,
  file: UploadedArchive,
): Promise<ReadonlyMap<string, string>> | ReadonlyMap<string, string> {
  if (file.kind === 'json') return new Map();
  return unpackInto(app, join(path, 'media'), file, {
    maxBytesOf: (name) => (name.startsWith('media_attachments/') ? maxVideoBytes : 0),
    maxBytes: quotaOf(app),
  });
}

async function unpackInto(
  app: App,
  folder: string,
  { path, kind }: UploadedArchive,
  limits: { readonly maxBytesOf: (name: string) => number; readonly maxBytes: number },
): Promise<ReadonlyMap<string, string>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const maxArchiveBytes = 2 * quotaOf(app) + maxJsonBytes['outbox.json'];
  return unpackArchive(path, kind, { folder, ...limits, maxArchiveBytes });
}

/** Yields the items of a JSON file: null for one that is too large. Throws ArchiveError if it is no list. */
export async function* readItems(path: string): AsyncGenerator<string | null> {
  try {
    yield* splitJsonItems(createReadStream(path, { highWaterMark: 256 * 1024 }), maxItemBytes);
  } catch (error) {
    throw error instanceof NotItemsError ? new ArchiveError('damaged', { cause: error }) : error;
  }
}
