import { AsyncLocalStorage } from 'node:async_hooks';

const transactionScope = new AsyncLocalStorage<boolean>();

/**
 * Runs the callback of a transaction so that `refuseSecondConnection` throws inside it. For tests and development: a
 * transaction that takes a second connection waits for one while it holds one, and as many of them as the pool has
 * connections wait for ever.
 */
export function withSingleConnection<Result>(run: () => Promise<Result>): Promise<Result> {
  return transactionScope.run(true, run);
}

/** Throws inside `holdingConnection`. */
export function assertNoOpenTransaction(): void {
  if (transactionScope.getStore() === true) throw new Error('a transaction must not take a second connection');
}
