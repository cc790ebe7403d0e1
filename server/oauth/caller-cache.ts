import { perApp, type App } from '../platform/app.ts';
import type { Caller } from '../platform/http/routes.ts';
import type { AccountId, ApplicationId, TokenId, UserId } from '../platform/ids.ts';

/** Whose tokens changed: all that fit every id given. */
export interface CallerFilter {
  readonly userId?: UserId;
  readonly accountId?: AccountId;
  readonly applicationId?: ApplicationId;
  readonly tokenId?: TokenId;
}

/** A caller with what is kept beside it. */
export interface CachedCaller {
  readonly caller: Caller;
  /** When the token's use was last noted, milliseconds since the epoch. */
  usedAt: number;
}

const callersChangedChannel = 'oauth:changed';
const maxEntries = 20_000;
/** A backstop for a lost message only; what changes is dropped through the bus. */
const ttlSeconds = 30;

/**
 * Makes every process forget the callers that `changed` names, so that a revocation, suspension or new role acts on the
 * next request. Call it after the commit.
 */
export function evictCallers(app: App, changed: CallerFilter): void {
  app.bus.publish(callersChangedChannel, changed);
}

/** Who tokens belong to, as far as this process knows. By the tokens themselves: to hash each one costs a sixth of a small request. */
export class CallerCache {
  readonly #entries = new Map<string, { known: CachedCaller; expires: number }>();
  #generation = 0;

  async get(token: string, load: () => Promise<CachedCaller | undefined>): Promise<CachedCaller | undefined> {
    const entry = this.#entries.get(token);
    if (entry !== undefined && entry.expires > performance.now()) return entry.known;
    this.#entries.delete(token);
    const generation = this.#generation;
    const known = await load();
    // Something changed while it was read: it may be out of date, so it serves this one request only.
    if (known !== undefined && generation === this.#generation) this.#store(token, known);
    return known;
  }

  evict(changed: CallerFilter): void {
    this.#generation += 1;
    for (const [token, { known }] of this.#entries)
      if (matchesFilter(known.caller, changed)) this.#entries.delete(token);
  }

  #store(token: string, known: CachedCaller): void {
    this.#entries.delete(token);
    this.#entries.set(token, { known, expires: performance.now() + ttlSeconds * 1000 });
    if (this.#entries.size <= maxEntries) return;
    const oldest = this.#entries.keys().next();
    if (oldest.done !== true) this.#entries.delete(oldest.value);
  }
}

function matchesFilter(caller: Caller, changed: CallerFilter): boolean {
  return (
    (changed.tokenId === undefined || caller.tokenId === changed.tokenId) &&
    (changed.applicationId === undefined || caller.applicationId === changed.applicationId) &&
    (changed.userId === undefined || caller.viewer?.userId === changed.userId) &&
    (changed.accountId === undefined || caller.viewer?.accountId === changed.accountId)
  );
}

export const callerCache = perApp((app) => {
  const cache = new CallerCache();
  app.bus.subscribe(callersChangedChannel, (message) => cache.evict(message as CallerFilter));
  app.bus.onGap(() => cache.evict({}));
  return cache;
});
