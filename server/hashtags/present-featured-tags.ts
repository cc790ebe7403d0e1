import { sql } from 'kysely';
import { loadCachedAccounts } from '../accounts/present/index.ts';
import { accountChanged, accountCountersChanged } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { LoadingCache } from '../platform/caching/cache.ts';
import { evict } from '../platform/caching/cache-reactions.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { dateFromId, type AccountId, type RowId, type StatusId, type TagId } from '../platform/ids.ts';
import { accountTagsChanged } from './events.ts';
import type { FeaturedTag } from './schema.ts';

interface FeaturedTagRow {
  readonly id: RowId;
  readonly name: string;
  readonly display_name: string;
  readonly tag_id: TagId;
}

const featuredTagRows = preparedQuery<FeaturedTagRow>()((db, { accountId }: { accountId: AccountId }) =>
  db
    .selectFrom('featured_tags')
    .innerJoin('tags', 'tags.id', 'featured_tags.tag_id')
    .select(['featured_tags.id', 'tags.name', 'tags.display_name', 'featured_tags.tag_id'])
    .where('featured_tags.account_id', '=', accountId)
    .orderBy('featured_tags.id'),
);

interface TagUses {
  readonly tag_id: TagId;
  readonly uses: number;
  readonly last_id: StatusId;
}

// Counts the latest 10,000 posts only, so that the cost of a profile visit is bounded.
const tagUsesRows = preparedQuery<TagUses>()((db, { accountId }: { accountId: AccountId }) => ({
  compile: () =>
    sql<TagUses>`
      select st.tag_id, count(*)::int as uses, max(s.id) as last_id
      from (
        select id from statuses
        where account_id = ${accountId}::bigint and deleted_at is null and reblog_of_id is null
          and visibility in ('public', 'unlisted')
        order by id desc limit 10000
      ) s join status_tags st on st.status_id = s.id
      where st.tag_id in (select tag_id from featured_tags where account_id = ${accountId}::bigint)
      group by st.tag_id`.compile(db),
}));

/** Each post changes the counters of its author, so they evict. */
export const tagUsesCache = new LoadingCache<AccountId, ReadonlyMap<TagId, TagUses>>({
  name: 'hashtags.featured_tag_uses',
  maxSize: 2_000,
  ttlMs: 60_000,
  load: async (app, accountId) => new Map((await tagUsesRows(app, { accountId })).map((row) => [row.tag_id, row])),
  evictOn: [
    evict(accountChanged, ({ accountId }) => [accountId]),
    evict(accountCountersChanged, ({ id }) => [id]),
    evict(accountTagsChanged, ({ accountId }) => [accountId]),
  ],
});

/** Returns the featured hashtags of an account, most used first. Empty for a suspended or unknown account. */
export async function presentFeaturedTags(app: App, accountId: AccountId): Promise<FeaturedTag[]> {
  const account = (await loadCachedAccounts(app, [accountId])).get(accountId);
  if (account === undefined || account.suspended || !account.activated) return [];
  const rows = await featuredTagRows(app, { accountId });
  if (rows.length === 0) return [];
  const uses = await tagUsesCache.get(app, accountId);
  return rows
    .map((row) => ({ row, used: uses.get(row.tag_id) }))
    .toSorted((a, b) => (b.used?.uses ?? 0) - (a.used?.uses ?? 0))
    .map(({ row, used }) => ({
      id: row.id,
      name: row.display_name,
      url: `${account.url}/tagged/${encodeURIComponent(row.name)}`,
      statuses_count: String(used?.uses ?? 0),
      last_status_at: used === undefined ? null : dateFromId(used.last_id).toISOString().slice(0, 10),
    }));
}

const suggestedTagRows = preparedQuery<{ name: string }>()((db, args: { accountId: AccountId; limit: number }) => ({
  compile: () =>
    sql<{ name: string }>`
      select tags.display_name as name
      from (
        select id from statuses
        where account_id = ${args.accountId}::bigint and deleted_at is null and visibility in ('public', 'unlisted')
        order by id desc limit 1000
      ) s
      join status_tags st on st.status_id = s.id
      join tags on tags.id = st.tag_id
      where not exists (
        select from featured_tags f where f.account_id = ${args.accountId}::bigint and f.tag_id = st.tag_id)
      group by tags.id
      order by count(*) desc, max(s.id) desc limit ${args.limit}::int`.compile(db),
}));

/** Returns the names of the most used hashtags in the account's last thousand posts that it does not feature. */
export async function suggestFeaturedTags(app: App, accountId: AccountId, limit: number): Promise<string[]> {
  return (await suggestedTagRows(app, { accountId, limit })).map(({ name }) => name);
}
