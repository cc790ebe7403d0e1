import { addressBlock } from '../rate-limits/address-block.ts';
import type { App } from '../app.ts';
import type { AccountId } from '../ids.ts';
import type { RateLimitResult } from '../rate-limits/rate-limiter.ts';
import { tooManyRequests } from './http-errors.ts';
import type { Caller, RateLimitFamily } from './routes.ts';

interface RateLimitRule {
  readonly limit: number;
  readonly seconds: number;
  /** The key under which requests are counted. */
  readonly by: 'account' | 'ip';
}

const minutes = 60;
const hours = 3600;

/** Budgets of requests per family (reference/limits.tsv, "rate limit"). */
const familyLimits: Record<Exclude<RateLimitFamily, 'none'>, readonly RateLimitRule[]> = {
  statuses: [{ limit: 300, seconds: 3 * hours, by: 'account' }],
  deletes: [{ limit: 30, seconds: 30 * minutes, by: 'account' }],
  follows: [{ limit: 400, seconds: 24 * hours, by: 'account' }],
  reports: [{ limit: 400, seconds: 24 * hours, by: 'account' }],
  media: [{ limit: 30, seconds: 30 * minutes, by: 'account' }],
  imports: [{ limit: 20, seconds: hours, by: 'account' }],
  'sign-up': [{ limit: 5, seconds: 30 * minutes, by: 'ip' }],
  'email-subscriptions': [{ limit: 5, seconds: 30 * minutes, by: 'ip' }],
  'media-proxy': [{ limit: 30, seconds: 10 * minutes, by: 'ip' }],
  apps: [{ limit: 5, seconds: 10 * minutes, by: 'ip' }],
  'device-authorization': [{ limit: 25, seconds: 10 * minutes, by: 'ip' }],
  'device-code': [{ limit: 20, seconds: 10 * minutes, by: 'ip' }],
  providers: [{ limit: 5, seconds: 10 * minutes, by: 'ip' }],
  webhooks: [{ limit: 30, seconds: 10 * minutes, by: 'account' }],
  confirmations: [
    { limit: 25, seconds: 5 * minutes, by: 'ip' },
    { limit: 5, seconds: 30 * minutes, by: 'account' },
  ],
  'sign-in': [{ limit: 25, seconds: 5 * minutes, by: 'ip' }],
  'password-reset': [{ limit: 25, seconds: 5 * minutes, by: 'ip' }],
  'password-change': [{ limit: 10, seconds: 10 * minutes, by: 'account' }],
};

const perToken: RateLimitRule = { limit: 300, seconds: 5 * minutes, by: 'account' };
const perUser: RateLimitRule = { limit: 1500, seconds: 5 * minutes, by: 'account' };
const perAddress: RateLimitRule = { limit: 300, seconds: 5 * minutes, by: 'ip' };

/**
 * Counts a request against its budgets. Returns the tightest for the headers of the response. Throws 429 if one is
 * exceeded.
 */
export function countRequest(
  app: App,
  { ip, caller, family }: { ip: string; caller: Caller | undefined; family: RateLimitFamily | undefined },
): Promise<RateLimitResult> | RateLimitResult {
  const account = caller?.viewer?.accountId;
  const results: (Promise<RateLimitResult> | RateLimitResult)[] = [];
  if (caller === undefined || account === undefined) {
    results.push(app.rateLimiter.take(`api:${addressBlock(ip)}`, perAddress.limit, perAddress.seconds));
  } else {
    results.push(app.rateLimiter.take(`token:${caller.tokenId}`, perToken.limit, perToken.seconds));
    results.push(app.rateLimiter.take(`user:${account}`, perUser.limit, perUser.seconds));
  }
  if (family !== undefined && family !== 'none') {
    for (const { limit, seconds, by } of familyLimits[family]) {
      if (by === 'account' && account === undefined) continue;
      results.push(app.rateLimiter.take(`${family}:${by === 'ip' ? addressBlock(ip) : account}`, limit, seconds));
    }
  }
  if (results.every(isCounted)) return strictestOf(results);
  return Promise.all(results.map(async (result) => result)).then(strictestOf);
}

const isCounted = (result: Promise<RateLimitResult> | RateLimitResult): result is RateLimitResult =>
  !(result instanceof Promise);

function strictestOf(budgets: readonly RateLimitResult[]): RateLimitResult {
  const strictest = budgets.reduce((one, other) => (other.remaining < one.remaining ? other : one));
  if (strictest.remaining < 0) throw tooManyRequests(rateLimitHeaders(strictest));
  return strictest;
}

/**
 * Counts a request of a family whose budgets are per address, for routes where only the handler knows whether a request
 * counts. Throws 429 if a budget is exhausted.
 */
export async function countAddressRequest(
  app: App,
  family: Exclude<RateLimitFamily, 'none'>,
  ip: string,
): Promise<void> {
  if (!app.config.RATE_LIMITS) return;
  for (const { limit, seconds } of familyLimits[family]) {
    const budget = await app.rateLimiter.take(`${family}:${addressBlock(ip)}`, limit, seconds);
    if (budget.remaining < 0) throw tooManyRequests(rateLimitHeaders(budget));
  }
}

/**
 * Counts a request against the budgets per account of a family, for routes where only the handler knows the account. Throws
 * 429 if a budget is exhausted.
 */
export async function countAccountRequest(
  app: App,
  family: Exclude<RateLimitFamily, 'none'>,
  accountId: AccountId,
): Promise<void> {
  if (!app.config.RATE_LIMITS) return;
  for (const { limit, seconds, by } of familyLimits[family]) {
    if (by !== 'account') continue;
    const budget = await app.rateLimiter.take(`${family}:${accountId}`, limit, seconds);
    if (budget.remaining < 0) throw tooManyRequests(rateLimitHeaders(budget));
  }
}

/** Returns the rate limit headers. */
export function rateLimitHeaders({ limit, remaining, resetAt }: RateLimitResult): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(remaining, 0)),
    'x-ratelimit-reset': formatReset(resetAt),
  };
}

/** Windows of all callers end at the same time: most requests have that of the last one. */
let lastReset = { at: 0, text: '' };

/** Returns an ISO time with six digits (errors.tsv). */
function formatReset(at: number): string {
  if (lastReset.at !== at) lastReset = { at, text: `${new Date(at).toISOString().slice(0, -1)}000Z` };
  return lastReset.text;
}
