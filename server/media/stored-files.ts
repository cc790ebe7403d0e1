import { defineJob } from '../platform/work/define-job.ts';
import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import type { OutputFile } from './decoding/tasks.ts';
import type { MediaRow } from './tables.ts';

/** The storage key of a file, and the local file to copy. */
export interface KeyedFile extends OutputFile {
  readonly key: string;
}

/** Returns a new, unguessable key for a local file. `suffix` distinguishes the files of one attachment. */
export function assignKey(file: OutputFile, suffix = ''): KeyedFile {
  const name = randomBytes(16).toString('hex');
  const extension = file.path.slice(file.path.lastIndexOf('.') + 1);
  return { ...file, key: `attachments/${name.slice(0, 2)}/${name}${suffix}.${extension}` };
}

/** Returns the size of a local file in bytes, as its column stores it. */
export const sizeOf = async ({ path }: OutputFile): Promise<string> => String((await stat(path)).size);

/** Stores files under their keys. If one cannot be stored, none is. */
export async function storeFiles(app: App, files: readonly KeyedFile[]): Promise<void> {
  const results = await Promise.allSettled(
    files.map((file) => app.storage.putFile(file.key, file.path, file.contentType)),
  );
  const failure = results.find((result) => result.status === 'rejected');
  if (failure === undefined) return;
  await Promise.all(files.map(({ key }) => app.storage.delete(key)));
  throw failure.reason;
}

/** Deletes files that nothing refers to any more. Enqueued in the transaction that removes the reference. */
export const deleteFiles = defineJob(
  'media.delete_files',
  Type.Object({ keys: Type.Array(Type.String()) }),
  async (app, { keys }) => {
    for (const key of keys) await app.storage.delete(key);
  },
  'background',
);

/** Returns the storage keys of these rows. */
export function fileKeysOf(rows: readonly Pick<MediaRow, 'file_key' | 'preview_key' | 'source_key'>[]): string[] {
  return rows.flatMap((row) => [row.file_key, row.preview_key, row.source_key].filter((key) => key !== null));
}

/** Returns those of these keys that a row refers to. */
export async function findReferencedKeys({ db }: App, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select file_key as key from media_attachments where file_key = any(${keys}::text[])
    union all select preview_key from media_attachments where preview_key = any(${keys}::text[])
    union all select source_key from media_attachments where source_key = any(${keys}::text[])`.execute(db);
  return new Set(rows.map(({ key }) => key));
}

/** Deletes those of these files that no row refers to. */
export async function deleteUnreferencedFiles(app: App, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const named = await findReferencedKeys(app, keys);
  for (const key of keys) if (!named.has(key)) await app.storage.delete(key);
}
