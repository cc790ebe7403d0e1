import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { defineJob } from '../platform/jobs/events.ts';
import type { MadeFile } from './decoding/tasks.ts';
import type { MediaRow } from './tables.ts';

/** Where a file goes: its key and the local file that it is a copy of. */
export interface Placed extends MadeFile {
  readonly key: string;
}

/** Gives a local file a new key, which cannot be guessed. `suffix` tells the files of one attachment apart. */
export function place(file: MadeFile, suffix = ''): Placed {
  const name = randomBytes(16).toString('hex');
  const extension = file.path.slice(file.path.lastIndexOf('.') + 1);
  return { ...file, key: `attachments/${name.slice(0, 2)}/${name}${suffix}.${extension}` };
}

/** Stores files under their keys; when one cannot be stored, none is. */
export async function storePlaced(app: App, files: readonly Placed[]): Promise<void> {
  const results = await Promise.allSettled(
    files.map((file) => app.storage.putFile(file.key, file.path, file.contentType)),
  );
  const failure = results.find((result) => result.status === 'rejected');
  if (failure === undefined) return;
  await Promise.all(files.map(({ key }) => app.storage.delete(key)));
  throw failure.reason;
}

/** Removes files that nothing refers to any more; stored with the commit that let go of them. */
export const removeFiles = defineJob(
  'media.remove-files',
  Type.Object({ keys: Type.Array(Type.String()) }),
  async (app, { keys }) => {
    for (const key of keys) await app.storage.delete(key);
  },
  'slow',
);

/** The keys of everything that is stored for these rows. */
export function keysOf(rows: readonly Pick<MediaRow, 'file_key' | 'preview_key' | 'source_key'>[]): string[] {
  return rows.flatMap((row) => [row.file_key, row.preview_key, row.source_key].filter((key) => key !== null));
}
