import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql, type RawBuilder } from 'kysely';
import { Type } from 'typebox';
import { findAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { stopController } from '../../platform/work/stop-signal.ts';
import { retryDelaySeconds } from '../../platform/work/record-outcomes.ts';
import { enqueueNotice } from '../../users/mails/index.ts';
import { writable } from '../tables.ts';
import type { ArchiveId, ArchiveProblem } from './schema.ts';
import { writeArchiveFile } from './write-archive-file.ts';

/** How often an archive is begun before it fails: the storage may be unavailable, and its process may end each time. */
const maxAttempts = 5;
/** How many archives are built at once, on all machines together. */
const maxConcurrent = 2;
/** The process that stops must not begin it again. */
const moveSeconds = 5;
/** How long the file can be downloaded. */
const downloadMs = 7 * 86_400_000;

/**
 * Builds an archive and stores its file. Repeated after a crash, it starts over in the same folder and with the same key,
 * so nothing is left of the first time. An archive that was deleted meanwhile has no file afterwards. A process that stops
 * leaves the work to others.
 */
export const buildArchive = defineJob(
  'account_data.build_archive',
  Type.Object({ archiveId: idSchema<'archive'>(), key: Type.String() }),
  async (app, { archiveId, key }) => {
    const begun = await begin(app, archiveId);
    if (begun === undefined) return deleteUnreferenced(app, key);
    const account = await findAccount(app, begun.account_id);
    if (account === undefined || account.suspended_at !== null) return fail(app, archiveId, 'suspended');
    if (begun.attempts > maxAttempts) return fail(app, archiveId, 'failed');
    const folder = join(app.config.dataDir, 'tmp', `archive-${archiveId}`);
    try {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = await writeArchiveFile(app, account, {
        folder,
        signal: stopController(app).signal,
        onProgress: (posts) => recordProgress(app, archiveId, posts),
      });
      await app.storage.putFile(key, file.path, 'application/gzip');
      await finish(app, archiveId, file.size);
      await deleteUnreferenced(app, key);
    } catch (error) {
      if (stopController(app).signal.aborted) {
        await buildElsewhere(app, archiveId, key);
      } else if (!(error instanceof ArchiveDeletedError)) {
        app.log.error({ err: error, archiveId, attempts: begun.attempts }, 'an archive could not be built');
        await buildLater(app, archiveId, { key, attempts: begun.attempts });
      }
      await deleteUnreferenced(app, key);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  'background',
);

/**
 * Stores the job that builds an archive. Archives of one key are built one after another. `delaySeconds`: after a failure,
 * so that the others do not wait for this one.
 */
export function enqueueBuild(
  { enqueue }: Transaction,
  app: App,
  {
    archiveId,
    key,
    delaySeconds = 0,
  }: { readonly archiveId: ArchiveId; readonly key: string; readonly delaySeconds?: number },
): void {
  const runAt = delaySeconds === 0 ? {} : { runAt: new Date(app.clock.now().getTime() + delaySeconds * 1_000) };
  enqueue(buildArchive({ archiveId, key }, { key: `archives ${BigInt(archiveId) % BigInt(maxConcurrent)}`, ...runAt }));
}

/** Repeats a build that failed, unless it failed too often. */
async function buildLater(
  app: App,
  archiveId: ArchiveId,
  { key, attempts }: { readonly key: string; readonly attempts: number },
): Promise<void> {
  if (attempts >= maxAttempts) return fail(app, archiveId, 'failed');
  await repeat(app, archiveId, { key, attempts, delaySeconds: retryDelaySeconds(attempts) });
}

/** Lets another process build an archive, or this one when it runs again, because it stops. That is no failure. */
const buildElsewhere = (app: App, archiveId: ArchiveId, key: string): Promise<void> =>
  repeat(app, archiveId, { key, attempts: sql<number>`attempts - 1`, delaySeconds: moveSeconds });

/** Stores the job once more, unless the archive was deleted. */
async function repeat(
  app: App,
  archiveId: ArchiveId,
  {
    attempts,
    ...job
  }: { readonly key: string; readonly attempts: number | RawBuilder<number>; readonly delaySeconds: number },
): Promise<void> {
  await transaction(app, async (tx) => {
    const { numUpdatedRows } = await writable(tx.db)
      .updateTable('archives')
      .set({ state: 'waiting', attempts })
      .where('id', '=', archiveId)
      .where('state', '=', 'building')
      .executeTakeFirst();
    if (numUpdatedRows > 0n) enqueueBuild(tx, app, { archiveId, ...job });
  });
}

/** The posts that `listPostIds` lists. */
const ownPosts = sql<number>`(
  select count(*) from statuses s where s.account_id = archives.account_id and s.deleted_at is null)`;

function begin(app: App, id: ArchiveId) {
  return transaction(app, ({ db }) =>
    writable(db)
      .updateTable('archives')
      .set({ state: 'building', posts_written: 0, posts_total: ownPosts, attempts: sql`attempts + 1` })
      .where('id', '=', id)
      .where('state', 'in', ['waiting', 'building'])
      .returning(['account_id', 'attempts'])
      .executeTakeFirst(),
  );
}

/** An archive was deleted while it was built. */
class ArchiveDeletedError extends Error {
  override name = 'ArchiveDeletedError';
}

/** Records how many posts were written. Throws ArchiveDeletedError if the archive was deleted. */
async function recordProgress(app: App, id: ArchiveId, posts: number): Promise<void> {
  const recorded = await transaction(app, ({ db }) =>
    writable(db)
      .updateTable('archives')
      .set({ posts_written: posts })
      .where('id', '=', id)
      .where('state', '=', 'building')
      .returning('id')
      .executeTakeFirst(),
  );
  if (recorded === undefined) throw new ArchiveDeletedError();
}

/** Offers the file for download, and mails its owner. No-op if the archive was deleted. */
async function finish(app: App, id: ArchiveId, size: number): Promise<void> {
  const now = app.clock.now();
  await transaction(app, async (tx) => {
    const finished = await writable(tx.db)
      .updateTable('archives')
      .set({
        state: 'ready',
        size: String(size),
        finished_at: now,
        expires_at: new Date(now.getTime() + downloadMs),
      })
      .where('id', '=', id)
      .where('state', '=', 'building')
      .returning('account_id')
      .executeTakeFirst();
    if (finished !== undefined) await enqueueNotice(tx, finished.account_id, 'archiveReady');
  });
}

async function fail(app: App, id: ArchiveId, problem: ArchiveProblem): Promise<void> {
  await transaction(app, async ({ db }) => {
    await writable(db)
      .updateTable('archives')
      .set({ state: 'failed', problem, storage_key: null, finished_at: app.clock.now() })
      .where('id', '=', id)
      .where('state', '=', 'building')
      .execute();
  });
}

/** Deletes the file if its archive was deleted or failed. */
async function deleteUnreferenced({ db, storage }: App, key: string): Promise<void> {
  const row = await db.selectFrom('archives').select('id').where('storage_key', '=', key).executeTakeFirst();
  if (row === undefined) await storage.delete(key);
}
