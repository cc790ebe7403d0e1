import { readFileSync } from 'node:fs';
import type { Server } from 'node:net';
import type { App } from './app.ts';
import { warnThrottled } from './temporary-failures.ts';

/** How the descriptors of a process are shared out, so that one kind of connection cannot take those of another. */
export interface DescriptorBudget {
  /** Connections of clients. */
  readonly incoming: number;
  /** Connections to other servers. */
  readonly outgoing: number;
}

/** Files, the log, the event loop, Valkey, mail. */
const reservedDescriptors = 100;
const maxOutgoing = 4_000;

/**
 * Returns how many files and sockets a process may have open, as `ulimit -n` says; undefined where the system does not
 * tell. Node raises its own limit to the hard one when it starts.
 */
export function descriptorLimit(pid: number | 'self' = 'self'): number | undefined {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8')) ?? [];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}

/** Shares out `limit` descriptors: a quarter, but not more than 4,000, for connections to others, most of the rest for clients. */
export function allocateDescriptors(limit: number, poolSize: number): DescriptorBudget {
  const quarter = Math.floor(limit / 4);
  const outgoing = Math.min(maxOutgoing, quarter);
  return { outgoing, incoming: Math.max(limit - outgoing - poolSize - reservedDescriptors, quarter) };
}

/**
 * Bounds the connections of clients by the descriptors of this process. Those beyond are closed at once and logged: the
 * system would close them silently, and the database and files would be out of reach too.
 */
export function limitConnections(app: App, server: Server): void {
  const limit = descriptorLimit();
  if (limit !== undefined) server.maxConnections = allocateDescriptors(limit, app.config.DATABASE_POOL).incoming;
  server.on('drop', () =>
    warnThrottled(app.log, 'too many connections of clients; new ones are closed', { max: server.maxConnections }),
  );
  // A failure to accept one connection must not end the process.
  server.on('error', (error) =>
    warnThrottled(app.log, 'a connection could not be accepted', { reason: error.message }),
  );
}
