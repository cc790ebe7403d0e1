import { perApp, type App } from '../platform/app.ts';
import type { Caller } from '../platform/http/routes.ts';
import type { AccountId, ApplicationId, TokenId, UserId } from '../platform/ids.ts';

/** Whose tokens changed: all that fit every id given. */
export interface Changed {
  readonly userId?: UserId;
  readonly accountId?: AccountId;
  readonly applicationId?: ApplicationId;
  readonly tokenId?: TokenId;
}

/** A caller with what is kept beside it. */
export interface KnownCaller {
  readonly caller: Caller;
  /** When the token's use was last noted, milliseconds since the epoch. */
  usedAt: number;
}

const channel = 'oauth:changed';
const mostEntries = 20_000;
/** A backstop for a lost message only; what changes is dropped through the bus. */
const secondsToLive = 30;

/**
 * Makes every process forget the callers that `changed` names, so that a revocation, suspension or new role acts on the
 * next request. Call it after the commit.
 */
export function dropCallers(app: App, changed: Changed): void {
  app.bus.publish(channel, changed);
}

/** Who tokens belong to, as far as this process knows. By the tokens themselves: to hash each one costs a sixth of a small request. */
export class CallerCache {
  readonly #entries = new Map<string, { known: KnownCaller; expires: number }>();
  #generation = 0;

  async get(token: string, load: () => Promise<KnownCaller | undefined>): Promise<KnownCaller | undefined> {
    const entry = this.#entries.get(token);
    if (entry !== undefined && entry.expires > performance.now()) return entry.known;
    this.#entries.delete(token);
    const generation = this.#generation;
    const known = await load();
    // Something changed while it was read: it may be out of date, so it serves this one request only.
    if (known !== undefined && generation === this.#generation) this.#keep(token, known);
    return known;
  }

  drop(changed: Changed): void {
    this.#generation += 1;
    for (const [token, { known }] of this.#entries) if (fits(known.caller, changed)) this.#entries.delete(token);
  }

  #keep(token: string, known: KnownCaller): void {
    this.#entries.delete(token);
    this.#entries.set(token, { known, expires: performance.now() + secondsToLive * 1000 });
    if (this.#entries.size <= mostEntries) return;
    const oldest = this.#entries.keys().next();
    if (oldest.done !== true) this.#entries.delete(oldest.value);
  }
}

function fits(caller: Caller, changed: Changed): boolean {
  return (
    (changed.tokenId === undefined || caller.tokenId === changed.tokenId) &&
    (changed.applicationId === undefined || caller.applicationId === changed.applicationId) &&
    (changed.userId === undefined || caller.viewer?.userId === changed.userId) &&
    (changed.accountId === undefined || caller.viewer?.accountId === changed.accountId)
  );
}

export const callers = perApp((app) => {
  const cache = new CallerCache();
  app.bus.subscribe(channel, (message) => cache.drop(message as Changed));
  app.bus.onGap(() => cache.drop({}));
  return cache;
});
