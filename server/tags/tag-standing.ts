import { accountTagsChanged } from './events.ts';
import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { defineCache, evict } from '../platform/caching/define-cache.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { AccountId, TagId } from '../platform/ids.ts';

/** The hashtags that an account follows, and those that its profile shows. */
export interface TagStanding {
  readonly following: ReadonlySet<TagId>;
  readonly featuring: ReadonlySet<TagId>;
}

const standingCache = defineCache<AccountId, TagStanding>({
  name: 'tags.account_tags',
  maxSize: 5_000,
  ttlMs: 60_000,
  load,
  evictOn: [evict(accountTagsChanged, ({ accountId }) => [accountId])],
});

/** What an account follows and features, cached. */
export function tagStandingOf(app: App, accountId: AccountId): Promise<TagStanding> {
  return standingCache.get(app, accountId);
}

/** The hashtags that an account follows, cached. */
export async function followedTagIds(app: App, accountId: AccountId): Promise<ReadonlySet<TagId>> {
  return (await tagStandingOf(app, accountId)).following;
}

const rowsOf = prepared<{ tag_id: TagId; followed: boolean }>()((db, { accountId }: { accountId: AccountId }) =>
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

async function load(app: App, accountId: AccountId): Promise<TagStanding> {
  const rows = await rowsOf(app, { accountId });
  const ids = (followed: boolean) => new Set(rows.filter((row) => row.followed === followed).map((row) => row.tag_id));
  return { following: ids(true), featuring: ids(false) };
}
