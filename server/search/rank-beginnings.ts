import { sql } from 'kysely';
import { instanceActorId } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { abortableQuery } from '../platform/database/prepared-query.ts';
import { columns, exactAccount, isMatch, maxFollowers, type RankArgs, type RankedAccount } from './rank-accounts.ts';

/** Longer texts match so few names that all of them are ranked. */
const maxLength = 5;
/** Maximum number of usernames that are read, and of results up to the end of the page. */
const maxBeginnings = 200;
/** The names of so many followed accounts are compared with the text. */
const maxFollowed = 500;
/** Maximum number of accounts that have the text as their username, on any server. */
const maxNamed = 200;

interface Args extends RankArgs {
  /** Number of usernames to read, of the most popular accounts. */
  readonly read: number;
}

/** Finds accounts by an index of as many letters of their usernames. */
const rankByLetters = (letters: 2 | 3) =>
  abortableQuery<RankedAccount>()((db, args: Args) => ({
    compile: () =>
      sql<RankedAccount>`
        with exact as materialized (${exactAccount(args)}
        ), popular as materialized (
          select ${columns} from accounts a
          where left(lower(a.username), ${sql.lit(letters)}) = left(${args.username}::text, ${sql.lit(letters)})
            and a.suspended_at is null and a.deleted_at is null and a.activated and a.moved_to_account_id is null
            and a.silenced_at is null and a.id <> ${sql.lit(instanceActorId)}
          order by a.popularity desc, a.id limit ${args.read}::int
        ), beginnings as materialized (
          select * from popular where starts_with(username, ${args.username}::text)
        ), followed as materialized (
          select target_account_id as id from follows where account_id = ${args.viewer}::bigint
          limit ${sql.lit(maxFollowed + 1)}
        ), followers as (
          select account_id as id from follows where target_account_id = ${args.viewer}::bigint
          order by follows.id desc limit ${sql.lit(maxFollowers)}
        ), known as (
          select id, 2 as closeness from followed union all select id, 1 from followers
        ), found as (
          select ${columns}, closeness from known join accounts a on a.id = known.id where ${isMatch(args)}
          union all
          select * from (
            select ${columns}, 0 from accounts a where lower(a.username) = ${args.username}::text and ${isMatch(args)}
            limit ${sql.lit(maxNamed)}) named
          union all
          select beginnings.*, 0 from beginnings where id is distinct from (select id from exact)
          union all
          select exact.*, 4 from exact
        )
        select id, max(username) = ${args.username}::text as is_name
        from found
        where (select count(*) from beginnings) >= ${args.limit}::int + ${args.offset}::int
          and (select count(*) from followed) <= ${sql.lit(maxFollowed)}
        group by id
        having sum(closeness) >= 2 or not bool_or(is_limited)
        order by
          sum(closeness) >= 4 desc,
          max(username) = ${args.username}::text desc,
          sum(closeness) desc,
          starts_with(max(username), ${args.username}::text) desc,
          max(popularity) desc,
          id
        limit ${args.limit}::int offset ${args.offset}::int`.compile(db),
  }));

const rankByTwoLetters = rankByLetters(2);
const rankByThreeLetters = rankByLetters(3);

/**
 * Ranks accounts by a short text as `rankMatches` does, without reading all the names in which it occurs, of which a large
 * server has thousands: beside the exact handle, and the followed accounts and followers whose name matches, only the most
 * popular accounts whose username begins with the text can be on the first pages. Returns nothing if these do not fill the
 * page, or if the viewer follows too many accounts to compare.
 */
export async function rankBeginnings(app: App, args: RankArgs, signal: AbortSignal): Promise<RankedAccount[]> {
  const { username, domain, limit, offset } = args;
  const end = limit + offset;
  if (end > maxBeginnings || domain !== null || !isShortName(username)) return [];
  const rank = username.length === 2 ? rankByTwoLetters : rankByThreeLetters;
  return rank(app, { ...args, read: username.length <= 3 ? end : maxBeginnings }, signal);
}

const isShortName = (text: string): boolean => new RegExp(`^[a-z0-9_]{2,${String(maxLength)}}$`, 'u').test(text);
