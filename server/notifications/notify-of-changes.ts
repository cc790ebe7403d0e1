import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { transaction } from '../platform/write/transaction.ts';
import type { AccountId, PollId, StatusId } from '../platform/ids.ts';
import { notify, deleteNotifications, type NewNotification } from './notify.ts';

interface NotificationRecipients {
  readonly account_id: AccountId;
  readonly recipients: AccountId[];
}

const loadRebloggers = preparedQuery<NotificationRecipients>()((db, { statusId }: { statusId: StatusId }) => ({
  compile: () =>
    sql<NotificationRecipients>`
      select s.account_id,
        array(
          select r.account_id from statuses r join accounts a on a.id = r.account_id
          where r.reblog_of_id = s.id and r.deleted_at is null and a.domain is null and not exists (
            select 1 from notifications n
            where n.account_id = r.account_id and n.type = 'update' and n.status_id = s.id
              and n.created_at >= s.edited_at)) as recipients
      from statuses s where s.id = ${statusId}::bigint and s.deleted_at is null`.compile(db),
}));

/** Notifies rebloggers of the latest edit of a status (STA-11), in place of earlier edits. */
export async function notifyOfEdit(app: App, { statusId }: { readonly statusId: StatusId }): Promise<void> {
  const [status] = await loadRebloggers(app, { statusId });
  if (status === undefined || status.recipients.length === 0) return;
  const { account_id: fromAccountId, recipients } = status;
  const news: NewNotification = { type: 'update', fromAccountId, statusId, recipients };
  await transaction(app, (tx) => deleteNotifications(tx, news));
  await notify(app, news);
}

interface AddedMentions {
  readonly statusId: StatusId;
  readonly accountId: AccountId;
  readonly mentionedIds: readonly AccountId[];
}

/** Notifies accounts whose mention was added after posting. */
export function notifyOfMentions(app: App, { statusId, accountId, mentionedIds }: AddedMentions): Promise<void> {
  return notify(app, { type: 'mention', fromAccountId: accountId, statusId, recipients: mentionedIds });
}

const loadVoters = preparedQuery<NotificationRecipients>()((db, { pollId }: { pollId: PollId }) => ({
  compile: () =>
    sql<NotificationRecipients>`
      select p.account_id,
        array(
          select p.account_id
          union select v.account_id from poll_votes v join accounts a on a.id = v.account_id
          where v.poll_id = p.id and a.domain is null) as recipients
      from polls p join statuses s on s.id = p.status_id and s.deleted_at is null
      where p.id = ${pollId}::bigint`.compile(db),
}));

/** Notifies the author and the voters that a poll has ended (POL-02). */
export async function notifyOfPoll(app: App, ended: { readonly pollId: PollId; readonly statusId: StatusId }) {
  const [poll] = await loadVoters(app, { pollId: ended.pollId });
  if (poll === undefined) return;
  const { account_id: fromAccountId, recipients } = poll;
  await notify(app, { type: 'poll', fromAccountId, statusId: ended.statusId, recipients });
}
