import { sql, type RawBuilder } from 'kysely';
import type { StatusId } from '../../platform/ids.ts';
import { unwantedBySql } from '../../relationships/rules/index.ts';
import { feedTableRefs, feedTables } from '../feeds/feed-tables.ts';
import { involvedAccounts, involvesUnwanted, isInExclusiveList } from '../graph/belongs-in-home.ts';
import { repeatDistance } from '../read/hide-repeats.ts';

// Parts of the statements about thousands of connected accounts. What few accounts have in common with the author of a
// status is read once and looked up in memory, because a look-up in an index for each account costs far more.

/** Rows that are read in the time of one look-up. */
const rowsPerLookup = 8;

/** Whether an account has so many followers that the connected accounts are looked up one by one. */
export const hasManyFollowers = (account: {
  readonly id: RawBuilder<unknown>;
  readonly local: RawBuilder<unknown>;
}): RawBuilder<boolean> => sql<boolean>`(
  coalesce((
    select case when ${account.local} then stats.followers_count else stats.local_followers_count end
    from account_stats stats where stats.account_id = ${account.id}
  ), 0) > ${sql.lit(rowsPerLookup)} * (select count(*) from connected))`;

/**
 * The tables that the other parts use: `connected` (ids of accounts or lists), `post` with the involved people,
 * `unwanted` (who blocks or mutes one of them), and `exclusive` (who has the author in an exclusive list). The latter two
 * are cut off at `max_rows` for a post: many hide a few authors.
 */
export const withConnected = ({
  statusIds,
  connected,
  now,
}: {
  readonly statusIds: readonly StatusId[];
  readonly connected: string;
  readonly now: Date;
}): RawBuilder<unknown> => sql`
  with connected as materialized (
    select unnest(${connected}::bigint[]) as id
  ), bound as materialized (
    select ${sql.lit(rowsPerLookup)} * count(*) + 1 as max_rows from connected
  ), post as materialized (
    select s.*, p.people, o.id as original_id, o.account_id as original_account_id, o.deleted_at as original_deleted_at,
      ${hasManyFollowers({ id: sql`s.account_id`, local: sql`s.local` })} as has_many_followers
    from statuses s ${involvedAccounts}
    where s.id = any(${statusIds}::bigint[]) and s.deleted_at is null
  ), unwanted as materialized (
    select s.id as status_id, hider.account_id from post s
    cross join lateral (${unwantedBySql(sql`any(s.people)`, now)} limit (select max_rows from bound)) hider
  ), exclusive as materialized (
    select s.id as status_id, hider.account_id from post s
    cross join lateral (
      select x.owner_id as account_id from list_accounts x where x.account_id = s.account_id and x.exclusive
      limit (select max_rows from bound)
    ) hider
  )`;

/** Joins what the rules ask of the reblogged status `o` and the involved people `p` of the posts `s`, which have both. */
export const joinedToPost: RawBuilder<unknown> = sql`
  cross join lateral (select s.people) p cross join lateral (
    select s.original_id as id, s.original_account_id as account_id, s.original_deleted_at as deleted_at) o`;

/** `is true` keeps PostgreSQL from a join, which it would plan for ten connected accounts. */
export const isConnected = (id: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${id} in (select id from connected)) is true`;

/** Whether a table has `f.account_id` for the status `s`. Where the table is cut off, `condition` decides instead. */
function isIn(table: 'unwanted' | 'exclusive', condition: RawBuilder<boolean>): RawBuilder<boolean> {
  const rows = sql.table(table);
  const cutOff = sql`
    select status_id from ${rows} group by status_id having count(*) = (select max_rows from bound)`;
  return sql<boolean>`(
    case when s.id in (${cutOff}) then ${condition}
    else (s.id, f.account_id) in (select status_id, account_id from ${rows}) end)`;
}

/** Replaces the condition of `belongsInHome` with a look-up in the table `unwanted`. */
export const isAmongUnwanted = (now: Date): RawBuilder<boolean> => isIn('unwanted', involvesUnwanted(now));

/** `isInExclusiveList` for the author, by the table `exclusive`. */
export const isAmongExclusive: RawBuilder<boolean> = isIn('exclusive', isInExclusiveList(sql`s.account_id`));

/** The follows of the account `s.account_id` by connected accounts. */
export const connectedFollows: RawBuilder<unknown> = sql`
  select f.account_id, f.target_account_id, f.show_reblogs, f.languages from follows f
  where not s.has_many_followers and f.target_account_id = s.account_id and ${isConnected(sql`f.account_id`)}
  union all
  select f.account_id, f.target_account_id, f.show_reblogs, f.languages
  from connected c join follows f on f.account_id = c.id and f.target_account_id = s.account_id
  where s.has_many_followers`;

/**
 * Whether a feed shows the original of the reblog `s`, or another reblog of it, shortly before it: `hideRepeats` for feeds
 * that are stored.
 */
export function isRepeatIn(kind: 'home' | 'list', feedId: RawBuilder<unknown>): RawBuilder<boolean> {
  const { entries, key } = feedTableRefs(feedTables[kind]);
  return sql<boolean>`(s.reblog_of_id is not null and exists (
    select from (
      select status_id, reblog_of_id from ${entries} where ${key} = ${feedId} and status_id < s.id
      order by status_id desc limit ${sql.lit(repeatDistance)}
    ) earlier
    where earlier.status_id = s.reblog_of_id or earlier.reblog_of_id = s.reblog_of_id))`;
}
