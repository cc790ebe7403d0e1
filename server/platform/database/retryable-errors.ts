import { isStatementCancelled } from './query-with-timeout.ts';

/** SQLSTATEs of a serialization failure and a deadlock. */
const conflictSqlStates: ReadonlySet<string> = new Set(['40001', '40P01']);

/**
 * Returns whether a statement failed because it took too long or was in conflict with another one, so that it may succeed
 * later. Some take too long every time, so retry only a few times.
 */
export const isRetryableStatementError = (error: unknown): boolean =>
  isStatementCancelled(error) || conflictSqlStates.has((error as { code?: string }).code ?? '');
