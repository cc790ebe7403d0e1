import { perApp, type App } from '../platform/app.ts';
import { LoadingCache } from '../platform/cache.ts';

/** Bus channel: staff changed which domains may federate. */
export const domainPolicyChanged = 'federation:domains';

interface Policy {
  /** Domains with which nothing is exchanged, their subdomains included. */
  readonly suspended: ReadonlySet<string>;
  readonly allowed: ReadonlySet<string>;
}

const policies = perApp((app) => {
  const cache = new LoadingCache<'policy', Policy>({ size: 1, ttl: 30_000, load: () => loadPolicy(app) });
  app.bus.subscribe(domainPolicyChanged, () => cache.clear());
  app.bus.onGap(() => cache.clear());
  return cache;
});

/**
 * Says whether nothing may be exchanged with a domain: it, or one above it, is suspended here, or in limited federation
 * mode it is not among those allowed. The port of a host plays no part.
 */
export async function isBlockedDomain(app: App, domain: string): Promise<boolean> {
  return blocks(await policies(app).get('policy'), app, domain);
}

function blocks({ suspended, allowed }: Policy, app: App, host: string): boolean {
  const domain = host.replace(/:\d+$/, '').toLowerCase();
  if (app.config.LIMITED_FEDERATION && !allowed.has(domain) && !allowed.has(host.toLowerCase())) return true;
  if (suspended.size === 0) return false;
  const labels = domain.split('.');
  return labels.some((_, index) => suspended.has(labels.slice(index).join('.')));
}

async function loadPolicy(app: App): Promise<Policy> {
  const [blocked, allowed] = await Promise.all([
    app.db.selectFrom('domain_blocks').select('domain').where('severity', '=', 'suspend').execute(),
    app.config.LIMITED_FEDERATION ? app.db.selectFrom('domain_allows').select('domain').execute() : [],
  ]);
  const names = (rows: readonly { domain: string }[]) => new Set(rows.map(({ domain }) => domain.toLowerCase()));
  return { suspended: names(blocked), allowed: names(allowed) };
}
