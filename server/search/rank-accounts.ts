import { sql, type RawBuilder } from 'kysely';
import { instanceActorId } from '../accounts/index.ts';
import { abortableQuery } from '../platform/database/prepared-query.ts';
import type { AccountId } from '../platform/ids.ts';
import type { AccountPatterns } from './account-patterns.ts';

/** Maximum number of matches to rank, beside followed accounts, for a common part of a name. */
const maxCandidates = 1_000;
/** So few matches are looked up one by one among the followers of the viewer. */
const maxProbes = 50;
/** More matches are compared with so many followers, the newest. */
export const maxFollowers = 500;

/** A text, and the page of its ranked accounts. */
export interface RankArgs extends AccountPatterns {
  readonly viewer: AccountId | null;
  /** The handle that the text is, in lower case; the domain is empty for a local account. */
  readonly handleUsername: string | null;
  readonly handleDomain: string | null;
  readonly limit: number;
  readonly offset: number;
}

export interface RankedAccount {
  readonly id: AccountId;
  /** Whether its username is the text. */
  readonly is_name: boolean;
}

/** What ranks the account `a`. */
export const columns = sql`a.id, lower(a.username) as username, a.popularity, a.silenced_at is not null as is_limited`;
const names = sql`(lower(a.username) || ' ' || lower(a.display_name))`;

/** Whether the name of the account `a` matches, and it may be found by its name. */
export const isMatch = (args: RankArgs) => sql`
  a.suspended_at is null and a.deleted_at is null and a.activated and a.moved_to_account_id is null
  and a.id <> ${sql.lit(instanceActorId)} and a.id is distinct from (select id from exact)
  and ${names} like any(${args.any}::text[])
  and (cardinality(${args.rest}::text[]) = 0 or ${names} like all(${args.rest}::text[]))
  and (${args.domain}::text is null or a.domain like ${args.domain}::text)`;

export const exactAccount = (args: RankArgs) => sql`
  select ${columns} from accounts a
  where lower(a.username) = ${args.handleUsername}::text and coalesce(a.domain, '') = ${args.handleDomain}::text
    and a.suspended_at is null and a.deleted_at is null and a.activated and a.id <> ${sql.lit(instanceActorId)}`;

const matchedAccounts = (args: RankArgs) => sql`
  select ${columns} from accounts a where ${isMatch(args)} limit ${sql.lit(maxCandidates)}`;

const followedAccounts = (args: RankArgs) => sql`
  select ${columns} from follows f join accounts a on a.id = f.target_account_id
  where f.account_id = ${args.viewer}::bigint and ${isMatch(args)}`;

/** The followed accounts are looked up by themselves only if more accounts may match than are ranked. */
const matchedAndFollowedAccounts = (args: RankArgs) => sql`
  with matched as materialized (${matchedAccounts(args)})
  select * from matched
  union all
  select * from (${followedAccounts(args)}) followed
  where (select count(*) from matched) >= ${sql.lit(maxCandidates)}
    and not exists (select from matched where matched.id = followed.id)`;

/**
 * Ranks `found`: the exact handle first, then a username that is the text, then followed accounts, followers of the viewer,
 * usernames that begin with the text; among equals the popular ones. Limited accounts are found only by their followers,
 * or by their handle. Follows are read by one scan for all found accounts.
 */
const rankedAccounts = (found: (args: RankArgs) => RawBuilder<unknown>, { onlyFollowed }: { onlyFollowed: boolean }) =>
  abortableQuery<RankedAccount>()((db, args: RankArgs) => ({
    compile: () =>
      sql<RankedAccount>`
        with exact as materialized (${exactAccount(args)}
        ), found as materialized (${found(args)}
        ), followed as materialized (
          select target_account_id from follows
          where account_id = ${args.viewer}::bigint
            and target_account_id = any(array(select id from found union all select id from exact))
        ), followers as materialized (
          select account_id from follows
          where target_account_id = ${args.viewer}::bigint
            and (select count(*) from found) > ${sql.lit(maxProbes)}
          order by id desc limit ${sql.lit(maxFollowers)}
        )
        select a.id, a.username = ${args.username}::text as is_name
        from (select *, true as is_exact from exact union all select *, false from found) a
        where (a.is_exact or not a.is_limited or a.id in (select target_account_id from followed))
          and (not ${sql.lit(onlyFollowed)} or a.id in (select target_account_id from followed))
        order by
          a.is_exact desc,
          a.username = ${args.username}::text desc,
          a.id in (select target_account_id from followed) desc,
          case when (select count(*) from found) > ${sql.lit(maxProbes)}
            then a.id in (select account_id from followers)
            else coalesce((select true from follows f
              where f.account_id = a.id and f.target_account_id = ${args.viewer}::bigint limit 1), false) end desc,
          starts_with(a.username, ${args.username}::text) desc,
          a.popularity desc,
          a.id
        limit ${args.limit}::int offset ${args.offset}::int`.compile(db),
  }));

/** Ranks the matches up to a limit, and all that the viewer follows. */
export const rankMatches = rankedAccounts(matchedAndFollowedAccounts, { onlyFollowed: false });

/** Ranks the matches that the viewer follows. */
export const rankFollowed = rankedAccounts(followedAccounts, { onlyFollowed: true });
