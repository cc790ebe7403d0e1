import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { LoadingCache } from '../platform/caching/cache.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';

const maxPeers = 100_000;

/** Jumps from domain to domain in the index, however many accounts each has. */
const listDomainsFrom = preparedQuery<{ domain: string }>()(
  (db, args: { from: string; end: string; count: number }) => ({
    compile: () =>
      sql<{ domain: string }>`
      with recursive known (domain) as (
        select min(domain) from accounts where domain >= ${args.from}::text and domain < ${args.end}::text
        union all
        select (select min(a.domain) from accounts a where a.domain > known.domain and a.domain < ${args.end}::text)
        from known where known.domain is not null
      )
      select domain from known where domain is not null
        and not exists (select 1 from domain_blocks b where b.domain = known.domain and b.severity = 'suspend')
      order by domain limit ${args.count}::int`.compile(db),
  }),
);

/** Sorts after every domain. */
const afterAllDomains = '\u{10ffff}';

export const peersCache = new LoadingCache<'domains', readonly string[]>({
  name: 'instance.peers',
  maxSize: 1,
  ttlMs: 5 * 60_000,
  load: async (app) =>
    (await listDomainsFrom(app, { from: '', end: afterAllDomains, count: maxPeers })).map(({ domain }) => domain),
});

/** Lists the domains of all known servers, without blocked ones. Up to five minutes old. */
export const listPeers = (app: App): Promise<readonly string[]> => peersCache.get(app, 'domains');

/** Returns up to ten domains of known servers that begin with `start`. */
export async function searchPeers(app: App, start: string): Promise<string[]> {
  const from = start.trim().toLowerCase();
  if (from === '') return [];
  return (await listDomainsFrom(app, { from, end: `${from}${afterAllDomains}`, count: 10 })).map(
    ({ domain }) => domain,
  );
}
