import { PostgresDialect, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Only to satisfy the constructor: a transaction uses its executor. */
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('a transaction has its connection')) });

/**
 * Calls `run` with the same transaction, in which statements are sent without waiting for those before: Kysely would send
 * each only when the one before is answered. They run in the order in which they are sent. `run` must not end before its
 * statements; nothing else may use the transaction meanwhile.
 */
export function withConcurrentStatements<Result>(
  transaction: Transaction<Tables>,
  run: (db: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  return transaction.getExecutor().provideConnection((connection) => {
    const executor = transaction
      .getExecutor()
      .withConnectionProvider({ provideConnection: (consumer) => consumer(connection) });
    return run(new Transaction<Tables>({ config: { dialect }, dialect, driver: dialect.createDriver(), executor }));
  });
}
