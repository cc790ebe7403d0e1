import type { QueryResult, RawBuilder } from 'kysely';
import type { App } from '../app.ts';
import { writeThroughPool } from './connect.ts';

/**
 * Runs one writing statement in a transaction of its own and in one round trip; `transaction` needs three. For claims,
 * leases and counters, which run often and emit no events. Everything else uses `transaction`. `withIndexes`: for tables
 * whose rows are soon deleted. PostgreSQL expects few rows there, and would read the whole table with all deleted ones.
 */
export async function writeStatement<Row>(
  app: App,
  query: RawBuilder<Row>,
  { withIndexes = false }: { readonly withIndexes?: boolean } = {},
): Promise<QueryResult<Row>> {
  const { sql, parameters } = query.compile(app.db);
  app.queries.count += 1;
  const { rows, rowCount } = await writeThroughPool(app.pool, sql, parameters, { withIndexes });
  return { rows: rows as Row[], ...(rowCount !== null && { numAffectedRows: BigInt(rowCount) }) };
}
