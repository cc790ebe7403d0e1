import { sql } from 'kysely';
import { loadFilterMatcher } from '../filters/index.ts';
import { filterVisibleNotifications, mayBeNotified } from '../notifications/index.ts';
import type { App } from '../platform/app.ts';
import { batchedQuery } from '../platform/database/batched-query.ts';
import type { AccountId, AnyId, NotificationId, PushSubscriptionId, StatusId, TokenId } from '../platform/ids.ts';
import { followsSql } from '../relationships/rules/index.ts';
import { loadCachedStatuses } from '../statuses/read/index.ts';
import { refusalOf, type AccessState } from '../users/access/index.ts';
import { secondFactorFromSql } from '../users/second-factor/index.ts';
import { sessionTtlDays } from '../users/sessions/index.ts';
import type { PushEndpoint } from './post-message.ts';
import { openToken } from './seal-token.ts';
import type { PushAlerts, PushPolicy } from './schema.ts';
import { isNameOf } from '../platform/known-names.ts';

const dayMs = 86_400_000;

/** Which notification goes to which subscription of its recipient. */
export interface PushKey {
  readonly subscriptionId: PushSubscriptionId;
  readonly notificationId: NotificationId;
  readonly accountId: AccountId;
}

/** A notification and the subscription that it is pushed to. */
export interface Push extends PushEndpoint, PushKey {
  readonly failingSince: Date | null;
  /** The access token of the subscription; undefined if it is not known. */
  readonly token: string | undefined;
  /** Of the recipient. */
  readonly locale: string;
  readonly type: keyof PushAlerts;
  readonly createdAt: Date;
  readonly from: AccountId;
  /** The status that the notification is about. `content` is safe HTML. */
  readonly status: { readonly content: string; readonly spoilerText: string } | undefined;
}

interface PushRow extends AccessState {
  readonly endpoint: string;
  readonly p256dh: Buffer;
  readonly auth: Buffer;
  readonly standard: boolean;
  readonly alerts: PushAlerts;
  readonly failing_since: Date | null;
  readonly token_id: TokenId | null;
  /** Last use of the browser's session; null for an app. */
  readonly session_used_at: Date | null;
  readonly sealed_token: Buffer | null;
  /** Of the recipient's role. */
  readonly permissions: string;
  readonly is_allowed: boolean;
  readonly locale: string;
  readonly type: string;
  readonly created_at: Date;
  readonly from_account_id: AccountId;
  readonly status_id: StatusId | null;
  readonly subject_id: AnyId | null;
  readonly content: string | null;
  readonly spoiler_text: string | null;
}

const policyCondition = sql<boolean>`case subscription.policy
  when ${sql.lit('all' satisfies PushPolicy)} then true
  when ${sql.lit('followed' satisfies PushPolicy)} then ${followsSql(sql`account.id`, sql`notification.from_account_id`)}
  when ${sql.lit('follower' satisfies PushPolicy)} then ${followsSql(sql`notification.from_account_id`, sql`account.id`)}
  else false end`;

const selectPush = batchedQuery<PushRow>()<PushKey>(
  { subscriptionId: 'bigint', notificationId: 'bigint', accountId: 'bigint' },
  (key) => sql`
    select subscription.endpoint, subscription.p256dh, subscription.auth, subscription.standard, subscription.alerts,
      subscription.failing_since,
      subscription.token_id, subscription.sealed_token, session.last_used_at as session_used_at, ${policyCondition} as is_allowed,
      users.locale, role.permissions::text, users.confirmed_at, users.approved, users.disabled, account.suspended_at, account.memorial,
      ${secondFactorFromSql} as second_factor_from,
      notification.type, notification.created_at, notification.from_account_id, notification.status_id, notification.subject_id,
      status.content, status.spoiler_text
    from push_subscriptions subscription
      left join oauth_tokens token on token.id = subscription.token_id and token.revoked_at is null
      left join sessions session on session.id = subscription.session_id
      join users on users.id = coalesce(token.user_id, session.user_id)
      join roles role on role.id = users.role_id
      join accounts account on account.id = subscription.account_id
      join notifications notification on notification.account_id = account.id
        and notification.id = ${key.notificationId} and not notification.filtered
      left join statuses status on status.id = notification.status_id
    where subscription.id = ${key.subscriptionId} and subscription.account_id = ${key.accountId}`,
);

/**
 * Loads a push. Undefined if it must not be sent (any more): the token was revoked, the session expired, the user may
 * not use the API or is no longer staff, the subscription does not want it, or the recipient does not see the
 * notification or filters its status.
 */
export async function loadPush(app: App, key: PushKey): Promise<Push | undefined> {
  const [row] = await selectPush(app, key);
  if (row === undefined || !row.is_allowed || refusalOf(row, app.clock.now()) !== undefined) return undefined;
  if (!isAlert(row.alerts, row.type) || isExpired(app, row.session_used_at)) return undefined;
  const recipient = { accountId: key.accountId, permissions: BigInt(row.permissions) };
  if (!(await mayBeNotified(app, recipient, row))) return undefined;
  const visible = await filterVisibleNotifications(app, key.accountId, [row]);
  if (visible.length === 0 || (await isHiddenByFilter(app, key.accountId, row.status_id))) return undefined;
  const { endpoint, p256dh, auth, standard, failing_since: failingSince, locale, type, created_at: createdAt } = row;
  const status =
    row.status_id === null ? undefined : { content: row.content ?? '', spoilerText: row.spoiler_text ?? '' };
  const { token_id: tokenId, sealed_token: sealed } = row;
  const token = tokenId === null || sealed === null ? undefined : await openToken(app, tokenId, sealed);
  const push = { ...key, token, endpoint, p256dh, auth, standard, failingSince, locale, createdAt };
  return { ...push, type, from: row.from_account_id, status };
}

const isExpired = (app: App, sessionUsedAt: Date | null): boolean =>
  sessionUsedAt !== null && app.clock.now().getTime() - sessionUsedAt.getTime() > sessionTtlDays * dayMs;

const isAlert = (alerts: PushAlerts, type: string): type is keyof PushAlerts =>
  isNameOf<keyof PushAlerts>(alerts, type) && alerts[type] === true;

/** Whether a filter of the account hides the status in notifications. Filters leave an account's own statuses alone. */
async function isHiddenByFilter(app: App, accountId: AccountId, statusId: StatusId | null): Promise<boolean> {
  if (statusId === null) return false;
  const matcher = await loadFilterMatcher(app, accountId);
  if (matcher.isEmpty) return false;
  const status = (await loadCachedStatuses(app, [statusId])).get(statusId);
  if (status === undefined || status.accountId === accountId) return false;
  return matcher
    .match(status)
    .some(({ filter }) => filter.filter_action === 'hide' && filter.context.includes('notifications'));
}
