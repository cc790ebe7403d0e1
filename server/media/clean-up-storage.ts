import type { Schedule } from '../platform/work/run-schedules.ts';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { findReferencedKeys } from './stored-files.ts';
import { writable } from './tables.ts';

/** Maximum number of files per run and per page of the listing. */
const scanLimits = { run: 50_000, page: 500 };
/** A younger file without a row is not deleted, because its row may be about to be inserted. */
const minAgeMs = 86_400_000;

/** Returns the keys that a row refers to. */
export type FindReferencedKeys = (app: App, keys: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Deletes stored files of a folder that no row refers to and that are older than a day: left by a process that died, or
 * by a restored backup. Checks a bounded number of files, continues there in the next run and starts over at the end.
 * Returns the number of deleted files.
 */
export async function cleanUpFolder(
  app: App,
  folder: string,
  findReferenced: FindReferencedKeys,
  { run, page } = scanLimits,
): Promise<number> {
  const before = new Date(app.clock.now().getTime() - minAgeMs);
  let after = await loadCursor(app, folder);
  let removed = 0;
  for (let seen = 0; seen < run; seen += page) {
    const { files, next } = await app.storage.list(folder, { after, limit: page });
    const old = files.filter(({ storedAt }) => storedAt < before).map(({ key }) => key);
    const referenced = old.length === 0 ? new Set() : await findReferenced(app, old);
    for (const key of old) {
      if (referenced.has(key)) continue;
      await app.storage.delete(key);
      removed += 1;
    }
    await storeCursor(app, folder, next);
    if (next === undefined) break;
    after = next;
  }
  if (removed > 0) app.log.info({ folder, removed }, 'deleted stored files that no row refers to');
  return removed;
}

async function loadCursor(app: App, folder: string): Promise<string | undefined> {
  const row = await app.db.selectFrom('storage_sweeps').select('after').where('folder', '=', folder).executeTakeFirst();
  return row?.after;
}

async function storeCursor(app: App, folder: string, after: string | undefined): Promise<void> {
  await transaction(app, async ({ db }) => {
    await writable(db).deleteFrom('storage_sweeps').where('folder', '=', folder).execute();
    if (after !== undefined) await writable(db).insertInto('storage_sweeps').values({ folder, after }).execute();
  });
}

/** Deletes stored attachments that no row refers to. */
export const cleanUpFiles: Schedule = {
  name: 'media.clean_up_files',
  pattern: '41 4 * * *',
  async run(app) {
    await cleanUpFolder(app, 'attachments', findReferencedKeys);
  },
};
