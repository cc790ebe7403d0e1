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
  /** Rows of the table. Fewer are stored if rows belong to others that were not taken, or exist twice. */
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
    const total = table.isUpdate === true ? taken : await countRows(run.target, table.into);
    verified.push({ name: table.name, expected, total, ...sample });
  }
  return verified;
}

async function countRows(client: pg.ClientBase, table: string): Promise<number> {
  const quoted = pg.escapeIdentifier(table);
  const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${quoted}`);
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
    const read = batchStatement(table, tables, { batchSize: sampleSize });
    const { rows } = await run.source.query<{ rows: string }>(read, [...start]);
    const text = await prepareRows(table, rows[0]?.rows ?? '[]');
    const compared = await run.target.query<Sample>(compareStatement(table, tables.target), [text]);
    const { sampled, stored, equal } = compared.rows[0] ?? noSample;
    sum = { sampled: sum.sampled + sampled, stored: sum.stored + stored, equal: sum.equal + equal };
  }
  return sum;
}
