import pg from 'pg';
import { firstKey, tablesOf, type ImportRun, type StepTables } from './import-run.ts';
import { prepareRows } from './copy-table.ts';
import type { CountedTable } from './count-rows.ts';
import { batchStatement } from './source-statements.ts';
import { keyOf, targetKeyOf, type TableImport } from './table-import.ts';
import { compareStatement } from './target-statements.ts';

const sampleSize = 100;

/** Rows of a step that were compared. */
interface Sample {
  readonly sampled: number;
  readonly stored: number;
  /** Those with the same values. */
  readonly equal: number;
}

/** The result of an import for one step. */
export interface VerifiedTable extends Sample {
  readonly name: string;
  /** Rows of the source that are taken, by all steps of the table. */
  readonly expected: number;
  /**
   * Rows of the table, without those that a new database has. Fewer are stored if rows belong to others that were not taken, or
   * exist twice; more if rows that a later run does not delete are gone from the source.
   */
  readonly total: number;
}

const noSample: Sample = { sampled: 0, stored: 0, equal: 0 };

/** Counts the rows of each table, and compares rows from two places of each with the source. */
export async function verifyTables(
  run: ImportRun,
  counted: readonly CountedTable[],
  onProgress: (share: number) => void,
): Promise<VerifiedTable[]> {
  const verified: VerifiedTable[] = [];
  for (const [index, { table, taken }] of counted.entries()) {
    const tables = tablesOf(run, table);
    if (tables === undefined || taken === 0) continue;
    onProgress(index / counted.length);
    const sample = targetKeyOf(table) === undefined ? noSample : await compareSample(run, table, tables);
    const twins = counted.filter((other) => other.table.into === table.into && other.table.isUpdate !== true);
    const expected = table.isUpdate === true ? taken : twins.reduce((sum, twin) => sum + twin.taken, 0);
    const total = table.isUpdate === true ? taken : await countStored(run, table, tables);
    verified.push({ name: table.name, expected, total, ...sample });
  }
  return verified;
}

/** Counts the rows of the table of a step. If a new database has some, only those that the step stored: a batch at most. */
async function countStored(run: ImportRun, table: TableImport, tables: StepTables): Promise<number> {
  if (table.replaces === true)
    return (await compareBatch(run, table, tables, { start: firstKey(table), batchSize: run.batchSize })).stored;
  const quoted = pg.escapeIdentifier(table.into);
  const { rows } = await run.target.query<{ count: number }>(`select count(*)::int as count from ${quoted}`);
  return rows[0]?.count ?? 0;
}

async function compareSample(run: ImportRun, table: TableImport, tables: StepTables): Promise<Sample> {
  const [first = 'id'] = keyOf(table);
  const column = pg.escapeIdentifier(first);
  const { rows: places } = await run.source.query<{ middle: string }>(
    `select ((min(${column})::numeric + max(${column})) / 2)::bigint::text as middle from ${pg.escapeIdentifier(table.from)}`,
  );
  const starts = [firstKey(table), ...places.map(({ middle }) => [middle, ...firstKey(table).slice(1)])];
  let sum = noSample;
  for (const start of starts) {
    const { sampled, stored, equal } = await compareBatch(run, table, tables, { start, batchSize: sampleSize });
    sum = { sampled: sum.sampled + sampled, stored: sum.stored + stored, equal: sum.equal + equal };
  }
  return sum;
}

async function compareBatch(
  run: ImportRun,
  table: TableImport,
  tables: StepTables,
  { start, batchSize }: { readonly start: readonly string[]; readonly batchSize: number },
): Promise<Sample> {
  const read = batchStatement(table, tables, { batchSize });
  const { rows } = await run.source.query<{ rows: string }>(read, [...start]);
  const text = await prepareRows(table, rows[0]?.rows ?? '[]');
  const compared = await run.target.query<Sample>(compareStatement(table, tables.target), [text]);
  return compared.rows[0] ?? noSample;
}
