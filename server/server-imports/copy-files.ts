import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { contentTypeOf, isStorageKey } from '../platform/storage/storage-keys.ts';
import type { Storage } from '../platform/storage/storage.ts';

const batchSize = 1_000;
const maxParallel = 8;

/** The result of copying files. */
export interface CopiedFiles {
  readonly copied: number;
  /** Files that were stored before. */
  readonly present: number;
  /** Keys of files that the folder lacks, or whose names cannot be stored. */
  readonly missing: readonly string[];
  readonly missingCount: number;
}

const maxExamples = 20;

/** SQL of the rows with files, by table: `id` and `keys`. */
const rowsWithFiles: Readonly<Record<string, string>> = {
  accounts: rowsOf('accounts', ['avatar_key', 'avatar_static_key', 'header_key', 'header_static_key']),
  media_attachments: rowsOf('media_attachments', ['file_key', 'preview_key']),
  custom_emojis: rowsOf('custom_emojis', ['image_key', 'static_key']),
  site_images: `select row_number() over (order by name) as id, array(select value from jsonb_each_text(files)) as keys from site_images`,
};

function rowsOf(table: string, columns: readonly string[]): string {
  const keys = columns.join(', ');
  return `select id, array[${keys}] as keys from ${table} where num_nonnulls(${keys}) > 0`;
}

/** Copies the files that rows name from a folder into the storage. A key is the path in the folder. */
export async function copyFiles(
  { target, storage }: { readonly target: pg.ClientBase; readonly storage: Storage },
  folder: string,
  onProgress: (table: string, files: number) => void,
): Promise<CopiedFiles> {
  let [copied, present, missingCount] = [0, 0, 0];
  const missing: string[] = [];
  const copy = async (key: string): Promise<void> => {
    if ((await storage.get(key, { start: 0, end: 0 }).catch(() => undefined)) !== undefined) {
      present += 1;
      return;
    }
    const path = join(folder, key);
    if (isStorageKey(key) && existsSync(path)) {
      await storage.putFile(key, path, contentTypeOf(key));
      copied += 1;
      return;
    }
    missingCount += 1;
    if (missing.length < maxExamples) missing.push(key);
  };
  for (const [table, source] of Object.entries(rowsWithFiles)) {
    const read = `select id::text, keys from (${source}) f where id > $1 order by f.id limit ${batchSize}`;
    for (let after = '-9223372036854775808'; ;) {
      const { rows } = await target.query<{ id: string; keys: (string | null)[] }>(read, [after]);
      const found = [...new Set(rows.flatMap((row) => row.keys.filter((key) => key !== null)))];
      for (let start = 0; start < found.length; start += maxParallel) {
        await Promise.all(found.slice(start, start + maxParallel).map(copy));
        onProgress(table, copied + present + missingCount);
      }
      const last = rows.at(-1)?.id;
      if (last === undefined || rows.length < batchSize) break;
      after = last;
    }
  }
  return { copied, present, missing, missingCount };
}
