import { sql, type RawBuilder } from 'kysely';
import type { AccountId } from '../../platform/ids.ts';
import type { Relations } from './relations.ts';

// What the relations of two accounts hide. Each rule exists once for cached relations and once, with the suffix `Sql`,
// as a condition; test/api/statuses/visibility-rules.test.ts compares the two. Nobody else reads blocks, mutes, domain
// blocks and follows to decide what an account may see.

interface OtherAccount {
  readonly id: AccountId;
  /** Null for a local account. */
  readonly domain: string | null;
}

/** Whether the account does not want to see the other in its feeds: it blocks or mutes it. */
export const isUnwanted = ({ blocking, muting }: Relations, id: AccountId): boolean =>
  blocking.has(id) || muting.has(id);

/** Whether the account blocks the domain; false for local accounts, which have none. */
export const blocksDomain = ({ blockedDomains }: Relations, domain: string | null): boolean =>
  domain !== null && blockedDomains.has(domain);

/** Whether the account blocks or mutes the other, or blocks its domain. */
export const isHidden = (relations: Relations, { id, domain }: OtherAccount): boolean =>
  isUnwanted(relations, id) || blocksDomain(relations, domain);

/** Whether one of the two accounts blocks the other. */
export const isBlockedEitherWay = ({ blocking, blockedBy }: Relations, id: AccountId): boolean =>
  blocking.has(id) || blockedBy.has(id);

/** Whether the account gets no notifications from the other (NTF-03). */
export const hidesNotifications = (relations: Relations, { id, domain }: OtherAccount): boolean =>
  isBlockedEitherWay(relations, id) || relations.mutingNotifications.has(id) || blocksDomain(relations, domain);

/** Returns every account that is hidden from the account by a block of either side or a mute. */
export const listHiddenIds = ({ blocking, blockedBy, muting }: Relations): AccountId[] => [
  ...new Set([...blocking, ...blockedBy, ...muting]),
];

/** An SQL expression for the id of an account. As the second argument of a rule it may be `any(array)`: any of them. */
export type AccountSql = RawBuilder<unknown>;

export const followsSql = (account: AccountSql, target: AccountSql): RawBuilder<boolean> => sql<boolean>`exists (
  select from follows rule where rule.account_id = ${account} and rule.target_account_id = ${target})`;

export const blocksSql = (account: AccountSql, target: AccountSql): RawBuilder<boolean> => sql<boolean>`exists (
  select from blocks rule where rule.account_id = ${account} and rule.target_account_id = ${target})`;

/** A mute that has ended no longer counts, even if its row is not deleted yet. */
export const mutesSql = (
  account: AccountSql,
  target: AccountSql,
  now: Date,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from mutes rule where rule.account_id = ${account} and rule.target_account_id = ${target} and ${isActiveMute(now)})`;

export const mutesNotificationsSql = (account: AccountSql, target: AccountSql, now: Date): RawBuilder<boolean> =>
  sql<boolean>`exists (
    select from mutes rule where rule.account_id = ${account} and rule.target_account_id = ${target}
      and rule.hide_notifications and ${isActiveMute(now)})`;

const isActiveMute = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(rule.expires_at is null or rule.expires_at > ${now}::timestamptz)`;

/** The condition of `blocksDomain`, for a domain at hand. */
export const blocksDomainSql = (account: AccountSql, domain: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (
    select from account_domain_blocks rule where rule.account_id = ${account} and rule.domain = ${domain})`;

/** The condition of `blocksDomain`, for the domain of an account. */
export const blocksDomainOfSql = (account: AccountSql, target: AccountSql): RawBuilder<boolean> => sql<boolean>`exists (
  select from account_domain_blocks rule join accounts hidden on hidden.domain = rule.domain
  where rule.account_id = ${account} and hidden.id = ${target})`;

/** The condition of `isUnwanted`. */
export const isUnwantedSql = (account: AccountSql, target: AccountSql, now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${blocksSql(account, target)} or ${mutesSql(account, target, now)})`;

/** Selects the accounts to which `isUnwantedSql` applies, for statements about many accounts and few targets. */
export const unwantedBySql = (target: AccountSql, now: Date): RawBuilder<unknown> => sql`
  select rule.account_id from blocks rule where rule.target_account_id = ${target}
  union all
  select rule.account_id from mutes rule where rule.target_account_id = ${target} and ${isActiveMute(now)}`;

/** The condition of `isHidden`. */
export const isHiddenSql = (account: AccountSql, target: AccountSql, now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${isUnwantedSql(account, target, now)} or ${blocksDomainOfSql(account, target)})`;

/** The condition of `isBlockedEitherWay`. */
export const isBlockedEitherWaySql = (account: AccountSql, target: AccountSql): RawBuilder<boolean> =>
  sql<boolean>`(${blocksSql(account, target)} or ${blocksSql(target, account)})`;

/** The condition of `hidesNotifications`. `target` is one account, with its domain. */
export const hidesNotificationsSql = (
  account: AccountSql,
  target: { readonly id: AccountSql; readonly domain: RawBuilder<unknown> },
  now: Date,
): RawBuilder<boolean> => sql<boolean>`(
  ${isBlockedEitherWaySql(account, target.id)}
  or ${mutesNotificationsSql(account, target.id, now)}
  or ${blocksDomainSql(account, target.domain)})`;
