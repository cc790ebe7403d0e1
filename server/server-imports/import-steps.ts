import type pg from 'pg';
import type { SourceKind, TableImport } from './table-import.ts';

/** How far a step is. */
export interface StepState {
  /** Key of the last row that was read; null: none yet. */
  readonly cursor: readonly string[] | null;
  readonly startedAt: Date;
  /** Null: the first pass has not ended. */
  readonly finishedAt: Date | null;
  readonly refused: number;
}

/** Loads how far each step is, by its name. */
export async function loadSteps(client: pg.ClientBase): Promise<ReadonlyMap<string, StepState>> {
  const { rows } = await client.query<StepState & { name: string }>(
    `select name, cursor::text[] as cursor, started_at as "startedAt", finished_at as "finishedAt", refused
      from server_import_steps`,
  );
  return new Map(rows.map(({ name, ...state }) => [name, state]));
}

/** Records that a pass of a step begins. `startedAt`: time of the source. */
export async function startStep(
  client: pg.ClientBase,
  { name }: TableImport,
  { source, startedAt }: { readonly source: SourceKind; readonly startedAt: Date },
): Promise<void> {
  await client.query(
    'insert into server_import_steps (name, started_at, source) values ($1, $2, $3) on conflict do nothing',
    [name, startedAt, source],
  );
}

/** Records a stored batch. `cursor`: key of its last row; undefined if the pass reads old rows again. */
export async function advanceStep(
  client: pg.ClientBase,
  { name }: TableImport,
  { cursor, refused }: { readonly cursor?: readonly string[]; readonly refused: number },
): Promise<void> {
  await client.query(
    'update server_import_steps set cursor = coalesce($2::bigint[], cursor), refused = refused + $3 where name = $1',
    [name, cursor ?? null, refused],
  );
}

/** Records that a pass of a step ended, which began at `startedAt`. */
export async function finishStep(client: pg.ClientBase, { name }: TableImport, startedAt: Date): Promise<void> {
  await client.query('update server_import_steps set started_at = $2, finished_at = now() where name = $1', [
    name,
    startedAt,
  ]);
}
