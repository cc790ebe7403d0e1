import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { evictAll } from '../../platform/caching/cache-reactions.ts';
import { hostPauseChanged } from '../events.ts';

/** Query of the hosts whose deliveries staff paused. */
export const pausedHosts: RawBuilder<{ domain: string }> = sql`select domain from hosts where paused_at is not null`;

export const pausedHostsCache = new LoadingCache<'hosts', ReadonlySet<string>>({
  name: 'federation.paused_hosts',
  maxSize: 1,
  ttlMs: 60_000,
  load: async ({ db }) => new Set((await pausedHosts.execute(db)).rows.map(({ domain }) => domain)),
  evictOn: [evictAll(hostPauseChanged)],
});

/** Returns whether staff paused the deliveries to a host. Cached. */
export async function isPausedHost(app: App, host: string): Promise<boolean> {
  return (await pausedHostsCache.get(app, 'hosts')).has(host);
}
