import { sql, type RawBuilder } from 'kysely';
import type { App } from '../app.ts';
import type { Tables } from './tables.ts';

/** A number of rows. */
export interface Estimate {
  readonly number: number;
  /** Whether all rows were examined. */
  readonly isExact: boolean;
}

/** Some rows of a table. */
export interface TableSample {
  /** SQL: the item of a `from` clause. */
  readonly rows: RawBuilder<unknown>;
  /** Returns the number of rows in the table like those of which the sample has this number. */
  readonly estimate: (number: number) => Estimate;
}

/** Pages of 8 KB that a sample has on average: 4 MB. */
const pagesPerSample = 500;
const pageBytes = 8_192;

/** Returns a sample of about 500 pages of a table, or all of a smaller one. */
export async function sampleTable(app: App, table: keyof Tables): Promise<TableSample> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_relation_size(${table}::regclass)::float8 as bytes`.execute(app.db);
  const percent = Math.min(100, (100 * pagesPerSample * pageBytes) / Math.max(rows[0]?.bytes ?? 0, 1));
  return {
    rows: sql`${sql.table(table)} tablesample system (${percent}::real)`,
    estimate: (number) => ({ number: Math.round((number * 100) / percent), isExact: percent === 100 }),
  };
}
