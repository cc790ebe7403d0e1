import type { Schedule } from '../platform/work/run-schedules.ts';
import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { fileKeysOf, deleteFiles } from './stored-files.ts';
import type { MediaRow } from './tables.ts';

const batchSize = 200;
/** Unattached files are deleted after this time (reference/limits.tsv). */
const retentionMs = 86_400_000;

/** Deletes files that were not attached for a day, or were released by their status a day ago. */
export const cleanUpUnattachedMedia: Schedule = {
  name: 'media.clean_up_unattached',
  pattern: '23 * * * *',
  async run(app) {
    while ((await deleteBatch(app)) === batchSize);
  },
};

function deleteBatch(app: App): Promise<number> {
  const before = new Date(app.clock.now().getTime() - retentionMs);
  return transaction(app, async ({ db, enqueue }) => {
    const { rows } = await sql<MediaRow>`
      delete from media_attachments where id in (
        select id from media_attachments
        where status_id is null and scheduled_id is null and draft_id is null and remote_url is null
          and coalesce(released_at, created_at) < ${before}
        order by coalesce(released_at, created_at) limit ${batchSize} for update skip locked)
      returning file_key, preview_key, source_key`.execute(db);
    const keys = fileKeysOf(rows);
    if (keys.length > 0) enqueue(deleteFiles({ keys }));
    return rows.length;
  });
}
