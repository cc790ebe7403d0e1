import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { deleteImportedStatuses } from '../../statuses/imported/index.ts';
import { writable } from '../tables.ts';
import type { PostImportRow } from './find-post-imports.ts';

/** Posts that one transaction deletes. */
const batchSize = 500;

/** Deletes the posts of an import in batches, and then the import, until `signal` aborts. */
export async function undoPosts(
  app: App,
  { id, account_id: accountId }: PostImportRow,
  signal: AbortSignal,
): Promise<void> {
  for (let deleted = batchSize; deleted > 0 && !signal.aborted;) {
    deleted = await transaction(app, async (tx) => {
      const rows = await tx.db
        .selectFrom('imported_statuses')
        .select('status_id')
        .where('import_id', '=', id)
        .orderBy('status_id')
        .limit(batchSize)
        .execute();
      const ids = rows.map((row) => row.status_id);
      if (ids.length === 0) {
        await writable(tx.db).deleteFrom('post_imports').where('id', '=', id).execute();
        return 0;
      }
      await deleteImportedStatuses(tx, app, accountId, ids);
      // The same file can be imported again, although the rows of the posts stay for a while.
      await sql`delete from imported_statuses where status_id = any(${ids}::bigint[])`.execute(tx.db);
      return ids.length;
    });
  }
}
