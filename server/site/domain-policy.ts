import { sql } from 'kysely';
import { perApp, type App } from '../platform/app.ts';
import { LoadingCache } from '../platform/cache.ts';
import type { Write } from '../platform/database/write.ts';
import type { DomainSeverity } from './tables.ts';

/** Bus channel: domain blocks or allows changed. */
const domainPolicyChannel = 'site:domain-policy';

/** What applies to one domain. */
export interface DomainRule {
  readonly severity: DomainSeverity;
  readonly rejectMedia: boolean;
  readonly rejectReports: boolean;
}

/** Every domain block and allow, read once. */
export interface DomainPolicy {
  /** Returns the rule for a domain; a port is ignored. Blocks apply to subdomains too, the strictest one wins. */
  ruleFor(domain: string): DomainRule;
}

const policies = perApp((app) => {
  const cache = new LoadingCache<'policy', DomainPolicy>({ size: 1, ttl: 30_000, load: () => loadDomainPolicy(app) });
  app.bus.subscribe(domainPolicyChannel, () => cache.clear());
  app.bus.onGap(() => cache.clear());
  return cache;
});

/** Returns the current policy. Cached; evicted in every process when a block or an allow changes. */
export function domainPolicy(app: App): Promise<DomainPolicy> {
  return policies(app).get('policy');
}

/** Calls `changed` in every process after a block or an allow changed, once the policy is evicted. */
export function onDomainPolicyChanged(app: App, changed: () => void): void {
  // Subscribers are called in their order: whoever reads the policy again must not find the former one.
  policies(app);
  app.bus.subscribe(domainPolicyChannel, changed);
}

/** Makes every process load the policy again after the commit. */
export function evictDomainPolicyAfter(write: Write, app: App): void {
  write.afterCommit(() => app.bus.publish(domainPolicyChannel, 1));
}

/** Loads the policy from the database, past the cache. */
export async function loadDomainPolicy(app: Pick<App, 'db' | 'config'>): Promise<DomainPolicy> {
  const isLimited = app.config.LIMITED_FEDERATION;
  const [blocks, allows] = await Promise.all([
    app.db.selectFrom('domain_blocks').select(blockColumns).execute(),
    isLimited ? app.db.selectFrom('domain_allows').select('domain').execute() : undefined,
  ]);
  const rules = rulesOf(blocks);
  const allowed = allows && new Set(allows.map(({ domain }) => domain.toLowerCase()));
  return { ruleFor: (domain) => ruleFor(rules, allowed, domain) };
}

/**
 * Loads the rule for one domain with the connection of a transaction. A transaction must not wait for the cached policy:
 * loading that takes a second connection, which others that wait in the same way may hold.
 */
export async function loadDomainRule({ db }: Write, app: App, host: string): Promise<DomainRule> {
  const domains = [host.toLowerCase(), ...suffixesOf(host)];
  const blocks = await db
    .selectFrom('domain_blocks')
    .select(blockColumns)
    .where(sql<boolean>`lower(domain) = any(${domains}::text[])`)
    .execute();
  if (!app.config.LIMITED_FEDERATION) return ruleFor(rulesOf(blocks), undefined, host);
  const allows = await db
    .selectFrom('domain_allows')
    .select('domain')
    .where(sql<boolean>`lower(domain) = any(${domains}::text[])`)
    .execute();
  return ruleFor(rulesOf(blocks), new Set(allows.map(({ domain }) => domain.toLowerCase())), host);
}

const blockColumns = ['domain', 'severity', 'reject_media', 'reject_reports'] as const;

interface BlockRow {
  readonly domain: string;
  readonly severity: DomainSeverity;
  readonly reject_media: boolean;
  readonly reject_reports: boolean;
}

const rulesOf = (blocks: readonly BlockRow[]): ReadonlyMap<string, DomainRule> =>
  new Map(
    blocks.map(({ domain, severity, reject_media: rejectMedia, reject_reports: rejectReports }) => [
      domain.toLowerCase(),
      { severity, rejectMedia, rejectReports },
    ]),
  );

/** A domain without its port and all domains above it, such as `a.b.test`, `b.test` and `test`. */
function suffixesOf(host: string): string[] {
  const labels = host.replace(/:\d+$/, '').toLowerCase().split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

const noRule: DomainRule = { severity: 'noop', rejectMedia: false, rejectReports: false };
const suspended: DomainRule = { severity: 'suspend', rejectMedia: true, rejectReports: true };
const severities: readonly DomainSeverity[] = ['noop', 'silence', 'suspend'];

function ruleFor(
  rules: ReadonlyMap<string, DomainRule>,
  allowed: ReadonlySet<string> | undefined,
  host: string,
): DomainRule {
  const domain = host.replace(/:\d+$/, '').toLowerCase();
  if (allowed !== undefined && !allowed.has(domain) && !allowed.has(host.toLowerCase())) return suspended;
  if (rules.size === 0) return noRule;
  return suffixesOf(domain).reduce((strictest, suffix) => {
    const rule = rules.get(suffix);
    return rule === undefined ? strictest : combine(strictest, rule);
  }, noRule);
}

function combine(one: DomainRule, other: DomainRule): DomainRule {
  const isStricter = severities.indexOf(other.severity) > severities.indexOf(one.severity);
  return {
    severity: isStricter ? other.severity : one.severity,
    rejectMedia: one.rejectMedia || other.rejectMedia,
    rejectReports: one.rejectReports || other.rejectReports,
  };
}
