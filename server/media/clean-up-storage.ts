import type { Schedule } from '../platform/jobs/run-schedules.ts';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/database/transaction.ts';
import { findReferencedKeys } from './stored-files.ts';

/** Files that one run looks at, and one page of the listing. */
const scanLimits = { run: 50_000, page: 500 };
/** Milliseconds that a file without a row is left alone: its row may be about to be written. */
const minAgeMs = 86_400_000;

/** Which of these keys something in the database names. */
export type FindReferencedKeys = (app: App, keys: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Removes files of a folder of the storage that no row names and that are older than a day: what a process left that
 * died in between, or a backup that was restored. Looks at a bounded number of files and goes on there the next time,
 * from the beginning once it came to the end. Gives how many it removed.
 */
export async function cleanUpFolder(
  app: App,
  folder: string,
  named: FindReferencedKeys,
  { run, page } = scanLimits,
): Promise<number> {
  const before = new Date(app.clock.now().getTime() - minAgeMs);
  let after = await loadCursor(app, folder);
  let removed = 0;
  for (let seen = 0; seen < run; seen += page) {
    const { files, next } = await app.storage.list(folder, { after, limit: page });
    const old = files.filter(({ storedAt }) => storedAt < before).map(({ key }) => key);
    const referenced = old.length === 0 ? new Set() : await named(app, old);
    for (const key of old) {
      if (referenced.has(key)) continue;
      await app.storage.delete(key);
      removed += 1;
    }
    await storeCursor(app, folder, next);
    if (next === undefined) break;
    after = next;
  }
  if (removed > 0) app.log.info({ folder, removed }, 'files that nothing names were removed from the storage');
  return removed;
}

async function loadCursor(app: App, folder: string): Promise<string | undefined> {
  const row = await app.db.selectFrom('storage_sweeps').select('after').where('folder', '=', folder).executeTakeFirst();
  return row?.after;
}

async function storeCursor(app: App, folder: string, after: string | undefined): Promise<void> {
  await transaction(app, async ({ db }) => {
    await db.deleteFrom('storage_sweeps').where('folder', '=', folder).execute();
    if (after !== undefined) await db.insertInto('storage_sweeps').values({ folder, after }).execute();
  });
}

/** Sweeps the files of attachments. */
export const cleanUpFiles: Schedule = {
  name: 'media.clean_up_files',
  pattern: '41 4 * * *',
  async run(app) {
    await cleanUpFolder(app, 'attachments', findReferencedKeys);
  },
};
