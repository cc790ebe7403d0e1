import type { App } from '../platform/app.ts';
import { evictAll } from '../platform/caching/cache-reactions.ts';
import { LoadingCache } from '../platform/caching/cache.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { groupsChanged } from './events.ts';

const nameRows = preparedQuery<{ username: string }>()((db) =>
  db.selectFrom('groups').innerJoin('accounts', 'accounts.id', 'groups.account_id').select('accounts.username'),
);

export const namesCache = new LoadingCache<'names', ReadonlySet<string>>({
  name: 'groups.names',
  maxSize: 1,
  ttlMs: 60_000,
  load: async (app) => new Set((await nameRows(app, {})).map(({ username }) => username.toLowerCase())),
  evictOn: [evictAll(groupsChanged)],
});

/** Returns the names of all groups, in lower case. Cached: most servers have few, and most posts concern none. */
export const loadGroupNames = (app: App): Promise<ReadonlySet<string>> => namesCache.get(app, 'names');

/** Whether there are groups, if that is cached. */
export const peekHasGroups = (app: App): boolean | undefined => {
  const names = namesCache.peek(app, 'names');
  return names === undefined ? undefined : names.size > 0;
};
