import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { findAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import type { JobRequest } from '../../platform/work/job-request.ts';
import { stopController } from '../../platform/work/stop-signal.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { deleteArchiveFiles } from '../archives/delete-archive-files.ts';
import { writable } from '../tables.ts';
import { addPosts } from './add-posts.ts';
import { findReadable, type ImportFolder } from './import-folder.ts';
import { importBookmarks } from './import-bookmarks.ts';
import type { PostImportRow } from './find-post-imports.ts';
import { readPosts } from './read-posts.ts';
import { ArchiveError } from './reading/unpack-archive.ts';
import type { PostImportId, PostImportProblem } from './schema.ts';
import { undoPosts } from './undo-posts.ts';

/** The process that stops must not begin it again. */
const moveSeconds = 5;
/** How many imports are at work, on all machines together. */
const maxConcurrent = 2;

/**
 * Does the work of the state of an import. Each batch is one transaction with the progress, so after a crash the next run
 * continues behind the last batch. A process that stops leaves the rest to others.
 */
const runPostImport = defineJob(
  'account_data.import_posts',
  Type.Object({ importId: idSchema<'post-import'>() }),
  async (app, { importId }) => {
    const row = await app.db.selectFrom('post_imports').selectAll().where('id', '=', importId).executeTakeFirst();
    if (row === undefined || row.state === 'finished' || row.state === 'failed' || row.state === 'unconfirmed') return;
    const { signal } = stopController(app);
    if (row.state === 'undoing') await undoPosts(app, row, signal);
    else await workOnFile(app, row, signal);
    if (!signal.aborted) return;
    const runAt = new Date(app.clock.now().getTime() + moveSeconds * 1_000);
    await transaction(app, async ({ enqueue }) => enqueue(importPosts(importId, runAt)));
  },
  'background',
);

export const { subscription: importPostsSubscription } = runPostImport;

/** Returns the job that works on an import. Jobs of one import run one after another. */
export const importPosts = (importId: PostImportId, runAt?: Date): JobRequest =>
  runPostImport(
    { importId },
    { key: `post imports ${BigInt(importId) % BigInt(maxConcurrent)}`, ...(runAt !== undefined && { runAt }) },
  );

async function workOnFile(app: App, row: PostImportRow, signal: AbortSignal): Promise<void> {
  const owner = await findAccount(app, row.account_id);
  if (owner === undefined || owner.suspended_at !== null) return fail(app, row, 'suspended');
  const path = join(app.config.dataDir, 'tmp', `post-import-${row.id}`);
  try {
    await rm(path, { recursive: true, force: true });
    await mkdir(path, { recursive: true, mode: 0o700 });
    const folder: ImportFolder = { path, row };
    const file = await findReadable(app, folder);
    if (row.state === 'reading') return await readPosts(app, folder, file, signal);
    const isDone = await addPosts(app, folder, file, signal);
    if (!isDone) return;
    await importBookmarks(app, folder, file);
    await finish(app, row);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    app.log.info({ err: error, importId: row.id }, 'posts cannot be imported');
    await fail(app, row, error.problem);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

const finish = (app: App, row: PostImportRow): Promise<void> => close(app, row, { state: 'finished' });

const fail = (app: App, row: PostImportRow, problem: PostImportProblem): Promise<void> =>
  close(app, row, { state: 'failed', problem });

/** Ends an import that is at work, and deletes its file. */
async function close(
  app: App,
  { id, state, storage_key: key }: PostImportRow,
  ended: { readonly state: 'finished' | 'failed'; readonly problem?: PostImportProblem },
): Promise<void> {
  await transaction(app, async ({ db, enqueue }) => {
    const closed = await writable(db)
      .updateTable('post_imports')
      .set({ ...ended, storage_key: null, finished_at: app.clock.now() })
      .where('id', '=', id)
      .where('state', '=', state)
      .returning('id')
      .executeTakeFirst();
    if (closed === undefined) return;
    await writable(db).deleteFrom('post_import_items').where('import_id', '=', id).execute();
    if (key !== null) enqueue(deleteArchiveFiles({ keys: [key] }));
  });
}
