import { sql, type Selectable } from 'kysely';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { AccountDataTables } from '../tables.ts';
import { countOthers } from './others.ts';
import type { Import, ImportId } from './schema.ts';

export type ImportRow = Selectable<AccountDataTables['imports']>;

/** Imports that are listed. */
const maxListed = 20;

/** Returns an import. Throws 404 unless it belongs to the account. */
export function requireImport({ db }: App, accountId: AccountId, id: ImportId): Promise<ImportRow> {
  return db
    .selectFrom('imports')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow(() => notFound());
}

/** Returns the last imports of an account, newest first. */
export function listImports({ db }: App, accountId: AccountId): Promise<ImportRow[]> {
  return db
    .selectFrom('imports')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(maxListed)
    .execute();
}

/** Presents an import. */
export async function presentImport(app: App, row: ImportRow): Promise<Import> {
  const [presented] = await presentImports(app, [row]);
  if (presented === undefined) throw new Error('an import was not presented');
  return presented;
}

/** Presents imports in their order. */
export async function presentImports(app: App, rows: readonly ImportRow[]): Promise<Import[]> {
  const failures = await findFailures(
    app,
    rows.map(({ id }) => id),
  );
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      type: row.type,
      mode: row.overwrite ? ('overwrite' as const) : ('merge' as const),
      state: row.state,
      total_count: row.total,
      imported_count: row.imported,
      failed_count: row.failed,
      removed_count: row.removed,
      // Each type has at most one import that is not confirmed.
      to_remove_count: row.overwrite && row.state === 'unconfirmed' ? await countOthers(app, row) : null,
      failures: failures.get(row.id) ?? [],
      created_at: row.created_at.toISOString(),
      finished_at: row.finished_at?.toISOString() ?? null,
    })),
  );
}

async function findFailures({ db }: App, ids: readonly ImportId[]): Promise<ReadonlyMap<ImportId, Import['failures']>> {
  const { rows } = await sql<{ id: ImportId; failures: Import['failures'] }>`
    select import_id as id,
      jsonb_agg(jsonb_build_object('line', line, 'target', target, 'problem', problem) order by line) as failures
    from import_rows where import_id = any(${ids}::bigint[]) and problem is not null
    group by import_id`.execute(db);
  return new Map(rows.map(({ id, failures }) => [id, failures]));
}
