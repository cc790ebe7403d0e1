import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { DatabaseUnavailable } from '../platform/wire/database-unavailable.ts';
import { isStatementCancelled, queryWithTimeout } from '../platform/database/query-with-timeout.ts';
import { rebuildIndex } from '../platform/database/rebuild-index.ts';
import type { Check, ExaminedBatch } from './checks.ts';
import { toError } from '../platform/errors.ts';

interface UniqueIndex {
  readonly oid: string;
  readonly name: string;
  readonly table: string;
  /** Its columns or expressions, as SQL. */
  readonly keys: readonly string[];
  readonly predicate: string | null;
  readonly nullsNotDistinct: boolean;
  /** Whether amcheck can compare the index with its table. */
  readonly hasAmcheck: boolean;
}

const timeoutMs = 60_000;
/** Only the table itself shows rows that its index lacks. */
const withoutIndexes = { enable_indexscan: 0, enable_indexonlyscan: 0, enable_bitmapscan: 0 };
/** SQLSTATEs of corrupt data and of a corrupt index. */
const corruptionStates: ReadonlySet<string> = new Set(['XX001', 'XX002']);

export const uniqueIndexes: Check = {
  name: 'unique-indexes',
  description:
    'Unique indexes with duplicates or lost entries (repaired with --reindex, unless the table has duplicates: delete those first)',
  async examine(app, after): Promise<ExaminedBatch> {
    const index = await findNextIndex(app, after);
    if (index === undefined) return { wrong: [], next: undefined };
    const { name, oid } = index;
    try {
      const isSound = index.hasAmcheck ? await compareWithTable(app, index) : await hasDistinctKeys(app, index);
      return { wrong: isSound ? [] : [name], next: oid };
    } catch (error) {
      if (error instanceof DatabaseUnavailable && isStatementCancelled(error))
        return { wrong: [], skipped: [name], next: oid };
      throw error;
    }
  },
  isReindex: true,
  repairOne: rebuildIndex,
};

async function findNextIndex({ db }: App, after: string): Promise<UniqueIndex | undefined> {
  const { rows } = await sql<UniqueIndex>`
    select indexrelid::text as oid, indexrelid::regclass::text as name, indrelid::regclass::text as table,
      array(select pg_get_indexdef(indexrelid, place, true) from generate_series(1, indnkeyatts) place) as keys,
      pg_get_expr(indpred, indrelid) as predicate, indnullsnotdistinct as "nullsNotDistinct",
      exists (select from pg_extension where extname = 'amcheck') as "hasAmcheck"
    from pg_index join pg_class on pg_class.oid = indexrelid
    where indisunique and indisvalid and relkind = 'i' and relpersistence = 'p'
      and relnamespace = current_schema()::regnamespace and indexrelid::bigint > ${after}::bigint
    order by indexrelid limit 1`.execute(db);
  return rows[0];
}

async function compareWithTable(app: App, { oid }: UniqueIndex): Promise<boolean> {
  try {
    await queryWithTimeout(app, sql`select bt_index_check(${sql.lit(oid)}::oid::regclass, true)`, { timeoutMs });
    return true;
  } catch (error) {
    if (corruptionStates.has(toError(error).code ?? '')) return false;
    throw error;
  }
}

/** Looks for duplicates by a scan of the table. */
async function hasDistinctKeys(app: App, { table, keys, predicate, nullsNotDistinct }: UniqueIndex): Promise<boolean> {
  const columns = keys.map((key) => `(${key})`).join(', ');
  const condition = [
    ...(predicate === null ? [] : [predicate]),
    ...(nullsNotDistinct ? [] : keys.map((key) => `(${key}) is not null`)),
    'true',
  ].join(' and ');
  const duplicates = await queryWithTimeout(
    app,
    sql`select from ${sql.raw(table)} where ${sql.raw(condition)}
      group by ${sql.raw(columns)} having count(*) > 1 limit 1`,
    { timeoutMs, settings: withoutIndexes },
  );
  return duplicates.length === 0;
}
