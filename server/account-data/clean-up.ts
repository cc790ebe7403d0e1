import { sql } from 'kysely';
import { accountDeleted } from '../accounts/index.ts';
import { cleanUpFolder } from '../media/index.ts';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { later } from '../platform/write/reactions.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import { deleteArchiveFiles, findArchiveKeys } from './archives/delete-archive-files.ts';
import { writable } from './tables.ts';

/** Days until an import that was not confirmed is deleted. */
const unconfirmedDays = 1;
/** Days until a finished import is deleted, with the lines that failed. */
const finishedDays = 30;
const batchSize = 100;
const dayMs = 86_400_000;

/**
 * Deletes imports that were not confirmed in a day, and finished ones after a month. Those of posts stay as
 * long as they can be undone.
 */
export const cleanUpImports: Schedule = {
  name: 'account_data.clean_up_imports',
  pattern: '37 4 * * *',
  async run(app) {
    const now = app.clock.now().getTime();
    for (let deleted = batchSize; deleted === batchSize;) {
      deleted = await transaction(app, async ({ db }) => {
        const { rows } = await sql`
          delete from imports where id in (
            select id from imports
            where (state = 'unconfirmed' and created_at < ${new Date(now - unconfirmedDays * dayMs)})
              or (state = 'finished' and created_at < ${new Date(now - finishedDays * dayMs)})
            order by created_at limit ${batchSize} for update skip locked)
          returning id`.execute(db);
        return rows.length;
      });
    }
    await cleanUpPostImports(app, now);
  },
};

/** Ends imports of posts that were not confirmed in a day, and deletes ended ones without posts after a month. */
async function cleanUpPostImports(app: App, now: number): Promise<void> {
  await transaction(app, async ({ db, enqueue }) => {
    const { rows } = await sql<{ key: string | null }>`
      with outdated as (
        select id, storage_key from post_imports
        where state = 'unconfirmed' and created_at < ${new Date(now - unconfirmedDays * dayMs)} for update skip locked
      ), read as (delete from post_import_items where import_id in (select id from outdated))
      update post_imports set state = 'finished', storage_key = null, finished_at = ${new Date(now)}
      from outdated where post_imports.id = outdated.id
      returning outdated.storage_key as key`.execute(db);
    const keys = rows.flatMap(({ key }) => key ?? []);
    if (keys.length > 0) enqueue(deleteArchiveFiles({ keys }));
    await sql`
      delete from post_imports import
      where state in ('finished', 'failed') and created_at < ${new Date(now - finishedDays * dayMs)}
        and not exists (select from imported_statuses where import_id = import.id)`.execute(db);
  });
}

/** Deletes the imports of a deleted account. */
export const deleteAccountImports = later('background', [accountDeleted], {
  name: 'account_data.delete_account_imports',
  run: (app, { accountId }) =>
    transaction(app, async ({ db }) => {
      await writable(db).deleteFrom('imports').where('account_id', '=', accountId).execute();
    }),
});

/** Deletes the imports of posts of a deleted account, with their files. */
export const deleteAccountPostImports = later('background', [accountDeleted], {
  name: 'account_data.delete_account_post_imports',
  run: (app, { accountId }) =>
    transaction(app, async ({ db, enqueue }) => {
      const rows = await writable(db)
        .deleteFrom('post_imports')
        .where('account_id', '=', accountId)
        .returning('storage_key')
        .execute();
      const keys = rows.flatMap(({ storage_key: key }) => key ?? []);
      if (keys.length > 0) enqueue(deleteArchiveFiles({ keys }));
    }),
});

/**
 * Deletes the files of archives whose time is over, files that no archive refers to, and after a month the archives
 * themselves.
 */
export const cleanUpArchives: Schedule = {
  name: 'account_data.clean_up_archives',
  pattern: '43 * * * *',
  async run(app) {
    const now = app.clock.now();
    await transaction(app, async ({ db, enqueue }) => {
      const { rows } = await sql<{ key: string }>`
        with over as (
          select id, storage_key from archives where state = 'ready' and expires_at <= ${now} for update skip locked)
        update archives set state = 'expired', storage_key = null from over where archives.id = over.id
        returning over.storage_key as key`.execute(db);
      if (rows.length > 0) enqueue(deleteArchiveFiles({ keys: rows.map(({ key }) => key) }));
      await writable(db)
        .deleteFrom('archives')
        .where('state', 'in', ['failed', 'expired', 'deleted'])
        .where('requested_at', '<', new Date(now.getTime() - finishedDays * dayMs))
        .execute();
    });
    await cleanUpFolder(app, 'archives', findArchiveKeys);
  },
};

/** Deletes the archives of a deleted account, with their files. */
export const deleteAccountArchives = later('background', [accountDeleted], {
  name: 'account_data.delete_account_archives',
  run: (app, { accountId }) =>
    transaction(app, async ({ db, enqueue }) => {
      const rows = await writable(db)
        .deleteFrom('archives')
        .where('account_id', '=', accountId)
        .returning('storage_key')
        .execute();
      const keys = rows.flatMap(({ storage_key: key }) => key ?? []);
      if (keys.length > 0) enqueue(deleteArchiveFiles({ keys }));
    }),
});
