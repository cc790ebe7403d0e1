import { sql } from 'kysely';
import type { App } from '../app.ts';
import { minId } from '../ids.ts';
import { writeStatement } from '../write/write-statement.ts';

/** What one batch of a walk examined. */
export interface WalkedBatch {
  readonly examined: number;
  /** The id that was examined last; undefined after the last row. */
  readonly last: string | undefined;
}

interface Walk {
  /** Rows to examine in a run. The last batch may exceed it. */
  readonly maxExamined: number;
  /** Examines a batch of rows in the order of their ids, from the first one after `after`. */
  examine(after: string): Promise<WalkedBatch>;
}

/**
 * Works through a table in turns: examines some rows, from where the last run of `name` stopped to the last row, and
 * then from the start. So a run of a schedule costs the same on every server, and on a small one it examines all rows.
 */
export async function continueWalk(app: App, name: string, { maxExamined, examine }: Walk): Promise<void> {
  const row = await app.db
    .selectFrom('retention_progress')
    .select('last_id')
    .where('kind', '=', name)
    .executeTakeFirst();
  let after: string = row?.last_id ?? minId;
  for (let examined = 0; examined < maxExamined;) {
    const batch = await examine(after);
    examined += batch.examined;
    after = batch.last ?? minId;
    await storeProgress(app, name, after);
    if (batch.last === undefined) return;
  }
}

const storeProgress = (app: App, name: string, lastId: string): Promise<unknown> =>
  writeStatement(
    app,
    sql`insert into retention_progress (kind, last_id) values (${name}, ${lastId}::bigint)
      on conflict (kind) do update set last_id = excluded.last_id`,
  );
