import { sql, type RawBuilder } from 'kysely';
import { isInLanguagesSql } from '../../relationships/follow/index.ts';
import { blocksDomainSql, blocksSql, followsSql, isUnwantedSql } from '../../relationships/rules/index.ts';
import { isInFollowerAudienceSql } from '../../statuses/visibility/index.ts';

const owner = sql`f.account_id`;

/**
 * Joins what the rules below need of the status `s`: the reblogged status `o`, and in `p.people` the accounts it
 * involves (the authors of both, the accounts both reply to, and the mentioned accounts).
 */
export const involvedAccounts: RawBuilder<unknown> = sql`
  left join statuses o on o.id = s.reblog_of_id
  cross join lateral (
    select array(select m.account_id from mentions m where m.status_id in (s.id, s.reblog_of_id) and not m.silent)
      || s.account_id || s.in_reply_to_account_id || o.account_id || o.in_reply_to_account_id as people
  ) p`;

/** A subquery rather than a join, which the planner would hash for all accounts. */
const domainOfReblogged = sql`(select hidden.domain from accounts hidden where hidden.id = o.account_id)`;

/**
 * Whether the status `s` belongs in the home feed of `f.account_id`, which follows its author by `f` or is the author.
 * Replies belong only if the owner follows both accounts or is one of them; reblogs only if the follow shows them, and
 * the owner does not block the domain of the reblogged author, nor is blocked by the author. Same rule as Mastodon.
 * Backfilled statuses belong in no feed.
 * Exclusive lists are checked by `isInExclusiveList`. Statements about many owners may replace `unwanted`.
 */
export const belongsInHome = (now: Date, unwanted = involvesUnwanted(now)): RawBuilder<boolean> => sql<boolean>`(
  not s.backfilled and (f.target_account_id = ${owner} or (
    case
      when s.reblog_of_id is not null then f.show_reblogs and o.id is not null and o.deleted_at is null
      when s.in_reply_to_account_id is null then not s.is_reply
      else s.in_reply_to_account_id in (${owner}, s.account_id) or ${followsSql(owner, sql`s.in_reply_to_account_id`)}
    end
    and (f.languages is null or s.language is null or ${isInLanguagesSql(sql`s.language`, sql`f.languages`)})
    and ${isInFollowerAudienceSql(owner)}
    and not ${unwanted}
    and (s.reblog_of_id is null or o.account_id = ${owner} or not ${blocksSql(sql`o.account_id`, owner)})
    and (s.reblog_of_id is null or not ${blocksDomainSql(owner, domainOfReblogged)})
  )))`;

/**
 * Whether the status `s` belongs in the home feed of `f.account_id` because of a followed hashtag (TAG-02). Only public
 * statuses do, replies included, unless they involve an account that the owner blocks or mutes. The author must not be
 * silenced, block the owner, be in an exclusive list or on a blocked domain, and the owner's follow must not exclude the
 * language.
 */
export const belongsInHomeByTag = (now: Date, unwanted = involvesUnwanted(now)): RawBuilder<boolean> => sql<boolean>`(
  s.visibility in ('public', 'local_public') and s.reblog_of_id is null and s.deleted_at is null and not s.backfilled
  and not ${unwanted}
  and not ${isInExclusiveList(sql`s.account_id`)}
  and not ${blocksSql(sql`s.account_id`, owner)}
  and not exists (
    select 1 from follows r where r.account_id = f.account_id and r.target_account_id = s.account_id
      and not ${isInLanguagesSql(sql`s.language`, sql`r.languages`)})
  and exists (
    select 1 from accounts a where a.id = s.account_id and a.silenced_at is null
      and not ${blocksDomainSql(owner, sql`a.domain`)})
)`;

/** Whether `f.account_id` blocks or mutes an account that the status `s` involves. */
export function involvesUnwanted(now: Date): RawBuilder<boolean> {
  return isUnwantedSql(owner, sql`any(p.people)`, now);
}

/** Whether `author` is in an exclusive list of `f.account_id`, and therefore not in its home (LST-02). */
export const isInExclusiveList = (author: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`exists (
  select 1 from list_accounts x where x.owner_id = ${owner} and x.account_id = ${author} and x.exclusive)`;
