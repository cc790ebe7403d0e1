import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { evictAll } from '../../platform/caching/cache-reactions.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { domainAllowed, domainBlocked, domainDisallowed, domainUnblocked } from '../events.ts';
import type { DomainSeverity } from '../tables.ts';

export interface DomainRule {
  /** `suspend` also rejects media and reports. */
  readonly severity: DomainSeverity;
  readonly rejectMedia: boolean;
  readonly rejectReports: boolean;
}

/** All domain blocks and allowed domains. */
export interface DomainPolicy {
  /** Returns the rule for a domain; a port is ignored. Blocks apply to subdomains too, the strictest one wins. */
  ruleFor(domain: string): DomainRule;
  /** As `ruleFor`, without regard to limited federation mode: for hosts of files, which staff do not have to allow. */
  blockFor(domain: string): DomainRule;
}

/** Every event that changes the policy. */
export const domainPolicyEvents = [domainBlocked, domainUnblocked, domainAllowed, domainDisallowed] as const;

export const policyCache = new LoadingCache<'policy', DomainPolicy>({
  name: 'site.domain_policy',
  maxSize: 1,
  ttlMs: 30_000,
  load: loadDomainPolicy,
  evictOn: [evictAll(...domainPolicyEvents)],
});

/** Returns the current policy. Cached. */
export const domainPolicy = (app: App): Promise<DomainPolicy> => policyCache.get(app, 'policy');

/** Loads the policy from the database, past the cache. */
export async function loadDomainPolicy(app: Pick<App, 'db' | 'config'>): Promise<DomainPolicy> {
  const isLimited = app.config.LIMITED_FEDERATION;
  const [blocks, allows] = await Promise.all([
    app.db.selectFrom('domain_blocks').select(blockColumns).execute(),
    isLimited ? app.db.selectFrom('domain_allows').select('domain').execute() : undefined,
  ]);
  const rules = rulesOf(blocks);
  const allowed = allows && new Set(allows.map(({ domain }) => domain.toLowerCase()));
  return {
    ruleFor: (domain) => ruleFor(rules, allowed, domain),
    blockFor: (domain) => ruleFor(rules, undefined, domain),
  };
}

/**
 * Loads the rule for one domain with the connection of a transaction. A transaction must not wait for the cached policy,
 * because loading it needs a second connection: this could deadlock with other transactions.
 */
export async function loadDomainRule({ db }: Transaction, app: App, host: string): Promise<DomainRule> {
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
  const rule = suffixesOf(domain).reduce((strictest, suffix) => {
    const found = rules.get(suffix);
    return found === undefined ? strictest : combine(strictest, found);
  }, noRule);
  return rule.severity === 'suspend' ? suspended : rule;
}

function combine(one: DomainRule, other: DomainRule): DomainRule {
  const isStricter = severities.indexOf(other.severity) > severities.indexOf(one.severity);
  return {
    severity: isStricter ? other.severity : one.severity,
    rejectMedia: one.rejectMedia || other.rejectMedia,
    rejectReports: one.rejectReports || other.rejectReports,
  };
}
