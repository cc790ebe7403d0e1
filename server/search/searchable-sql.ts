import { sql, type RawBuilder } from 'kysely';
import type { AccountId } from '../platform/ids.ts';

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

/** Selects `status_id` of the statuses that the account wrote, is mentioned in or interacted with. */
export const librarySql = (accountId: AccountId): RawBuilder<unknown> => sql`
  select id as status_id from statuses
    where account_id = ${accountId}::bigint and deleted_at is null and reblog_of_id is null
  union select status_id from mentions where account_id = ${accountId}::bigint
  union select status_id from favourites where account_id = ${accountId}::bigint
  union select status_id from bookmarks where account_id = ${accountId}::bigint
  union select reblog_of_id from statuses
    where account_id = ${accountId}::bigint and reblog_of_id is not null and deleted_at is null
  union select p.status_id from poll_votes x join polls p on p.id = x.poll_id
    where x.account_id = ${accountId}::bigint`;
