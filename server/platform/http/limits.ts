import { addressBlock } from '../address-block.ts';
import type { App } from '../app.ts';
import type { Budget } from '../rate-limiter.ts';
import { Problem } from './problems.ts';
import type { Caller, RateLimitFamily } from './routes.ts';

interface Limit {
  readonly limit: number;
  readonly seconds: number;
  /** Whose requests are counted together. */
  readonly by: 'account' | 'ip';
}

const minutes = 60;
const hours = 3600;

/** Budgets of requests per family (reference/limits.tsv, "rate limit"). */
const families: Record<Exclude<RateLimitFamily, 'none'>, readonly Limit[]> = {
  statuses: [{ limit: 300, seconds: 3 * hours, by: 'account' }],
  deletes: [{ limit: 30, seconds: 30 * minutes, by: 'account' }],
  follows: [{ limit: 400, seconds: 24 * hours, by: 'account' }],
  reports: [{ limit: 400, seconds: 24 * hours, by: 'account' }],
  media: [{ limit: 30, seconds: 30 * minutes, by: 'account' }],
  'sign-up': [{ limit: 5, seconds: 30 * minutes, by: 'ip' }],
  'media-proxy': [{ limit: 30, seconds: 10 * minutes, by: 'ip' }],
  apps: [{ limit: 5, seconds: 10 * minutes, by: 'ip' }],
  confirmations: [
    { limit: 25, seconds: 5 * minutes, by: 'ip' },
    { limit: 5, seconds: 30 * minutes, by: 'account' },
  ],
  'sign-in': [{ limit: 25, seconds: 5 * minutes, by: 'ip' }],
  'password-reset': [{ limit: 25, seconds: 5 * minutes, by: 'ip' }],
  'password-change': [{ limit: 10, seconds: 10 * minutes, by: 'account' }],
};

const perToken: Limit = { limit: 300, seconds: 5 * minutes, by: 'account' };
const perUser: Limit = { limit: 1500, seconds: 5 * minutes, by: 'account' };
const perAddress: Limit = { limit: 300, seconds: 5 * minutes, by: 'ip' };

/** Counts a request against its budgets; gives the tightest, whose numbers the answer's headers carry. Throws 429 when one is used up. */
export async function countRequest(
  app: App,
  facts: { ip: string; caller: Caller | undefined; family: RateLimitFamily | undefined },
): Promise<Budget> {
  const { caller, family } = facts;
  const address = addressBlock(facts.ip);
  const account = caller?.viewer?.accountId;
  const taken: (Promise<Budget> | Budget)[] = [];
  if (caller === undefined || account === undefined) {
    taken.push(app.rateLimiter.take(`api:${address}`, perAddress.limit, perAddress.seconds));
  } else {
    taken.push(app.rateLimiter.take(`token:${caller.tokenId}`, perToken.limit, perToken.seconds));
    taken.push(app.rateLimiter.take(`user:${account}`, perUser.limit, perUser.seconds));
  }
  if (family !== undefined && family !== 'none') {
    for (const { limit, seconds, by } of families[family]) {
      if (by === 'account' && account === undefined) continue;
      taken.push(app.rateLimiter.take(`${family}:${by === 'ip' ? address : account}`, limit, seconds));
    }
  }
  let tightest: Budget | undefined;
  for (const item of taken) {
    const budget = item instanceof Promise ? await item : item;
    if (tightest === undefined || budget.remaining < tightest.remaining) tightest = budget;
  }
  const budget = tightest as Budget;
  if (budget.remaining < 0) throw new Problem(429, 'Too many requests', undefined, budgetHeaders(budget));
  return budget;
}

/**
 * Counts a request of a family whose budgets are per address, for routes where only the handler knows whether a request
 * counts. Throws 429 when a budget is used up.
 */
export async function countAddress(app: App, family: Exclude<RateLimitFamily, 'none'>, ip: string): Promise<void> {
  if (!app.config.RATE_LIMITS) return;
  for (const { limit, seconds } of families[family]) {
    const budget = await app.rateLimiter.take(`${family}:${addressBlock(ip)}`, limit, seconds);
    if (budget.remaining < 0) throw new Problem(429, 'Too many requests', undefined, budgetHeaders(budget));
  }
}

/** Headers that tell a client how many requests it has left; the reset as ISO time with six digits (errors.tsv). */
export function budgetHeaders({ limit, remaining, reset }: Budget): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(remaining, 0)),
    'x-ratelimit-reset': reset.toISOString().replace(/(\.\d{3})Z$/, '$1000Z'),
  };
}
