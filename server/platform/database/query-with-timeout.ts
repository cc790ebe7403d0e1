import { sql, type RawBuilder } from 'kysely';
import type { App } from '../app.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { fullDatabase } from './read-database.ts';

interface TimeoutOptions {
  readonly timeoutMs: number;
  /** Numbers of PostgreSQL's configuration, for this query. */
  readonly settings?: Readonly<Record<string, number>>;
}

/**
 * Runs a reading query that PostgreSQL cancels after `timeoutMs`, for queries whose cost depends on what a user typed.
 * Costs two more round trips. Throws DatabaseUnavailable if it was cancelled.
 */
export async function queryWithTimeout<Row>(
  app: App,
  query: RawBuilder<unknown>,
  { timeoutMs, settings = {} }: TimeoutOptions,
): Promise<Row[]> {
  try {
    return await fullDatabase(app)
      .transaction()
      .setAccessMode('read only')
      .execute(async (db) => {
        await sql`set local statement_timeout = ${sql.lit(timeoutMs)}`.execute(db);
        for (const [name, value] of Object.entries(settings))
          await sql`set local ${sql.ref(name)} = ${sql.lit(value)}`.execute(db);
        return (await query.execute(db)).rows as Row[];
      });
  } catch (error) {
    throw isStatementCancelled(error) ? new DatabaseUnavailable(error) : error;
  }
}

/** SQLSTATE of a statement that exceeded `statement_timeout`. */
const queryCanceled = '57014';

/** Whether an error means that PostgreSQL cancelled a statement because it took too long. */
export const isStatementCancelled = (error: unknown): boolean => (error as { code?: string }).code === queryCanceled;
