import type { App } from '../app.ts';
import { isStatementCancelled } from './query-with-timeout.ts';
import { cancelStatement } from '../wire/cancel-statement.ts';
import { assertReadStatement } from '../wire/read-statement.ts';

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Runs a reading statement, which PostgreSQL cancels once the signal aborts. Then throws the reason of the signal. Unlike
 * `queryWithTimeout` it costs no further round trip, unless the statement is cancelled.
 */
export async function queryUntilAborted<Row extends object>(
  app: Pick<App, 'pool' | 'queries'>,
  { text, values }: Statement,
  signal: AbortSignal,
): Promise<Row[]> {
  assertReadStatement(text);
  signal.throwIfAborted();
  app.queries.count += 1;
  const client = await app.pool.connect();
  let cancellation: Promise<void> | undefined;
  // If it does not arrive, the statement runs until the pool's own timeout.
  const cancel = (): void => void (cancellation = cancelStatement(client));
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    return (await client.query<Row>(text, [...values])).rows;
  } catch (error) {
    throw signal.aborted && isStatementCancelled(error) ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', cancel);
    // A request that is on its way might cancel a statement of the next user of the connection.
    await cancellation;
    client.release();
  }
}
