import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { AccountId, TagId } from '../../platform/ids.ts';
import type { TagRow } from '../../tags/index.ts';

/** Of an account, newest first: hashtags of older posts that only it can see are not searched. */
const maxOwnPosts = 1000;

/**
 * SQL: whether a row `tags` has a public or unlisted post of an available author. `was_public` is false for hashtags that
 * never had one, which costs no look-up.
 */
export const tagHasPublicPost = sql<boolean>`tags.was_public and exists (
  select from status_tags st
  join statuses s on s.id = st.status_id
  join accounts a on a.id = s.account_id
  where st.tag_id = tags.id and s.visibility in ('public', 'unlisted') and s.deleted_at is null
    and a.suspended_at is null and a.deleted_at is null and a.activated
  offset 0)`;

/** SQL: the ids of the hashtags that an account follows, features, or uses in its last thousand posts. Null has none. */
export const ownTagIds = (accountId: AccountId | null): RawBuilder<TagId> => sql<TagId>`
  select tag_id from tag_follows where account_id = ${accountId}::bigint
  union all
  select tag_id from featured_tags where account_id = ${accountId}::bigint
  union all
  select st.tag_id from (
    select id from statuses where account_id = ${accountId}::bigint and deleted_at is null
    order by id desc limit ${sql.lit(maxOwnPosts)}
  ) own join status_tags st on st.status_id = own.id`;

interface Args {
  readonly id: TagId;
  readonly viewerId: AccountId | null;
}

const visibleTagRows = preparedQuery<{ id: TagId }>()((db, { id, viewerId }: Args) => ({
  compile: () =>
    sql<{ id: TagId }>`
      select id from tags where id = ${id}::bigint
        and (reviewed_at is not null or (${tagHasPublicPost}) or id in (${ownTagIds(viewerId)}))`.compile(db),
}));

/**
 * Returns whether a viewer may know that a hashtag exists: it has a public or unlisted post, staff reviewed it, or the
 * viewer follows, features or uses it.
 */
export async function isTagVisible(app: App, viewerId: AccountId | undefined, { id }: TagRow): Promise<boolean> {
  return (await visibleTagRows(app, { id, viewerId: viewerId ?? null })).length > 0;
}
