import type { App } from '../../platform/app.ts';
import { defineCache, evictAll } from '../../platform/caching/define-cache.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { ipBlocksChanged } from '../events.ts';
import { compileIpMatcher, type IpMatcher, type IpRule } from './ip-matcher.ts';
import type { IpBlockSeverity } from './tables.ts';

const rulesQuery = preparedQuery<IpRule>()((db, { now }: { now: Date }) =>
  db
    .selectFrom('ip_blocks')
    .select(['ip', 'severity', 'expires_at'])
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)])),
);

const matcherCache = defineCache<'matcher', IpMatcher>({
  name: 'users.ip_matcher',
  maxSize: 1,
  ttlMs: 60_000,
  load: async (app) => compileIpMatcher(await rulesQuery(app, { now: app.clock.now() })),
  evictOn: [evictAll(ipBlocksChanged)],
});

/** Returns the severity of the strictest block of an IP address; undefined if it is not blocked. */
export async function ipSeverity(app: App, ip: string): Promise<IpBlockSeverity | undefined> {
  return (await matcherCache.get(app, 'matcher')).severityOf(ip, app.clock.now());
}

/**
 * Returns whether every request from an IP address is refused. Asked for each request: it answers at once while the
 * blocks are cached.
 */
export function isAccessDenied(app: App, ip: string): boolean | Promise<boolean> {
  const matcher = matcherCache.peek(app, 'matcher');
  if (matcher !== undefined) return matcher.severityOf(ip, app.clock.now()) === 'no_access';
  return ipSeverity(app, ip).then((severity) => severity === 'no_access');
}
