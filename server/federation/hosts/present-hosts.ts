import type { FederationQueue, ListedHost } from './list-hosts.ts';
import type { AdminFederationQueue, AdminHost } from './schema.ts';

/** Builds the JSON of a server. */
export const presentHost = ({ unavailable_until, ...host }: ListedHost): AdminHost => ({
  ...host,
  failing_since: toText(host.failing_since),
  last_success_at: toText(host.last_success_at),
  last_failure_at: toText(host.last_failure_at),
  paused_at: toText(host.paused_at),
  next_attempt_at: toText(unavailable_until),
});

/** Builds the JSON of a count. */
export const presentQueue = (queue: FederationQueue): AdminFederationQueue => ({
  ...queue,
  first_due_at: toText(queue.first_due_at),
});

const toText = (time: Date | null): string | null => time?.toISOString() ?? null;
