import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { ReadDatabase } from '../../platform/database/read-database.ts';
import type { RowId, StatusId } from '../../platform/ids.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { deleteRemoteHistory } from '../../statuses/remote/index.ts';

/** Versions that are examined in one transaction. */
const batchSize = 500;

/** What `removeEditBatch` did. */
export interface EditBatch {
  /** Versions of posts. */
  readonly examined: number;
  /** Posts whose history was deleted, or would be. */
  readonly removed: number;
  /** The version that was examined last; undefined if there are no more. */
  readonly last: RowId | undefined;
}

/**
 * Examines the next versions of statuses after an id. Deletes the histories of remote statuses that were last edited before
 * `cutoff`, or only counts them. Those that reports and strikes refer to stay.
 */
export async function removeEditBatch(
  app: App,
  after: string,
  { cutoff, dryRun = false }: { readonly cutoff: RowId; readonly dryRun?: boolean | undefined },
): Promise<EditBatch> {
  const rows = await findRemovableEdits(
    app.db,
    sql`select id, status_id from status_edits where id > ${after}::bigint and id < ${cutoff}::bigint
      order by id limit ${batchSize}`,
  );
  const removable = rows.filter((row) => row.is_removable).map((row) => row.status_id);
  const last = rows.at(-1)?.id;
  if (dryRun || removable.length === 0) return { examined: rows.length, removed: removable.length, last };
  return transaction(app, async (tx) => {
    // An edit locks the status first, too.
    const { rows: locked } = await sql<{ id: StatusId }>`
      select id from statuses where id = any(${removable}::bigint[])
        and not exists (select from status_edits edit where edit.status_id = statuses.id and edit.id >= ${cutoff}::bigint)
      order by id for update skip locked`.execute(tx.db);
    const ids = locked.map(({ id }) => id);
    await deleteRemoteHistory(tx, ids);
    return { examined: rows.length, removed: ids.length, last };
  });
}

/** A version of a status. */
interface ExaminedEdit {
  readonly id: RowId;
  readonly status_id: StatusId;
  /** Whether it is the last one of a remote status to which no report and no strike refers. */
  readonly is_removable: boolean;
}

/** Examines the versions that a query returns: `id` and `status_id`. */
export async function findRemovableEdits(db: ReadDatabase, query: RawBuilder<unknown>): Promise<ExaminedEdit[]> {
  const { rows } = await sql<ExaminedEdit>`
    with batch as materialized (${query}), referred as (
      select unnest(status_ids) as id from reports
      union all select unnest(status_ids || changed_status_ids) from account_warnings
    )
    select batch.id, batch.status_id, (
      exists (select from statuses where statuses.id = batch.status_id and not local)
      and not exists (select from status_edits later where later.status_id = batch.status_id and later.id > batch.id)
      and batch.status_id not in (select id from referred where id is not null)
    ) as is_removable
    from batch order by batch.id`.execute(db);
  return rows;
}
