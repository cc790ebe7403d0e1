import { sql, type RawBuilder } from 'kysely';
import { instanceActorId } from '../accounts/index.ts';
import { abortableQuery } from '../platform/database/prepared-query.ts';
import type { AccountId } from '../platform/ids.ts';
import type { AccountPatterns } from './account-patterns.ts';

/** Maximum number of matches to rank, beside followed accounts, for a common part of a name. */
export const maxCandidates = 1_000;
/** A viewer with more followers has them looked up one by one. */
const maxFollowerSet = 500;

interface Args extends AccountPatterns {
  readonly viewer: AccountId | null;
  /** The handle that the text is, in lower case; the domain is empty for a local account. */
  readonly handleUsername: string | null;
  readonly handleDomain: string | null;
  readonly now: Date;
  readonly limit: number;
  readonly offset: number;
}

interface RankedAccount {
  readonly id: AccountId;
  readonly is_exact: boolean;
  /** Number of accounts that were ranked. */
  readonly candidates: number;
}

/** What ranks the account `a`. */
const columns = sql`a.id, lower(a.username) as username, a.created_at`;
const names = sql`(lower(a.username) || ' ' || lower(a.display_name))`;

const isFollowed = ({ viewer }: Args) => sql`exists (
  select from follows f where f.account_id = ${viewer}::bigint and f.target_account_id = a.id)`;

/** Whether the name of the account `a` matches, and it may be found by its name. */
const isMatch = (args: Args) => sql`
  a.suspended_at is null and a.deleted_at is null and a.activated and a.moved_to_account_id is null
  and a.id <> ${sql.lit(instanceActorId)} and a.id is distinct from (select id from exact)
  and ${names} like any(${args.any}::text[])
  and (cardinality(${args.rest}::text[]) = 0 or ${names} like all(${args.rest}::text[]))
  and (${args.domain}::text is null or a.domain like ${args.domain}::text)`;

const exactAccount = (args: Args) => sql`
  select ${columns}, true as is_exact from accounts a
  where lower(a.username) = ${args.handleUsername}::text and coalesce(a.domain, '') = ${args.handleDomain}::text
    and a.suspended_at is null and a.deleted_at is null and a.activated and a.id <> ${sql.lit(instanceActorId)}`;

const matchedAccounts = (args: Args) => sql`(
  select ${columns}, false as is_exact from accounts a
  where ${isMatch(args)} and (a.silenced_at is null or ${isFollowed(args)})
  limit ${sql.lit(maxCandidates)})`;

const followedAccounts = (args: Args) => sql`
  select ${columns}, false as is_exact from follows f join accounts a on a.id = f.target_account_id
  where f.account_id = ${args.viewer}::bigint and ${isMatch(args)}`;

/**
 * Ranks `found`: the exact handle first, then a username that is the text, then followed accounts, followers of the viewer,
 * usernames that begin with the text; among equals the popular ones. Each silent month, up to twelve, lowers the score as
 * much as losing a third of the followers would. Statistics and follows are read by one scan for all found accounts.
 */
const rankedAccounts = (exact: (args: Args) => RawBuilder<unknown>, found: (args: Args) => RawBuilder<unknown>) =>
  abortableQuery<RankedAccount>()((db, args: Args) => ({
    compile: () =>
      sql<RankedAccount>`
        with exact as materialized (${exact(args)}
        ), found as materialized (
          select * from exact union all ${found(args)}
        ), ids as materialized (
          select array(select id from found) as ids
        ), stats as materialized (
          select account_id, followers_count, last_status_at from account_stats
          where account_id = any((select ids from ids)::bigint[])
        ), followed as materialized (
          select target_account_id from follows
          where account_id = ${args.viewer}::bigint and target_account_id = any((select ids from ids)::bigint[])
        ), followers as materialized (
          select account_id from follows where target_account_id = ${args.viewer}::bigint
          limit ${sql.lit(maxFollowerSet + 1)}
        )
        select a.id, a.is_exact, (select count(*)::int from found) as candidates
        from found a left join stats on stats.account_id = a.id
        order by
          a.is_exact desc,
          a.username = ${args.username}::text desc,
          a.id in (select target_account_id from followed) desc,
          case when (select count(*) from followers) <= ${sql.lit(maxFollowerSet)}
            then a.id in (select account_id from followers)
            else coalesce((select true from follows f
              where f.account_id = a.id and f.target_account_id = ${args.viewer}::bigint limit 1), false) end desc,
          starts_with(a.username, ${args.username}::text) desc,
          ln(1 + coalesce(stats.followers_count, 0)) - 0.4 * least(12,
            date_part('epoch', ${args.now}::timestamptz - coalesce(stats.last_status_at, a.created_at)) / 2592000) desc,
          a.id
        limit ${args.limit}::int offset ${args.offset}::int`.compile(db),
  }));

/** Ranks all accounts that match. With `maxCandidates`, there may be more, among them followed ones. */
export const rankMatches = rankedAccounts(exactAccount, matchedAccounts);

/** Ranks matches up to the limit, and all followed ones. */
export const rankMatchesAndFollowed = rankedAccounts(
  exactAccount,
  (args) => sql`(
    with matched as materialized ${matchedAccounts(args)}
    select * from matched
    union all
    select * from (${followedAccounts(args)}) followed
    where not exists (select from matched where matched.id = followed.id))`,
);

/** Ranks the matches that the viewer follows. */
export const rankFollowed = rankedAccounts(
  (args) => sql`${exactAccount(args)} and ${isFollowed(args)}`,
  followedAccounts,
);
