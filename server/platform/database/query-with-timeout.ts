import { sql, type RawBuilder } from 'kysely';
import type { App } from '../app.ts';
import { fullDatabase } from './read-database.ts';

/**
 * Runs a reading query that PostgreSQL cancels after `timeoutMs`, for queries whose cost depends on what a user typed.
 * Costs two more round trips.
 */
export function queryWithTimeout<Row>(app: App, query: RawBuilder<unknown>, timeoutMs: number): Promise<Row[]> {
  return fullDatabase(app)
    .transaction()
    .setAccessMode('read only')
    .execute(async (db) => {
      await sql`set local statement_timeout = ${sql.lit(timeoutMs)}`.execute(db);
      return (await query.execute(db)).rows as Row[];
    });
}
