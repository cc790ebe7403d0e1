import type { Logger } from 'pino';
import type { App } from './app.ts';
import { DatabaseUnavailable } from './database/database-unavailable.ts';

const logIntervalMs = 10_000;

/** What is said of a shortage on this machine, by the system's error code. */
const resourceErrors: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EMFILE: 'this process may not open more files or sockets (ulimit -n)',
  ENFILE: 'the system cannot open more files or sockets',
};

/** Returns what is short or away when the same work may succeed later; undefined for any other error. */
export function describeTemporaryFailure(error: unknown): string | undefined {
  if (error instanceof DatabaseUnavailable) return 'the database is unavailable';
  return resourceErrors[(error as NodeJS.ErrnoException | undefined)?.code ?? ''];
}

/** By log and message: when it was logged last. */
const lastLoggedAt = new WeakMap<Logger, Map<string, number>>();

/**
 * Returns whether an error is a temporary failure. Logs it in a line without a stack, and the same kind again only after
 * ten seconds: an outage fails every request and every worker.
 */
export function reportTemporaryFailure(app: App, error: unknown): boolean {
  const failure = describeTemporaryFailure(error);
  if (failure === undefined) return false;
  warnThrottled(app.log, failure, { reason: (error as Error).message });
  return true;
}

/** Logs a warning, and the same message again only after ten seconds. */
export function warnThrottled(log: Logger, message: string, details: object): void {
  const now = performance.now();
  const times = lastLoggedAt.get(log) ?? new Map<string, number>();
  lastLoggedAt.set(log, times);
  const logged = times.get(message);
  if (logged !== undefined && now - logged < logIntervalMs) return;
  times.set(message, now);
  log.warn(details, message);
}
