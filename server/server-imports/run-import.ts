import pg from 'pg';
import { copyTable, type RefusedRow } from './copy-table.ts';
import type { CountedTable } from './count-rows.ts';
import { deleteVanished } from './delete-vanished.ts';
import { tablesOf, type ImportRun, type StepTables } from './import-run.ts';
import { advanceStep, finishStep, loadSteps, startStep, type StepState } from './import-steps.ts';
import { targetKeyOf, type TableImport } from './table-import.ts';

/** A transaction of the source may begin before its rows become visible. */
const overlapMs = 300_000;
const maxExamples = 20;

/** What a run changed. */
export interface ImportResult {
  /** Whether all tables were copied before, so that only changes were taken. */
  readonly isLater: boolean;
  /** Rows that the source no longer has. */
  readonly deleted: number;
  /** Rows that the database refused, in all runs. */
  readonly refused: number;
  /** Some of those of this run, with the columns of their key only: others may be secret. */
  readonly examples: readonly (RefusedRow & { readonly step: string })[];
}

/** Called as rows are read, with the step and the share of all rows that were read. */
type OnProgress = (step: string, share: number) => void;

/**
 * Copies all tables, or goes on where an earlier run ended. After a whole run, the next one takes only what changed since, and
 * deletes what the source no longer has.
 */
export async function runImport(
  run: ImportRun,
  counted: readonly CountedTable[],
  onProgress: OnProgress,
): Promise<ImportResult> {
  const states = await loadSteps(run.target);
  const isLater = counted.every(({ table }) => states.get(table.name)?.finishedAt instanceof Date);
  let deleted = 0;
  if (isLater)
    for (const [index, { table }] of counted.toReversed().entries()) {
      onProgress('Deleting what is gone', index / counted.length);
      deleted += await deleteVanished(run, table);
    }
  const examples: (RefusedRow & { step: string })[] = [];
  const all = counted.reduce((sum, { total }) => sum + total, 1);
  let before = 0;
  for (const { table, total } of counted) {
    const tables = tablesOf(run, table);
    if (tables === undefined) continue;
    let read = 0;
    const show = (): void => onProgress(`Importing ${table.name}`, (before + Math.min(read, total)) / all);
    show();
    await runStep(run, table, {
      tables,
      state: states.get(table.name),
      onRefused: (rows) =>
        examples.push(...rows.slice(0, maxExamples - examples.length).map((each) => exampleOf(table, each))),
      onRead: (rows) => {
        read += rows;
        show();
      },
    });
    before += total;
    if (tables.target.hasIdentity && 'id' in table.columns) await resumeSequence(run.target, table.into);
  }
  await run.target.query('analyze');
  const after = await loadSteps(run.target);
  const refused = [...after.values()].reduce((sum, state) => sum + state.refused, 0);
  return { isLater, deleted, refused, examples };
}

function exampleOf(table: TableImport, { row, reason }: RefusedRow): RefusedRow & { readonly step: string } {
  const key = table.conflictKey ?? targetKeyOf(table) ?? [];
  return { step: table.name, row: Object.fromEntries(key.map((column) => [column, row[column]])), reason };
}

interface StepOptions {
  readonly tables: StepTables;
  readonly state: StepState | undefined;
  readonly onRefused: (rows: readonly RefusedRow[]) => void;
  readonly onRead: (rows: number) => void;
}

async function runStep(
  run: ImportRun,
  table: TableImport,
  { tables, state, onRefused, onRead: onProgress }: StepOptions,
): Promise<void> {
  const now = await sourceTime(run.source);
  const startedAt = state?.finishedAt ? now : (state?.startedAt ?? now);
  await startStep(run.target, table, { source: run.plan.source, startedAt });
  const isLater = state?.finishedAt instanceof Date;
  if (isLater)
    await copyTable(run, table, tables, {
      since: new Date(state.startedAt.getTime() - overlapMs),
      isReplacing: true,
      onProgress,
      onBatch: async ({ refused }) => {
        onRefused(refused);
        await advanceStep(run.target, table, { refused: refused.length });
      },
    });
  await copyTable(run, table, tables, {
    after: state?.cursor ?? undefined,
    isReplacing: isLater || table.replaces === true,
    onProgress,
    onBatch: async ({ last, refused }) => {
      onRefused(refused);
      await advanceStep(run.target, table, { cursor: last, refused: refused.length });
    },
  });
  await finishStep(run.target, table, startedAt);
}

async function sourceTime(source: pg.ClientBase): Promise<Date> {
  const { rows } = await source.query<{ now: Date }>('select now()');
  return rows[0]?.now ?? new Date(0);
}

/** Makes a sequence go on after the imported ids. */
async function resumeSequence(client: pg.ClientBase, table: string): Promise<void> {
  const quoted = pg.escapeIdentifier(table);
  await client.query(`select setval(pg_get_serial_sequence($1, 'id'), greatest(1, (select max(id) from ${quoted})))`, [
    table,
  ]);
}
