import type { RawBuilder } from 'kysely';
import type { App } from '../app.ts';
import { DatabaseUnavailable } from '../wire/database-unavailable.ts';
import { runAlone } from '../wire/pool.ts';
import { transactionStart } from '../write/transaction-start.ts';

interface TimeoutOptions {
  readonly timeoutMs: number;
  /** Numbers of PostgreSQL's configuration, for this query. */
  readonly settings?: Readonly<Record<string, number>>;
}

/**
 * Runs a reading query that PostgreSQL cancels after `timeoutMs`, for queries whose cost depends on what a user typed. Throws DatabaseUnavailable if it was cancelled.
 */
export async function queryWithTimeout<Row>(
  app: App,
  query: RawBuilder<unknown>,
  { timeoutMs, settings = {} }: TimeoutOptions,
): Promise<Row[]> {
  const start = transactionStart('read only', { settings: { statement_timeout: timeoutMs, ...settings } });
  const { sql: text, parameters: values } = query.compile(app.db);
  app.queries.count += 1;
  try {
    const { rows } = await runAlone(app.pool, start, { text, values });
    return rows as Row[];
  } catch (error) {
    throw isStatementCancelled(error) ? new DatabaseUnavailable(error) : error;
  }
}

/** SQLSTATE of a statement that exceeded `statement_timeout`. */
const queryCanceled = '57014';

/** Whether an error means that PostgreSQL cancelled a statement because it took too long. */
export const isStatementCancelled = (error: unknown): boolean => (error as { code?: string }).code === queryCanceled;
