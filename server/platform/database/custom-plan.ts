import { sql, type RawBuilder } from 'kysely';
import type { App } from '../app.ts';
import { fullDatabase } from './read-database.ts';

/**
 * Runs a query that PostgreSQL plans for its actual parameters. Every other statement has one generic plan
 * (`openPool`). That plan is wrong where one value matches most of a table and the next none of it, such as the words
 * of a full-text search. Planning costs about a millisecond and two more round trips.
 */
export function queryWithCustomPlan<Row>(app: App, query: RawBuilder<Row>): Promise<Row[]> {
  return fullDatabase(app)
    .transaction()
    .setAccessMode('read only')
    .execute(async (db) => {
      await sql`set local plan_cache_mode = force_custom_plan`.execute(db);
      return (await query.execute(db)).rows;
    });
}
