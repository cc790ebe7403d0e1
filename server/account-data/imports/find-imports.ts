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
/** Failures that are shown with an import. */
const maxFailures = 100;

/** Returns an import. Throws 404 unless it belongs to the account. */
export async function requireImport({ db }: App, accountId: AccountId, id: ImportId): Promise<ImportRow> {
  const found = await db
    .selectFrom('imports')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (found === undefined) throw notFound();
  return found;
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

export async function presentImport(app: App, row: ImportRow): Promise<Import> {
  const [failures, failed, toRemove] = await Promise.all([
    app.db
      .selectFrom('import_rows')
      .select(['line', 'target', sql<NonNullable<Import['failures'][0]['problem']>>`problem`.as('problem')])
      .where('import_id', '=', row.id)
      .where('problem', 'is not', null)
      .orderBy('line')
      .limit(maxFailures)
      .execute(),
    countFailures(app, row.id),
    row.overwrite && row.state === 'unconfirmed' ? countOthers(app, row) : null,
  ]);
  return {
    id: row.id,
    type: row.type,
    mode: row.overwrite ? 'overwrite' : 'merge',
    state: row.state,
    total_count: row.total,
    imported_count: row.imported,
    failed_count: failed,
    removed_count: row.removed,
    to_remove_count: toRemove,
    failures,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

async function countFailures({ db }: App, id: ImportId): Promise<number> {
  const { count } = await db
    .selectFrom('import_rows')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('import_id', '=', id)
    .where('problem', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
