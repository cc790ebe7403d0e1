import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import {
  type AccountId,
  type CollectionId,
  type Id,
  newId,
  type NotificationId,
  type StatusId,
} from '../platform/ids.ts';
import { hidesNotificationsSql } from '../relationships/rules/index.ts';
import { announceChanges } from './announce-changes.ts';
import { notificationCreated } from './events.ts';
import { groupKey, groupPrefix } from './group-key.ts';
import { loadPolicyActions, mayDemandSql } from './policy/policy-action.ts';
import type { PolicyAction } from './policy/policy.ts';
import { openRequests } from './requests/count-requests.ts';
import { writable } from './tables.ts';
import type { NotificationType } from './types.ts';

/** A notification to store for several recipients. */
export interface NewNotification {
  readonly type: NotificationType;
  readonly fromAccountId: AccountId;
  /** The status that mentions, or that was favourited or reblogged. */
  readonly statusId?: StatusId;
  readonly collectionId?: CollectionId;
  /** The severance, report or warning that it is about. */
  readonly subjectId?: Id<string>;
  readonly recipients: readonly AccountId[];
}

interface NotificationRecipient {
  /** Index in the argument arrays, from 1. */
  readonly place: number;
  readonly account_id: AccountId;
  readonly newest_group: string | null;
  /** Whether the policy of the recipient may filter or drop it. */
  readonly has_policy: boolean;
}

interface StoredNotification {
  readonly id: NotificationId;
  readonly account_id: AccountId;
  readonly from_account_id: AccountId;
  readonly type: string;
  readonly filtered: boolean;
}

interface RecipientArgs {
  /** Parallel arrays: one entry per notification. */
  readonly recipients: readonly AccountId[];
  readonly senders: readonly AccountId[];
  readonly types: readonly NotificationType[];
  readonly statusIds: readonly (StatusId | null)[];
  readonly groupPrefixes: readonly (string | null)[];
  readonly now: Date;
}

/**
 * Selects the local people that want each notification (NTF-03): not from themselves (except for types that come
 * from the recipient's own account), not from accounts that `hidesNotificationsSql` names, not about muted conversations.
 */
const selectRecipients = preparedQuery<NotificationRecipient>()((db, args: RecipientArgs) => ({
  compile: () =>
    sql<NotificationRecipient>`
      select news.place::int as place, a.id as account_id, (
        select n.group_key from notifications n
        where n.account_id = a.id and n.group_key collate "C" > news.group_prefix
          and n.group_key collate "C" < news.group_prefix || ':'
        order by n.group_key collate "C" desc limit 1
      ) as newest_group,
      ${mayDemandSql({
        recipient: 'a',
        sender: 'f',
        policy: 'p',
        type: sql<string>`news.type`,
        statusId: sql`news.status_id`,
        now: args.now,
      })} as has_policy
      from unnest(${args.recipients}::bigint[], ${args.senders}::bigint[], ${args.types}::text[],
        ${args.statusIds}::bigint[], ${args.groupPrefixes}::text[])
        with ordinality as news(recipient, sender, type, status_id, group_prefix, place)
        join accounts a on a.id = news.recipient join accounts f on f.id = news.sender
        left join notification_policies p on p.account_id = a.id
      where (a.id <> f.id or news.type in ('poll', 'severed_relationships', 'moderation_warning'))
        and a.domain is null and a.actor_type <> 'Group' and a.suspended_at is null and a.deleted_at is null and f.suspended_at is null
        and f.deleted_at is null
        and not ${hidesNotificationsSql(sql`a.id`, { id: sql`f.id`, domain: sql`f.domain` }, args.now)}
        and not exists (
          select 1 from conversation_mutes c
          join statuses s on s.conversation_id = c.conversation_id and s.id = news.status_id
          where c.account_id = a.id)
      order by news.place`.compile(db),
}));

/** Recipients in one statement. */
const batchSize = 1_000;

/**
 * Stores notifications for recipients that want them. None from a deleted account, or about a collection that was deleted
 * meanwhile. Idempotent.
 */
export async function notify(app: App, ...news: readonly NewNotification[]): Promise<void> {
  const deliveries = news.flatMap((item) => item.recipients.map((recipient) => ({ ...item, recipient })));
  for (let start = 0; start < deliveries.length; start += batchSize) {
    await insertNotifications(app, deliveries.slice(start, start + batchSize));
  }
}

