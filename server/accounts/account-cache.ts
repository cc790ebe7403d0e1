import { onEmojisChanged } from '../emojis/index.ts';
import { perApp } from '../platform/app.ts';
import type { App } from '../platform/app.ts';
import { Cache } from '../platform/cache.ts';
import type { Write } from '../platform/database/write.ts';
import type { AccountId } from '../platform/ids.ts';
import type { AccountBody } from './account-bodies.ts';

/** Bus channel: the accounts of these ids look different now. Message: their ids. */
export const accountsChanged = 'accounts:changed';

const mostBodies = 10_000;
const lifetime = 60_000;

interface AccountCache {
  readonly bodies: Cache<AccountId, AccountBody>;
  /** For each load that is under way, the accounts that changed meanwhile: what it brings of them is out of date. */
  readonly overtaken: Set<Set<AccountId>>;
}

export const accountCache = perApp<AccountCache>((app) => {
  const cache: AccountCache = { bodies: new Cache({ size: mostBodies, ttl: lifetime }), overtaken: new Set() };
  app.bus.subscribe(accountsChanged, (message) => {
    for (const id of message as AccountId[]) {
      cache.bodies.delete(id);
      for (const load of cache.overtaken) load.add(id);
    }
  });
  onEmojisChanged(app, () => cache.bodies.clear());
  return cache;
});

/** Makes every process read these accounts anew. */
export function dropAccountCache(app: App, ids: readonly AccountId[]): void {
  if (ids.length > 0) app.bus.publish(accountsChanged, ids);
}

/** Drops them from the caches once the transaction is through. */
export function dropAccountsAfter(write: Write, app: App, ids: readonly AccountId[]): void {
  write.afterCommit(() => dropAccountCache(app, ids));
}
