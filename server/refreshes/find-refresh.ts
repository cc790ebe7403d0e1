import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { batchedQuery } from '../platform/database/batched-query.ts';
import type { RefreshKey } from './tables.ts';

/** The state of a refresh. */
export interface Refresh {
  readonly isRunning: boolean;
  /** Null if the results are not counted. */
  readonly resultCount: number | null;
  readonly startedAt: Date;
}

interface Row {
  readonly result_count: number | null;
  readonly started_at: Date;
  readonly is_running: boolean;
  readonly expires_at: Date;
}

const refreshByKey = batchedQuery<Row>()<{ readonly key: string }>(
  { key: 'text' },
  ({ key }) => sql`
    select result_count, started_at, finished_at is null as is_running, expires_at
    from async_refreshes where key = ${key}`,
);

/** Returns a refresh; undefined if there is none, or it has expired. */
export async function findRefresh(app: App, key: RefreshKey): Promise<Refresh | undefined> {
  const [row] = await refreshByKey(app, { key });
  if (row === undefined || row.expires_at.getTime() <= app.clock.now().getTime()) return undefined;
  return { isRunning: row.is_running, resultCount: row.result_count, startedAt: row.started_at };
}
