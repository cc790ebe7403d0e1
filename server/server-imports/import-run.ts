import type pg from 'pg';
import { describeTables, type DescribedTable, type DescribedTables } from './describe-tables.ts';
import { ServerImportError } from './server-import-error.ts';
import { batchStatement } from './source-statements.ts';
import { keyOf, type ImportPlan, type TableImport } from './table-import.ts';

/** Both databases of an import, with their tables. */
export interface ImportRun {
  /** The source. Its sessions only read. */
  readonly source: pg.ClientBase;
  readonly target: pg.ClientBase;
  readonly sourceTables: DescribedTables;
  readonly targetTables: DescribedTables;
  readonly plan: ImportPlan;
  readonly batchSize: number;
}

/** The tables of a step in both databases. */
export interface StepTables {
  readonly source: DescribedTable;
  readonly target: DescribedTable;
}

/** Describes both databases and checks that the source has all columns of the plan. Throws ServerImportError. */
export async function prepareRun(parts: {
  readonly source: pg.ClientBase;
  readonly target: pg.ClientBase;
  readonly plan: ImportPlan;
  readonly batchSize?: number;
}): Promise<ImportRun> {
  const { source, target, plan, batchSize = 2_000 } = parts;
  const run = {
    source,
    target,
    plan,
    batchSize,
    sourceTables: await describeTables(source),
    targetTables: await describeTables(target),
  };
  for (const table of plan.tables) {
    const tables = tablesOf(run, table);
    if (tables === undefined) continue;
    const after = firstKey(table);
    await source.query(batchStatement(table, tables, { batchSize: 0 }), [...after]).catch((error: unknown) => {
      throw new ServerImportError(
        `The table ${table.from} of the source is not as expected (${error instanceof Error ? error.message : String(error)}).`,
      );
    });
  }
  return run;
}

/** Returns the tables of a step; undefined if the version of the source lacks its table. Throws ServerImportError. */
export function tablesOf(
  { sourceTables, targetTables }: Pick<ImportRun, 'sourceTables' | 'targetTables'>,
  { from, into, isNewTable = false }: TableImport,
): StepTables | undefined {
  const target = targetTables.get(into);
  if (target === undefined) throw new Error(`there is no table ${into}`);
  const source = sourceTables.get(from);
  if (source === undefined && !isNewTable) throw new ServerImportError(`The source has no table ${from}.`);
  return source === undefined ? undefined : { source, target };
}

/** The key before all rows. Ids of special accounts are negative. */
export const firstKey = (table: TableImport): readonly string[] => keyOf(table).map(() => '-9223372036854775808');
