import type pg from 'pg';
import type { App } from '../app.ts';
import { isStatementCancelled } from './query-with-timeout.ts';
import { assertReadStatement } from './read-statement.ts';

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Runs a reading statement, which PostgreSQL cancels once the signal aborts. Then throws the reason of the signal. Unlike
 * `queryWithTimeout` it costs no further round trip, unless the statement is cancelled.
 */
export async function queryUntilAborted<Row extends object>(
  app: App,
  { text, values }: Statement,
  signal: AbortSignal,
): Promise<Row[]> {
  assertReadStatement(text);
  signal.throwIfAborted();
  app.queries.count += 1;
  const client = await app.pool.connect();
  let isRunning = true;
  let cancellation: Promise<void> | undefined;
  const cancel = (): void => {
    cancellation = cancelStatement(app.pool, client, () => isRunning);
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    return (await client.query<Row>(text, [...values])).rows;
  } catch (error) {
    throw signal.aborted && isStatementCancelled(error) ? signal.reason : error;
  } finally {
    isRunning = false;
    signal.removeEventListener('abort', cancel);
    // Otherwise it might cancel a statement of the next user of the connection.
    await cancellation;
    client.release();
  }
}

/** If this fails, the statement runs until the pool's own timeout. */
async function cancelStatement(pool: pg.Pool, client: pg.PoolClient, isRunning: () => boolean): Promise<void> {
  const { processID } = client as unknown as { processID: number };
  try {
    const other = await pool.connect();
    try {
      if (isRunning()) await other.query('select pg_cancel_backend($1::int)', [processID]);
    } finally {
      other.release();
    }
  } catch {}
}
