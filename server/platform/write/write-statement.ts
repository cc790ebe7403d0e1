import type { QueryResult, RawBuilder } from 'kysely';
import { rootApp, type App } from '../app.ts';
import { runAlone } from '../wire/pool.ts';
import { transactionStart, type StartOptions } from './transaction-start.ts';

/**
 * Runs one writing statement in a transaction of its own and in one round trip; `transaction` needs two. For claims,
 * leases and counters, which run often and emit no events. Everything else uses `transaction`.
 */
export async function writeStatement<Row>(
  app: App,
  query: RawBuilder<Row>,
  options: StartOptions = {},
): Promise<QueryResult<Row>> {
  const { sql: text, parameters: values } = query.compile(app.db);
  app.queries.count += 1;
  const { rows, rowCount } = await runAlone(rootApp(app).pool, transactionStart('read write', options), {
    text,
    values,
  });
  return { rows: rows as Row[], ...(rowCount !== null && { numAffectedRows: BigInt(rowCount) }) };
}
