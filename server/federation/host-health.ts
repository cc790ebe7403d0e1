import { sql, type RawBuilder } from 'kysely';
import { perApp, type App } from '../platform/app.ts';
import { Cache } from '../platform/cache.ts';
import { transaction } from '../platform/database/transaction.ts';

/** A host to which nothing could be delivered for so long gets nothing new until it speaks to us. */
const deadAfterDays = 7;
const healthyHostTtlMs = 60_000;

/** Bus channel: deliveries to these hosts fail. */
const hostsFailing = 'federation:hosts-failing';

/** Hosts that were heard of lately and to which nothing has failed since. */
const healthyHosts = perApp((app) => {
  const healthy = new Cache<string, true>({ size: 20_000, ttl: healthyHostTtlMs });
  app.bus.subscribe(hostsFailing, (hosts) => {
    for (const host of hosts as string[]) healthy.delete(host);
  });
  app.bus.onGap(() => healthy.clear());
  return healthy;
});

/** Makes every process check these hosts again at their next activity. */
export function publishHostFailures(app: App, hosts: readonly string[]): void {
  if (hosts.length > 0) app.bus.publish(hostsFailing, hosts);
}

/** Condition that deliveries to a row of `hosts` have failed for a week without a success. */
export function isDeadHost(hosts: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${hosts}.${name}`);
  return sql<boolean>`coalesce(${column('last_failure_at')} - ${column('failing_since')} >= ${`${deadAfterDays} days`}::interval, false)`;
}

/**
 * Records that a host sent us a verified activity, so it is alive: deliveries to it are tried again now, inboxes that were
 * gone included. A wait that the host asked for stays. Reads once a minute per host, and writes only if something changes.
 */
export async function recordHostAlive(app: App, host: string): Promise<void> {
  const healthy = healthyHosts(app);
  if (healthy.get(host) !== undefined) return;
  healthy.set(host, true);
  const { rows } = await sql<{ isFailing: boolean }>`
    select exists (select from hosts where domain = ${host} and (failures > 0 or failing_since is not null))
      or exists (select from gone_inboxes where split_part(url, '/', 3) = ${host}) as "isFailing"`.execute(app.db);
  if (rows[0]?.isFailing === true) await resumeHost(app, host);
}

async function resumeHost(app: App, host: string): Promise<void> {
  const now = app.clock.now();
  await transaction(app, async ({ db, afterCommit }) => {
    await sql`delete from gone_inboxes where split_part(url, '/', 3) = ${host}`.execute(db);
    await sql`update hosts set failures = 0, failing_since = null,
        unavailable_until = case when retry_after > ${now} then unavailable_until end
      where domain = ${host}`.execute(db);
    await sql`update deliveries set run_at = ${now}
      where host = ${host} and run_at > ${now} and leased_until is null and not exists (
        select from hosts where domain = ${host} and (paused_at is not null or retry_after > ${now}))`.execute(db);
    afterCommit(() => app.wakeWorkers(['deliveries']));
  });
}
