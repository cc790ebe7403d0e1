import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import type { AccountId } from '../platform/ids.ts';
import { keysOf, removeFiles } from './stored-files.ts';
import type { MediaRow } from './tables.ts';

/** Rows of one transaction. */
const chunk = 200;

/** Removes every file of an account, posted or not, with its row. Doing it again does nothing. */
export async function removeMediaOf(app: App, accountId: AccountId): Promise<void> {
  while ((await removeSome(app, accountId)) === chunk);
}

function removeSome(app: App, accountId: AccountId): Promise<number> {
  return write(app, async ({ db, enqueue }) => {
    const { rows } = await sql<MediaRow>`
      delete from media_attachments where id in (
        select id from media_attachments where account_id = ${accountId}::bigint limit ${chunk})
      returning file_key, preview_key, source_key`.execute(db);
    const keys = keysOf(rows);
    if (keys.length > 0) enqueue(removeFiles({ keys }));
    return rows.length;
  });
}
