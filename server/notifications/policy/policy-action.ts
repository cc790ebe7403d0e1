import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { followsSql } from '../../relationships/rules/index.ts';
import { moderatesSql } from '../../users/access/index.ts';
import type { NotificationType } from '../types.ts';
import { defaultPolicy, type Policy, type PolicyAction } from './policy.ts';

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

/** Aliases and expressions of a statement about notifications, their recipients and senders. */
interface PolicyContext {
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

/** The action that a setting demands; null for `accept`. */
const settingSql = ({ policy }: PolicyContext, name: keyof Policy) =>
  sql`nullif(coalesce(${sql.ref(`${policy}.${name}`)}, ${sql.lit(defaultPolicy[name])}), 'accept')`;

const whenSql = (condition: RawBuilder<boolean>, action: RawBuilder<unknown>) =>
  sql`case when ${condition} then ${action} end`;

const sinceSql = (now: Date, days: number) => sql`${now}::timestamptz - ${sql.lit(`${days} days`)}::interval`;

const isFilterableSql = ({ type }: PolicyContext) =>
  sql<boolean>`${type} in (${sql.join(filterableTypes.map((name) => sql.lit(name)))})`;

/** The settings for strangers of any kind that apply by what the sender and the recipient have in their rows. */
const listSettingsSql = (context: PolicyContext) => {
  const { sender, type, now } = context;
  // A silenced account can only request to follow: its requests are always listed.
  const isLimited = sql<boolean>`${sql.ref(`${sender}.silenced_at`)} is not null and ${type} <> 'follow_request'`;
  const isNew = sql<boolean>`${sql.ref(`${sender}.created_at`)} > ${sinceSql(now, newAccountDays)}`;
  const isBot = sql<boolean>`${sql.ref(`${sender}.actor_type`)} in ('Service', 'Application')`;
  return [
    settingSql(context, 'for_not_following'),
    whenSql(isLimited, settingSql(context, 'for_limited_accounts')),
    whenSql(isNew, settingSql(context, 'for_new_accounts')),
    whenSql(isBot, settingSql(context, 'for_bots')),
  ];
};

/** A reply that waits for its approval is stored as direct, but its author addressed more people. */
const isDirectSql = ({ type, statusId }: PolicyContext) => sql<boolean>`${type} = 'mention' and exists (
  select from statuses s where s.id = ${statusId} and s.visibility = 'direct'
    and not exists (select from interaction_requests waiting where waiting.reply_id = s.id))`;

/**
 * Condition: the policy of the recipient may demand something. It is cheap, so that the default policy costs next to
 * nothing; `loadPolicyActions` returns what is demanded.
 */
export const mayDemandSql = (context: PolicyContext): RawBuilder<boolean> => sql<boolean>`(
  ${isFilterableSql(context)} and (
    coalesce(${sql.join(listSettingsSql(context))}, ${settingSql(context, 'for_not_followers')}) is not null
    or ${settingSql(context, 'for_private_mentions')} is not null and ${isDirectSql(context)}))`;

/** Returns an expression for what the policy demands. As text, `drop` sorts before `filter`, and wins. */
function policyActionSql(context: PolicyContext): RawBuilder<PolicyAction> {
  const to = sql.ref(`${context.recipient}.id`);
  const from = sql.ref(`${context.sender}.id`);
  const isUnsolicited = sql<boolean>`${isDirectSql(context)}
    and not ${isAskedForSql({ to, from, statusId: context.statusId })}`;
  const isNoFollower = sql<boolean>`not exists (
    select from follows back where back.account_id = ${from} and back.target_account_id = ${to}
      and back.created_at <= ${sinceSql(context.now, newFollowerDays)})`;
  const strangerSql = sql`least(
    ${sql.join(listSettingsSql(context))}, ${whenSql(isUnsolicited, settingSql(context, 'for_private_mentions'))})`;
  return sql<PolicyAction>`
    case when not ${isFilterableSql(context)} or ${isExemptSql(context)} then 'accept'
      else coalesce(
        least(
          ${whenSql(sql<boolean>`not ${followsSql(to, from)}`, strangerSql)},
          ${whenSql(isNoFollower, settingSql(context, 'for_not_followers'))}),
        'accept') end`;
}

interface PolicyArgs {
  /** Parallel arrays: one entry per notification. */
  readonly recipients: readonly AccountId[];
  readonly senders: readonly AccountId[];
  readonly types: readonly NotificationType[];
  readonly statusIds: readonly (StatusId | null)[];
  readonly now: Date;
}

const selectActions = preparedQuery<{ readonly action: PolicyAction }>()((db, args: PolicyArgs) => {
  const context = {
    recipient: 'a',
    sender: 'f',
    policy: 'p',
    type: sql<string>`news.type`,
    statusId: sql`news.status_id`,
    now: args.now,
  };
  return {
    compile: () =>
      sql<{ readonly action: PolicyAction }>`
        select ${policyActionSql(context)} as action
        from unnest(${args.recipients}::bigint[], ${args.senders}::bigint[], ${args.types}::text[],
          ${args.statusIds}::bigint[]) with ordinality as news(recipient, sender, type, status_id, place)
          join accounts a on a.id = news.recipient join accounts f on f.id = news.sender
          left join notification_policies p on p.account_id = a.id
        order by news.place`.compile(db),
  };
});

/** Returns what the policy of the recipient demands, for each notification. */
export async function loadPolicyActions(app: App, args: PolicyArgs): Promise<PolicyAction[]> {
  if (args.recipients.length === 0) return [];
  return (await selectActions(app, args)).map(({ action }) => action);
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

/** Condition: a status is part of a thread in which the recipient mentioned the sender directly. */
const isAskedForSql = ({ to, from, statusId }: Mention) => sql<boolean>`exists (
  with recursive thread (id, in_reply_to_id, account_id, visibility, depth) as (
    select s.id, s.in_reply_to_id, s.account_id, s.visibility, 0 from statuses s where s.id = ${statusId}
    union all
    select parent.id, parent.in_reply_to_id, parent.account_id, parent.visibility, depth + 1
    from thread join statuses parent on parent.id = thread.in_reply_to_id
    where depth < ${sql.lit(maxThreadDepth)}
  )
  select from thread where thread.account_id = ${to} and thread.visibility = 'direct' and (
    -- With a limit, so that it looks at one post at a time, not at all mentions of the sender.
    select true from mentions m where m.status_id = thread.id and m.account_id = ${from} and not m.silent limit 1))`;
