import { sql, type RawBuilder } from 'kysely';
import { followsSql } from '../../relationships/rules/index.ts';
import { moderatesSql } from '../../users/access/index.ts';
import type { NotificationType } from '../types.ts';
import { defaultPolicy } from './policy.ts';

// Limits of reference/limits.tsv.
/** An account is new for this long, in days. */
const newAccountDays = 30;
/** An account counts as a follower after this time, in days. */
const newFollowerDays = 3;
/** Posts of a thread in which the recipient may have mentioned the sender. */
const maxThreadDepth = 100;

/** The types that the policy applies to. The others are about what the recipient asked for, or come from staff. */
const filterableTypes: readonly NotificationType[] = [
  'mention',
  'reblog',
  'follow',
  'follow_request',
  'favourite',
  'quote',
  'added_to_collection',
];

/** Aliases and expressions of the statement that selects recipients. */
export interface PolicyContext {
  /** Alias of the recipient's row of `accounts`. */
  readonly recipient: string;
  /** Alias of the sender's row of `accounts`. */
  readonly sender: string;
  /** Alias of the recipient's row of `notification_policies`, null for the default policy. */
  readonly policy: string;
  /** The type of the notification. */
  readonly type: RawBuilder<string>;
  /** The id of the status that it is about. */
  readonly statusId: RawBuilder<unknown>;
  readonly now: Date;
}

/**
 * Returns an expression for what the policy of the recipient demands: `accept`, `filter` or `drop`. It looks up only
 * what the settings ask for, so that the default policy costs next to nothing. Settings are compared as text: `drop`
 * sorts before `filter` and wins.
 */
export function policyActionSql({ recipient, sender, policy, type, statusId, now }: PolicyContext): RawBuilder<string> {
  const to = sql.ref(`${recipient}.id`);
  const from = sql.ref(`${sender}.id`);
  const since = (days: number) => sql`${now}::timestamptz - ${sql.lit(`${days} days`)}::interval`;
  const setting = (name: keyof typeof defaultPolicy) =>
    sql`nullif(coalesce(${sql.ref(`${policy}.${name}`)}, ${sql.lit(defaultPolicy[name])}), 'accept')`;
  const when = (condition: RawBuilder<boolean>, action: RawBuilder<unknown>) =>
    sql`case when ${condition} then ${action} end`;
  // A silenced account can only request to follow: its requests are always listed.
  const isLimited = sql<boolean>`${sql.ref(`${sender}.silenced_at`)} is not null and ${type} <> 'follow_request'`;
  const isNew = sql<boolean>`${sql.ref(`${sender}.created_at`)} > ${since(newAccountDays)}`;
  const isBot = sql<boolean>`${sql.ref(`${sender}.actor_type`)} in ('Service', 'Application')`;
  const isPrivate = sql<boolean>`${type} = 'mention' and ${setting('for_private_mentions')} is not null
    and ${isUnsolicitedSql({ to, from, statusId })}`;
  const isNoFollower = sql<boolean>`${setting('for_not_followers')} is not null and not exists (
    select from follows back where back.account_id = ${from} and back.target_account_id = ${to}
      and back.created_at <= ${since(newFollowerDays)})`;
  return sql<string>`coalesce((
    select case when demand.action is null then 'accept' when ${isExemptSql({ recipient, sender, type })} then 'accept'
      else demand.action end
    from (
      select least(
        ${when(sql<boolean>`stranger.action is not null and not ${followsSql(to, from)}`, sql`stranger.action`)},
        ${when(isNoFollower, setting('for_not_followers'))}) as action
      from (
        select least(${setting('for_not_following')}, ${when(isLimited, setting('for_limited_accounts'))},
          ${when(isNew, setting('for_new_accounts'))}, ${when(isBot, setting('for_bots'))},
          ${when(isPrivate, setting('for_private_mentions'))}) as action
        where ${type} in (${sql.join(filterableTypes.map((name) => sql.lit(name)))})
        offset 0) stranger
      offset 0) demand), 'accept')`;
}

/** Condition: the recipient accepted the sender, or staff mention someone they moderate. */
const isExemptSql = ({
  recipient,
  sender,
  type,
}: Pick<PolicyContext, 'recipient' | 'sender' | 'type'>) => sql<boolean>`(
  exists (
    select from notification_permissions permission
    where permission.account_id = ${sql.ref(`${recipient}.id`)}
      and permission.from_account_id = ${sql.ref(`${sender}.id`)})
  or (${type} = 'mention' and ${sql.ref(`${sender}.domain`)} is null
    and ${moderatesSql(sql.ref(`${sender}.id`), sql.ref(`${recipient}.id`))}))`;

interface Mention {
  readonly to: RawBuilder<unknown>;
  readonly from: RawBuilder<unknown>;
  readonly statusId: RawBuilder<unknown>;
}

/** Condition: a direct status is not part of a thread in which the recipient mentioned the sender directly. */
const isUnsolicitedSql = ({ to, from, statusId }: Mention) => sql<boolean>`exists (
  select from statuses s where s.id = ${statusId} and s.visibility = 'direct' and not exists (
    with recursive thread (id, in_reply_to_id, depth) as (
      select s.id, s.in_reply_to_id, 0
      union all
      select parent.id, parent.in_reply_to_id, depth + 1
      from thread join statuses parent on parent.id = thread.in_reply_to_id
      where depth < ${sql.lit(maxThreadDepth)}
    )
    select from thread join statuses mine on mine.id = thread.id
      join mentions m on m.status_id = mine.id and m.account_id = ${from} and not m.silent
    where mine.account_id = ${to} and mine.visibility = 'direct'))`;