/** A notification for one recipient. */
type Delivery = NewNotification & { readonly recipient: AccountId };

/** Returns what the policies of recipients demand, by place. Nothing is loaded for those that may demand nothing. */
async function loadActions(
  app: App,
  deliveries: readonly Delivery[],
  receivers: readonly NotificationRecipient[],
  now: Date,
): Promise<ReadonlyMap<number, PolicyAction>> {
  const places = receivers.flatMap(({ place, has_policy }) => (has_policy ? [place] : []));
  const concerned = places.flatMap((place) => deliveries[place - 1] ?? []);
  const actions = await loadPolicyActions(app, {
    recipients: concerned.map(({ recipient }) => recipient),
    senders: concerned.map(({ fromAccountId }) => fromAccountId),
    types: concerned.map(({ type }) => type),
    statusIds: concerned.map(({ statusId }) => statusId ?? null),
    now,
  });
  return new Map(places.flatMap((place, index) => [[place, actions[index] ?? 'accept'] as const]));
}

async function insertNotifications(app: App, deliveries: readonly Delivery[]): Promise<void> {
  const now = app.clock.now();
  const prefixes = deliveries.map(({ type, statusId }) => groupPrefix(type, statusId) ?? null);
  const receivers = await selectRecipients(app, {
    recipients: deliveries.map(({ recipient }) => recipient),
    senders: deliveries.map(({ fromAccountId }) => fromAccountId),
    types: deliveries.map(({ type }) => type),
    statusIds: deliveries.map(({ statusId }) => statusId ?? null),
    groupPrefixes: prefixes,
    now,
  });
  const actions = await loadActions(app, deliveries, receivers, now);
  const rows = receivers.flatMap(({ place, account_id, newest_group }) => {
    const [delivery, prefix, action = 'accept'] = [deliveries[place - 1], prefixes[place - 1], actions.get(place)];
    if (delivery === undefined || action === 'drop') return [];
    const filtered = action === 'filter';
    const { type, fromAccountId, statusId = null, collectionId = null, subjectId = null } = delivery;
    const group = prefix === null || prefix === undefined || filtered ? null : groupKey(prefix, newest_group, now);
    return [
      {
        account_id,
        id: newId<'notification'>(now),
        type,
        fromAccountId,
        statusId,
        collectionId,
        subjectId,
        group,
        filtered,
      },
    ];
  });
  if (rows.length === 0) return;
  await transaction(app, async (tx) => {
    const { rows: stored } = await sql<StoredNotification>`
      insert into notifications (account_id, id, type, from_account_id, status_id, collection_id, subject_id, group_key, filtered, created_at)
      select news.*, ${now}::timestamptz from unnest(
        ${rows.map((row) => row.account_id)}::bigint[], ${rows.map((row) => row.id)}::bigint[],
        ${rows.map((row) => row.type)}::text[], ${rows.map((row) => row.fromAccountId)}::bigint[],
        ${rows.map((row) => row.statusId)}::bigint[], ${rows.map((row) => row.collectionId)}::bigint[],
        ${rows.map((row) => row.subjectId)}::bigint[], ${rows.map((row) => row.group)}::text[],
        ${rows.map((row) => row.filtered)}::boolean[])
        as news(account_id, id, type, from_account_id, status_id, collection_id, subject_id, group_key, filtered)
      where news.collection_id is null
        or exists (select 1 from collections c where c.id = news.collection_id for key share)
      on conflict do nothing
      returning id, account_id, from_account_id, type, filtered`.execute(tx.db);
    for (const { id, account_id, type, filtered } of stored) {
      if (!filtered) tx.emit(notificationCreated({ notificationId: id, accountId: account_id, type }));
    }
    await openRequests(
      tx,
      stored.filter(({ filtered }) => filtered),
      now,
    );
  });
}

/** Deletes notifications whose cause was undone. */
export async function deleteNotifications(
  tx: Transaction,
  { type, fromAccountId, statusId, recipients }: NewNotification,
): Promise<void> {
  const deleted = await writable(tx.db)
    .deleteFrom('notifications')
    .where('account_id', '=', sql<AccountId>`any(${recipients}::bigint[])`)
    .where('from_account_id', '=', fromAccountId)
    .where('type', '=', type)
    .where(sql<boolean>`coalesce(status_id, 0) = ${statusId ?? '0'}::bigint`)
    .returning('account_id')
    .execute();
  announceChanges(tx, deleted);
}
