import { sql, type RawBuilder } from 'kysely';
import type { App } from '../platform/app.ts';
import { Cache } from '../platform/caching/cache.ts';
import { evict } from '../platform/caching/cache-reactions.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { deliveriesScheduled, deliveryFailed } from './events.ts';

/** After this many days without a successful delivery, a host gets nothing new until it sends an activity. */
const deadAfterDays = 7;

/** Hosts that sent an activity in the last minute and to which no delivery has failed since. */
export const healthyHosts = new Cache<string, true>({
  name: 'federation.healthy_hosts',
  maxSize: 20_000,
  ttlMs: 60_000,
  evictOn: [evict(deliveryFailed, ({ host }) => [host])],
});

/** Condition that deliveries to a row of `hosts` have failed for a week without a success. */
export function isDeadHost(hosts: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${hosts}.${name}`);
  return sql<boolean>`coalesce(${column('last_failure_at')} - ${column('failing_since')} >= ${`${deadAfterDays} days`}::interval, false)`;
}

/** Hosts to which a fetch resumed the deliveries in the last minute. They may fail nevertheless. */
export const reachedHosts = new Cache<string, true>({
  name: 'federation.reached_hosts',
  maxSize: 20_000,
  ttlMs: 60_000,
});

/** Records that a host answered a fetch, as `recordHostAlive` does. Resumes the deliveries at most once a minute. */
export async function recordHostReached(app: App, host: string): Promise<void> {
  if (reachedHosts.peek(app, host) !== undefined) return;
  if (await recordHostAlive(app, host)) reachedHosts.set(app, host, true);
}

/**
 * Records that a host sent a verified activity. Deliveries to it become due now, and inboxes that were gone get new ones. A
 * wait that the host asked for remains. Reads once a minute per host, and writes only if something changes. Returns whether
 * it does.
 */
export async function recordHostAlive(app: App, host: string): Promise<boolean> {
  if (healthyHosts.peek(app, host) !== undefined) return false;
  healthyHosts.set(app, host, true);
  const { rows } = await sql<{ isFailing: boolean }>`
    select exists (select from hosts where domain = ${host} and (failures > 0 or failing_since is not null))
      or exists (select from gone_inboxes where split_part(url, '/', 3) = ${host}) as "isFailing"`.execute(app.db);
  if (rows[0]?.isFailing !== true) return false;
  await resumeHost(app, host);
  return true;
}

async function resumeHost(app: App, host: string): Promise<void> {
  const now = app.clock.now();
  await transaction(app, async ({ db, emit }) => {
    await sql`delete from gone_inboxes where split_part(url, '/', 3) = ${host}`.execute(db);
    await sql`update hosts set failures = 0, failing_since = null, resumed_at = ${now},
        unavailable_until = case when retry_after > ${now} then unavailable_until end
      where domain = ${host}`.execute(db);
    await advanceDeliveries(app, db, [host]);
    emit(deliveriesScheduled({}));
  });
}

/** Makes the waiting deliveries to hosts due now, unless staff paused a host or it asked to wait. */
export async function advanceDeliveries(app: App, db: Transaction['db'], hosts: readonly string[]): Promise<void> {
  const now = app.clock.now();
  await sql`update deliveries set run_at = ${now}
    where host = any(${[...hosts]}::text[]) and run_at > ${now} and leased_until is null and not exists (
      select from hosts where domain = deliveries.host and (paused_at is not null or retry_after > ${now}))`.execute(
    db,
  );
}
