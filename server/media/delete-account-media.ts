import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import type { AccountId } from '../platform/ids.ts';
import { fileKeysOf, deleteFiles } from './stored-files.ts';
import type { MediaRow } from './tables.ts';

/** Rows of one transaction. */
const batchSize = 200;

/** Deletes every file of an account, posted or not, with its row. Idempotent. */
export async function deleteAccountMedia(app: App, accountId: AccountId): Promise<void> {
  while ((await deleteBatch(app, accountId)) === batchSize);
}

function deleteBatch(app: App, accountId: AccountId): Promise<number> {
  return transaction(app, async ({ db, enqueue }) => {
    const { rows } = await sql<MediaRow>`
      delete from media_attachments where id in (
        select id from media_attachments where account_id = ${accountId}::bigint limit ${batchSize})
      returning file_key, preview_key, source_key`.execute(db);
    const keys = fileKeysOf(rows);
    if (keys.length > 0) enqueue(deleteFiles({ keys }));
    return rows.length;
  });
}
