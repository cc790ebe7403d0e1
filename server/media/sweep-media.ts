import type { Schedule } from '../platform/jobs/schedule.ts';
import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import { keysOf, removeFiles } from './stored-files.ts';
import type { MediaRow } from './tables.ts';

const chunk = 200;
/** Milliseconds that a file waits to be posted (reference/limits.tsv: unattached media removed after). */
const kept = 86_400_000;

/** Removes the files that nobody has posted for a day, and those whose status let go of them a day ago. */
export const sweepMedia: Schedule = {
  name: 'media.sweep-unattached',
  pattern: '23 * * * *',
  async run(app) {
    while ((await sweepSome(app)) === chunk);
  },
};

function sweepSome(app: App): Promise<number> {
  const before = new Date(app.clock.now().getTime() - kept);
  return write(app, async ({ db, enqueue }) => {
    const { rows } = await sql<MediaRow>`
      delete from media_attachments where id in (
        select id from media_attachments
        where status_id is null and scheduled_id is null and remote_url is null
          and coalesce(released_at, created_at) < ${before}
        order by coalesce(released_at, created_at) limit ${chunk} for update skip locked)
      returning file_key, preview_key, source_key`.execute(db);
    const keys = keysOf(rows);
    if (keys.length > 0) enqueue(removeFiles({ keys }));
    return rows.length;
  });
}
