import pg from 'pg';
import { firstKey, type ImportRun, type StepTables } from './import-run.ts';
import { batchStatement } from './source-statements.ts';
import { storeStatement } from './target-statements.ts';
import type { ImportedRow, TableImport } from './table-import.ts';

/** A batch of rows of the source. */
interface Batch {
  /** The taken rows as JSON. */
  readonly rows: string;
  /** Number of rows, also of those that are not taken. */
  readonly read: number;
  /** Key of the last row; null if there was none. */
  readonly last: readonly string[] | null;
}

/** A row that the database refused. */
export interface RefusedRow {
  readonly row: ImportedRow;
  readonly reason: string;
}

interface PassOptions {
  /** Takes only rows that changed since then. */
  readonly since?: Date | undefined;
  /** Key of the last row that is not read. */
  readonly after?: readonly string[] | undefined;
  readonly isReplacing: boolean;
  /** Stores how far the pass is, in the transaction of each batch. */
  readonly onBatch: (batch: {
    readonly last: readonly string[];
    readonly refused: readonly RefusedRow[];
  }) => Promise<void>;
  readonly onProgress: (read: number) => void;
}

/** Copies the rows of a table in batches, each in its own transaction. Returns the key of the last one. */
export async function copyTable(
  run: ImportRun,
  table: TableImport,
  tables: StepTables,
  { since, after = firstKey(table), isReplacing, onBatch, onProgress }: PassOptions,
): Promise<void> {
  const read = batchStatement(table, tables, { since, batchSize: run.batchSize });
  const store = storeStatement(table, tables.target, { isReplacing });
  const readBatch = async (key: readonly string[]): Promise<Batch> => {
    const { rows } = await run.source.query<Batch>(read, [...key]);
    return rows[0] ?? { rows: '[]', read: 0, last: null };
  };
  // The source reads the next batch while the target stores this one.
  for (let next = readBatch(after); ;) {
    const batch = await next;
    const { last } = batch;
    if (last === null) return;
    next = readBatch(last);
    // It rejects when it is awaited.
    next.catch(() => {});
    const rows = await prepareRows(table, batch.rows);
    await runTransaction(run.target, async () => {
      const refused = rows === '[]' ? [] : await storeRows(run.target, store, rows);
      await onBatch({ last, refused });
    });
    onProgress(batch.read);
    if (batch.read < run.batchSize) {
      await next;
      return;
    }
  }
}

/** Completes rows by the code of their table. Others pass as the text that the source sent. */
export async function prepareRows({ prepare }: TableImport, text: string): Promise<string> {
  if (prepare === undefined || text === '[]') return text;
  const rows: ImportedRow[] = JSON.parse(text);
  return JSON.stringify(await Promise.all(rows.map(async (row) => prepare(row))));
}

async function runTransaction(client: pg.ClientBase, run: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await run();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/**
 * Stores rows in one statement. If the database refuses one of them, halves of the batch are stored on their own until only the
 * refused rows are left. Returns these.
 */
async function storeRows(client: pg.ClientBase, statement: string, text: string): Promise<readonly RefusedRow[]> {
  await client.query('savepoint batch');
  try {
    await client.query(statement, [text]);
    await client.query('release savepoint batch');
    return [];
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await client.query('rollback to savepoint batch');
    // Rows that pass through without code keep their 64-bit integers as text here.
    const rows = parseLongs(text);
    if (rows.length === 1) return [{ row: rows[0] ?? {}, reason: error.message }];
    const half = Math.ceil(rows.length / 2);
    const first = await storeRows(client, statement, JSON.stringify(rows.slice(0, half)));
    return [...first, ...(await storeRows(client, statement, JSON.stringify(rows.slice(half))))];
  }
}

/** Whether the database refused a value (class 22) or a constraint (class 23). */
const isRefusal = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '');

/** Parses JSON, with integers that a number cannot hold as text. */
function parseLongs(text: string): ImportedRow[] {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
      ? context?.source
      : value,
  ) as ImportedRow[];
}
