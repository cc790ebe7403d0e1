import { readFileSync } from 'node:fs';
import type { Server } from 'node:net';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { warnThrottled } from '../temporary-failures.ts';

/** The shares of the file descriptors of a process, so that no kind of connection takes those of another. */
export interface DescriptorBudget {
  /** Client connections. */
  readonly incoming: number;
  /** Outgoing connections. */
  readonly outgoing: number;
}

/** Descriptors for files, the log, the event loop, Valkey and mail. */
const reservedDescriptors = 100;
const maxOutgoing = 4_000;

/**
 * Returns how many files and sockets a process may open (`ulimit -n`); undefined if the system does not report it. Node
 * raises its own limit to the hard limit at startup.
 */
export function descriptorLimit(pid: number | 'self' = 'self'): number | undefined {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8')) ?? [];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}

/** Divides `limit` descriptors: a quarter, at most 4,000, for outgoing connections, most of the rest for clients. */
export function allocateDescriptors(limit: number, poolSize: number): DescriptorBudget {
  const quarter = Math.floor(limit / 4);
  const outgoing = Math.min(maxOutgoing, quarter);
  return { outgoing, incoming: Math.max(limit - outgoing - poolSize - reservedDescriptors, quarter) };
}

/**
 * Limits client connections by the descriptors of this process. Further connections are closed and logged; the system
 * would drop them silently, and files and the database would be unreachable too.
 */
export function limitConnections(
  { config, log }: { readonly config: Config; readonly log: Logger },
  server: Server,
): void {
  const limit = descriptorLimit();
  if (limit !== undefined) server.maxConnections = allocateDescriptors(limit, config.DATABASE_POOL).incoming;
  server.on('drop', () =>
    warnThrottled(log, 'too many client connections; new ones are closed', { max: server.maxConnections }),
  );
  // Failing to accept one connection must not end the process.
  server.on('error', (error) => warnThrottled(log, 'a connection could not be accepted', { reason: error.message }));
}
