import pg from 'pg';
import { tablesOf, type ImportRun } from './import-run.ts';
import { countStatement } from './source-statements.ts';
import type { TableImport, TableNotTaken } from './table-import.ts';

/** What happens to the rows of a table of the source. */
export interface CountedTable {
  readonly table: TableImport;
  /** Rows of the source. */
  readonly total: number;
  readonly taken: number;
  /** Rows that are not taken, by the reason. */
  readonly leftOut: readonly { readonly reason: string; readonly count: number }[];
}

/** Rows of a table that is not imported. */
export interface CountedLoss {
  readonly from: string;
  readonly reason: string;
  readonly count: number;
}

/** Counts the rows of each step. */
export async function countTables(run: ImportRun, onProgress: (share: number) => void): Promise<CountedTable[]> {
  const counted: CountedTable[] = [];
  for (const [index, table] of run.plan.tables.entries()) {
    const tables = tablesOf(run, table);
    if (tables === undefined) continue;
    onProgress(index / run.plan.tables.length);
    const { rows } = await run.source.query<Record<string, number>>(countStatement(table, tables.source));
    const [row = {}] = rows;
    const leftOut = Object.keys(table.leftOut ?? {}).map((reason, index) => ({
      reason,
      count: row[`left_${index}`] ?? 0,
    }));
    counted.push({
      table,
      total: row['total'] ?? 0,
      taken: row['taken'] ?? 0,
      leftOut: leftOut.filter(({ count }) => count > 0),
    });
  }
  return counted;
}

/** Counts the rows of tables that are not imported, also of those that this version does not know. */
export async function countLosses({ source, sourceTables, plan }: ImportRun): Promise<CountedLoss[]> {
  const known = new Set([...plan.tables, ...plan.notTaken].map(({ from }) => from));
  const unknown = [...sourceTables.keys()].filter((name) => !known.has(name));
  const notTaken: readonly TableNotTaken[] = [
    ...plan.notTaken,
    ...unknown.map((from) => ({ from, reason: 'this version does not know the table' })),
  ];
  const losses: CountedLoss[] = [];
  for (const { from, reason, where = 'true' } of notTaken) {
    if (!sourceTables.has(from)) continue;
    const { rows } = await source.query<{ count: number }>(
      `select count(*)::int as count from ${pg.escapeIdentifier(from)} s where ${where}`,
    );
    const count = rows[0]?.count ?? 0;
    if (count > 0) losses.push({ from, reason, count });
  }
  return losses.toSorted((a, b) => a.from.localeCompare(b.from));
}
