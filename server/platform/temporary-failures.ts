import type { Logger } from 'pino';
import { toError } from './errors.ts';
import { ProxyUnavailable } from './outgoing/proxy-unavailable.ts';
import { DatabaseUnavailable } from './wire/database-unavailable.ts';

const logIntervalMs = 10_000;

/** Descriptions of local shortages, by the system's error code. */
const resourceErrors: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EMFILE: 'this process may not open more files or sockets (ulimit -n)',
  ENFILE: 'the system cannot open more files or sockets',
};

/** Returns a description of a temporary failure, after which a retry may succeed; undefined for other errors. */
export function describeTemporaryFailure(error: unknown): string | undefined {
  if (error instanceof DatabaseUnavailable) return 'the database is unavailable';
  if (error instanceof ProxyUnavailable) return 'the proxy of OUTGOING_PROXY is unavailable';
  return resourceErrors[toError(error).code ?? ''];
}

/** Time of the last log line, by log and message. */
const lastLoggedAt = new WeakMap<Logger, Map<string, number>>();

/**
 * Returns whether an error is a temporary failure. Logs it without a stack, each kind at most every ten seconds: an
 * outage fails every request and every worker.
 */
export function reportTemporaryFailure({ log }: { readonly log: Logger }, error: unknown): boolean {
  const failure = describeTemporaryFailure(error);
  if (failure === undefined) return false;
  warnThrottled(log, failure, { reason: toError(error).message });
  return true;
}

/** Logs a warning, at most every ten seconds per message, or as often as `intervalMs` says. */
export function warnThrottled(log: Logger, message: string, details: object, intervalMs = logIntervalMs): void {
  const now = performance.now();
  const times = lastLoggedAt.get(log) ?? new Map<string, number>();
  lastLoggedAt.set(log, times);
  const logged = times.get(message);
  if (logged !== undefined && now - logged < intervalMs) return;
  times.set(message, now);
  log.warn(details, message);
}
