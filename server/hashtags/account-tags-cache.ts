import { accountTagsChanged } from './events.ts';
import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { LoadingCache } from '../platform/caching/cache.ts';
import { evict } from '../platform/caching/cache-reactions.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { AccountId, TagId } from '../platform/ids.ts';

/** The hashtags that an account follows and features. */
export interface AccountTags {
  readonly following: ReadonlySet<TagId>;
  readonly featuring: ReadonlySet<TagId>;
}

export const accountTagsCache = new LoadingCache<AccountId, AccountTags>({
  name: 'hashtags.account_tags',
  maxSize: 5_000,
  ttlMs: 60_000,
  load: queryAccountTags,
  evictOn: [evict(accountTagsChanged, ({ accountId }) => [accountId])],
});

/** Returns the hashtags that an account follows and features. Cached. */
export function loadAccountTags(app: App, accountId: AccountId): Promise<AccountTags> {
  return accountTagsCache.get(app, accountId);
}

/** Returns the hashtags that an account follows. Cached. */
export async function loadFollowedTagIds(app: App, accountId: AccountId): Promise<ReadonlySet<TagId>> {
  return (await loadAccountTags(app, accountId)).following;
}

const accountTagRows = preparedQuery<{ tag_id: TagId; followed: boolean }>()(
  (db, { accountId }: { accountId: AccountId }) =>
    db
      .selectFrom('tag_follows')
      .select(['tag_id', sql<boolean>`true`.as('followed')])
      .where('account_id', '=', accountId)
      .unionAll(
        db
          .selectFrom('featured_tags')
          .select(['tag_id', sql<boolean>`false`.as('followed')])
          .where('account_id', '=', accountId),
      ),
);

async function queryAccountTags(app: App, accountId: AccountId): Promise<AccountTags> {
  const rows = await accountTagRows(app, { accountId });
  const ids = (followed: boolean) => new Set(rows.filter((row) => row.followed === followed).map((row) => row.tag_id));
  return { following: ids(true), featuring: ids(false) };
}
