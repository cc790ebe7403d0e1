import { sql } from 'kysely';
import { listKnownDomains } from '../../accounts/remote/index.ts';
import type { App } from '../../platform/app.ts';

/** Follows between local accounts and a domain. */
export interface DomainFollows {
  readonly followers: number;
  readonly following: number;
}

/** Follows that are counted of each domain and subdomain, in each direction. */
const maxCounted = 10_000;

/** Counts the follows between local accounts and each of these domains with its subdomains, as far as `maxCounted`. */
export async function countFollowsWithDomains(
  app: App,
  domains: readonly string[],
): Promise<ReadonlyMap<string, DomainFollows>> {
  if (domains.length === 0) return new Map();
  const requested = new Set(domains);
  const known = (await listKnownDomains(app)).flatMap((domain) => {
    const parents = suffixesOf(domain).filter((suffix) => requested.has(suffix));
    return parents.length === 0 ? [] : [{ domain, parents }];
  });
  const counted = await countByDomain(
    app,
    known.map(({ domain }) => domain),
  );
  const totals = new Map<string, DomainFollows>();
  for (const { domain, parents } of known) {
    const follows = counted.get(domain) ?? { followers: 0, following: 0 };
    for (const parent of parents) totals.set(parent, add(totals.get(parent), follows));
  }
  return totals;
}

const add = (one: DomainFollows = { followers: 0, following: 0 }, other: DomainFollows): DomainFollows => ({
  followers: Math.min(one.followers + other.followers, maxCounted),
  following: Math.min(one.following + other.following, maxCounted),
});

function suffixesOf(domain: string): string[] {
  const labels = domain.replace(/:\d+$/, '').split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

async function countByDomain(app: App, domains: readonly string[]): Promise<ReadonlyMap<string, DomainFollows>> {
  const { rows } = await sql<DomainFollows & { domain: string }>`
    select remote.domain,
      (select count(*)::int from (
        select 1 from accounts a join follows f on f.account_id = a.id join accounts l on l.id = f.target_account_id
        where a.domain = remote.domain and l.domain is null limit ${maxCounted}) follower) as followers,
      (select count(*)::int from (
        select 1 from accounts a join follows f on f.target_account_id = a.id join accounts l on l.id = f.account_id
        where a.domain = remote.domain and l.domain is null limit ${maxCounted}) followed) as following
    from unnest(${domains}::text[]) as remote (domain)`.execute(app.db);
  return new Map(rows.map(({ domain, followers, following }) => [domain, { followers, following }]));
}
