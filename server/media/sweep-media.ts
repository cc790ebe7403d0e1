import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import type { Schedule } from '../platform/jobs/events.ts';
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

/** Removes stored files that no row names: what a process left that died in between, or a backup that was restored. */
export const sweepFiles: Schedule = {
  name: 'media.sweep-files',
  pattern: '41 4 * * *',
  async run(app) {
    const before = new Date(app.clock.now().getTime() - kept);
    let keys: string[] = [];
    for await (const key of app.storage.list?.('attachments', before) ?? []) {
      keys.push(key);
      if (keys.length === chunk) {
        await removeUnnamed(app, keys);
        keys = [];
      }
    }
    await removeUnnamed(app, keys);
  },
};

async function removeUnnamed(app: App, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const { rows } = await sql<{ key: string }>`
    select file_key as key from media_attachments where file_key = any(${keys}::text[])
    union all select preview_key from media_attachments where preview_key = any(${keys}::text[])
    union all select source_key from media_attachments where source_key = any(${keys}::text[])`.execute(app.db);
  const named = new Set(rows.map(({ key }) => key));
  for (const key of keys) if (!named.has(key)) await app.storage.delete(key);
}
