import { AsyncLocalStorage } from 'node:async_hooks';

const transactionScope = new AsyncLocalStorage<boolean>();

/**
 * Runs the callback of a transaction so that `assertNoOpenTransaction` throws inside it. For tests and development: a
 * transaction that takes a second connection can deadlock once as many of them run as the pool has connections.
 */
export function withSingleConnection<Result>(run: () => Promise<Result>): Promise<Result> {
  return transactionScope.run(true, run);
}

/** Throws inside `withSingleConnection`. */
export function assertNoOpenTransaction(): void {
  if (transactionScope.getStore() === true) throw new Error('a transaction must not take a second connection');
}
