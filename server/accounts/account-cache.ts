import { onEmojisChanged } from '../emojis/index.ts';
import { perApp, type App } from '../platform/app.ts';
import type { Write } from '../platform/database/write.ts';
import { GatheringCache } from '../platform/gathering-cache.ts';
import type { AccountId } from '../platform/ids.ts';
import { onDomainPolicyChanged } from '../site/index.ts';
import { loadBodies, withCounters, type AccountBody } from './account-bodies.ts';
import type { AccountCounters } from './account-counters.ts';

/** Bus channel: the accounts of these ids look different now. Message: their ids. */
const accountsChanged = 'accounts:changed';
/** Bus channel: of these accounts only the counters changed. Message: AccountCounters of each. */
const accountsCounted = 'accounts:counted';

const mostBodies = 10_000;
const lifetimeMilliseconds = 60_000;

const accountCache = perApp((app) => {
  const bodies = new GatheringCache<AccountId, AccountBody>({
    size: mostBodies,
    ttl: lifetimeMilliseconds,
    load: (ids) => loadBodies(app, ids),
    keyOf: ({ id }) => id,
  });
  app.bus.subscribe(accountsChanged, (message) => {
    for (const id of message as AccountId[]) bodies.delete(id);
  });
  app.bus.subscribe(accountsCounted, (message) => {
    for (const counters of message as AccountCounters[]) {
      bodies.change(counters.id, (body) => withCounters(body, counters));
    }
  });
  onEmojisChanged(app, () => bodies.clear());
  app.bus.onGap(() => bodies.clear());
  onDomainPolicyChanged(app, () => bodies.clear());
  return bodies;
});

/**
 * The accounts of these ids, those whose sign-up is not through included, deleted ones not. What is cached costs
 * nothing; the rest comes in at most three queries, however many there are.
 */
export const accountBodies = (app: App, ids: readonly AccountId[]): Promise<Map<AccountId, AccountBody>> =>
  accountCache(app).get(new Set(ids));

/** Makes every process read these accounts anew. */
export function dropAccountCache(app: App, ids: readonly AccountId[]): void {
  if (ids.length > 0) app.bus.publish(accountsChanged, ids);
}

/** Drops them from the caches once the transaction is through. */
export function dropAccountsAfter(write: Write, app: App, ids: readonly AccountId[]): void {
  write.afterCommit(() => dropAccountCache(app, ids));
}

/** Makes every process show these counters once the transaction is through. */
export function noteCountersAfter(write: Write, app: App, counters: readonly AccountCounters[]): void {
  if (counters.length > 0) write.afterCommit(() => app.bus.publish(accountsCounted, counters));
}

/** Tells of accounts, in whatever process they changed, that they look different now, if only by their counters. */
export function onAccountsChanged(app: App, changed: (id: AccountId) => void): void {
  app.bus.subscribe(accountsChanged, (message) => (message as AccountId[]).forEach((id) => changed(id)));
  app.bus.subscribe(accountsCounted, (message) => (message as AccountCounters[]).forEach(({ id }) => changed(id)));
}
