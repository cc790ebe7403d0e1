import type pg from 'pg';
import type { App } from '../app.ts';
import { isStatementCancelled } from './query-with-timeout.ts';
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
  app: App,
  { text, values }: Statement,
  signal: AbortSignal,
): Promise<Row[]> {
  assertReadStatement(text);
  signal.throwIfAborted();
  app.queries.count += 1;
  const client = await app.pool.connect();
  const cancellation = new Cancellation(app.pool, client);
  const cancel = (): void => void cancellation.start();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    return (await client.query<Row>(text, [...values])).rows;
  } catch (error) {
    throw signal.aborted && isStatementCancelled(error) ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', cancel);
    await cancellation.end();
    client.release();
  }
}

/** Cancels the statement that runs on a connection, over another one of the pool. */
class Cancellation {
  readonly #pool: pg.Pool;
  readonly #processId: number;
  #isRunning = true;
  #sent: Promise<unknown> | undefined;

  constructor(pool: pg.Pool, client: pg.PoolClient) {
    this.#pool = pool;
    this.#processId = (client as unknown as { readonly processID: number }).processID;
  }

  /** If this fails, the statement runs until the pool's own timeout. */
  async start(): Promise<void> {
    try {
      const other = await this.#pool.connect();
      try {
        if (this.#isRunning) this.#sent = other.query('select pg_cancel_backend($1::int)', [this.#processId]);
        await this.#sent;
      } finally {
        other.release();
      }
    } catch {}
  }

  /**
   * Called when the statement has ended. A request that is on its way must arrive first, or it might cancel a statement of
   * the next user of the connection.
   */
  async end(): Promise<void> {
    this.#isRunning = false;
    await this.#sent?.catch(() => {});
  }
}
