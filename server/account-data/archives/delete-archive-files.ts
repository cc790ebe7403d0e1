import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { defineJob } from '../../platform/work/define-job.ts';

/** Deletes files of archives and of imports of posts. Enqueued in the transaction that removes the reference. */
export const deleteArchiveFiles = defineJob(
  'account_data.delete_archive_files',
  Type.Object({ keys: Type.Array(Type.String()) }),
  async (app, { keys }) => {
    for (const key of keys) await app.storage.delete(key);
  },
  'background',
);

/** Returns those of these keys that an archive or an import of posts refers to. */
export async function findArchiveKeys({ db }: App, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select storage_key as key from archives where storage_key = any(${keys}::text[])
    union all select storage_key from post_imports where storage_key = any(${keys}::text[])`.execute(db);
  return new Set(rows.map(({ key }) => key));
}
