import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import { write, type Write } from '../platform/database/write.ts';
import { newId, type AccountId, type StatusId } from '../platform/ids.ts';
import { notificationCreated } from './events.ts';
import { groupKey, groupPrefix } from './group-key.ts';
import type { NotificationType } from './types.ts';

/** Something that people are to be told. */
export interface News {
  readonly type: NotificationType;
  /** Who did it. */
  readonly fromAccountId: AccountId;
  /** What it is about: the post with the mention, the favourited or reblogged post. */
  readonly statusId?: StatusId;
  readonly recipients: readonly AccountId[];
}

interface Receiver {
  readonly account_id: AccountId;
  readonly newest_group: string | null;
  readonly filtered: boolean;
}

interface ReceiverArgs {
  readonly from: AccountId;
  readonly statusId: StatusId | null;
  readonly recipients: readonly AccountId[];
  readonly groupPrefix: string | null;
  /** A request to follow is always told: the silenced may only ask. */
  readonly mayFilter: boolean;
  readonly now: Date;
}

/**
 * Those of the recipients who are of this server and want to hear it (NTF-03): not of themselves, nor from whom they
 * block or are blocked by, mute with notifications, or whose server they block, nor from a conversation they mute. News of
 * an account that staff silenced is kept aside from those who do not follow it.
 */
const receiversOf = prepared<Receiver>()((db, args: ReceiverArgs) => ({
  compile: () =>
    sql<Receiver>`
      select a.id as account_id, (
        select n.group_key from notifications n
        where n.account_id = a.id and n.group_key collate "C" > ${args.groupPrefix}::text
          and n.group_key collate "C" < ${args.groupPrefix}::text || ':'
        order by n.group_key collate "C" desc limit 1
      ) as newest_group,
      ${args.mayFilter}::boolean and f.silenced_at is not null and not exists (
        select 1 from follows where follows.account_id = a.id and follows.target_account_id = f.id
      ) as filtered
      from accounts a join accounts f on f.id = ${args.from}::bigint
      where a.id = any(${args.recipients}::bigint[]) and a.id <> f.id
        and a.domain is null and a.suspended_at is null and a.deleted_at is null and f.suspended_at is null
        and not exists (select 1 from blocks b where b.account_id = a.id and b.target_account_id = f.id)
        and not exists (select 1 from blocks b where b.account_id = f.id and b.target_account_id = a.id)
        and not exists (
          select 1 from mutes m
          where m.account_id = a.id and m.target_account_id = f.id and m.hide_notifications
            and (m.expires_at is null or m.expires_at > ${args.now}::timestamptz))
        and not exists (select 1 from account_domain_blocks d where d.account_id = a.id and d.domain = f.domain)
        and not exists (
          select 1 from conversation_mutes c
          join statuses s on s.conversation_id = c.conversation_id and s.id = ${args.statusId}::bigint
          where c.account_id = a.id)`.compile(db),
}));

/** Recipients looked at in one statement. */
const chunk = 1_000;

/** Tells people some news, each once however often it is called; those who do not want to hear it are left out. */
export async function notify(app: App, news: News): Promise<void> {
  for (let start = 0; start < news.recipients.length; start += chunk) {
    await notifyChunk(app, { ...news, recipients: news.recipients.slice(start, start + chunk) });
  }
}

async function notifyChunk(app: App, { type, fromAccountId, statusId, recipients }: News): Promise<void> {
  const now = app.clock.now();
  const prefix = groupPrefix(type, statusId);
  const receivers = await receiversOf(app, {
    from: fromAccountId,
    statusId: statusId ?? null,
    recipients,
    groupPrefix: prefix ?? null,
    mayFilter: type !== 'follow_request',
    now,
  });
  if (receivers.length === 0) return;
  const rows = receivers.map(({ account_id, newest_group, filtered }) => ({
    account_id,
    id: newId<'notification'>(now),
    type,
    from_account_id: fromAccountId,
    status_id: statusId ?? null,
    group_key: prefix === undefined || filtered ? null : groupKey(prefix, newest_group, now),
    filtered,
    created_at: now,
  }));
  await write(app, async ({ db, emit }) => {
    const stored = await db
      .insertInto('notifications')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'account_id'])
      .execute();
    for (const { id, account_id } of stored) emit(notificationCreated({ notificationId: id, accountId: account_id }));
  });
}

/** Takes back what `notify` told, when its cause is undone. */
export async function takeBack({ db }: Write, { type, fromAccountId, statusId, recipients }: News): Promise<void> {
  await db
    .deleteFrom('notifications')
    .where('account_id', '=', sql<AccountId>`any(${recipients}::bigint[])`)
    .where('from_account_id', '=', fromAccountId)
    .where('type', '=', type)
    .where(sql<boolean>`coalesce(status_id, 0) = ${statusId ?? '0'}::bigint`)
    .execute();
}
