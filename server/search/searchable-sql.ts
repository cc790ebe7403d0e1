import { sql, type RawBuilder } from 'kysely';

/**
 * Whether someone may search the status `s` of the account `a`: everyone, because it is public and its author is
 * indexable, or its local author, or a local account that it mentions or that interacted with it.
 */
export const isSearchableSql: RawBuilder<boolean> = sql<boolean>`(
  s.local
  or (s.visibility = 'public' and a.indexable)
  or exists (select from mentions x join accounts l on l.id = x.account_id
    where x.status_id = s.id and l.domain is null)
  or exists (select from favourites x join accounts l on l.id = x.account_id
    where x.status_id = s.id and l.domain is null)
  or exists (select from bookmarks x where x.status_id = s.id)
  or exists (select from statuses x where x.reblog_of_id = s.id and x.local and x.deleted_at is null)
  or exists (select from poll_votes x join accounts l on l.id = x.account_id
    where x.poll_id = s.poll_id and l.domain is null))`;
