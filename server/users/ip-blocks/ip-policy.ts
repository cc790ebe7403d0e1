import { perApp, type App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { evictAll } from '../../platform/caching/cache-reactions.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { RoleId } from '../../platform/ids.ts';
import { standardRoles } from '../access/roles.ts';
import { ipBlocksChanged } from '../events.ts';
import { compileIpMatcher, type IpMatcher, type IpRule } from './ip-matcher.ts';
import type { IpBlockSeverity } from './tables.ts';

const rulesQuery = preparedQuery<IpRule>()((db, { now }: { now: Date }) =>
  db
    .selectFrom('ip_blocks')
    .select(['ip', 'severity', 'expires_at'])
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)])),
);

/** The blocks that were loaded last, for times when the database does not answer. */
const lastMatcher = perApp((): { current: IpMatcher | undefined } => ({ current: undefined }));

export const matcherCache = new LoadingCache<'matcher', IpMatcher>({
  name: 'users.ip_matcher',
  maxSize: 1,
  // Events evict it, and the matcher itself knows when blocks expire.
  ttlMs: 3_600_000,
  load: async (app) => {
    const rules = await rulesQuery(app, { now: app.clock.now() });
    const last = lastMatcher(app);
    return (last.current = await compileIpMatcher(rules, last.current));
  },
  evictOn: [evictAll(ipBlocksChanged)],
});

/** Returns the current blocks, or the last known ones if they cannot be loaded. Throws if none were loaded yet. */
async function loadMatcher(app: App): Promise<IpMatcher> {
  try {
    return await matcherCache.get(app, 'matcher');
  } catch (error) {
    const { current } = lastMatcher(app);
    if (current === undefined) throw error;
    return current;
  }
}

/** Returns the severity of the strictest block of an IP address; undefined if it is not blocked. */
export async function ipSeverity(app: App, ip: string): Promise<IpBlockSeverity | undefined> {
  return (await loadMatcher(app)).severityOf(ip, app.clock.now());
}

/** Returns whether users with a role may use the server from a blocked address: owners, who can always undo a block. */
export const passesIpBlocks = (roleId: RoleId): boolean => roleId === standardRoles.owner;

/**
 * Returns whether requests from an IP address are refused, except those of `passesIpBlocks`. Asked for each request: it answers at once while the
 * blocks are cached.
 */
export function isAccessDenied(app: App, ip: string): boolean | Promise<boolean> {
  const matcher = matcherCache.peek(app, 'matcher');
  if (matcher !== undefined) return matcher.severityOf(ip, app.clock.now()) === 'no_access';
  return ipSeverity(app, ip).then((severity) => severity === 'no_access');
}
