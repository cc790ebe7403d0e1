import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { transaction } from '../platform/write/transaction.ts';
import type { AccountId, RowId, StatusId } from '../platform/ids.ts';
import { listModerators } from '../groups/index.ts';
import { isInLanguagesSql } from '../relationships/follow/index.ts';
import { announceChanges } from './announce-changes.ts';
import { deleteMatching } from './delete-matching.ts';
import { notify, type NewNotification } from './notify.ts';

interface StatusRecipients {
  readonly id: StatusId;
  readonly account_id: AccountId;
  readonly mentioned: AccountId[];
  readonly subscribed: AccountId[];
}

/**
 * Loads the local accounts that a status mentions, and those that asked for notifications of its author's statuses.
 * Replies and direct statuses notify only mentioned accounts, because they do not reach home timelines. In the order of the
 * statuses, in which clients show the notifications.
 */
const loadStatusRecipients = preparedQuery<StatusRecipients>()((db, { ids }: { ids: StatusId[] }) => ({
  compile: () =>
    sql<StatusRecipients>`
      select s.id, s.account_id,
        array(
          select m.account_id from mentions m join accounts a on a.id = m.account_id
          where m.status_id = s.id and a.domain is null and not m.silent) as mentioned,
        array(
          select f.account_id from follows f join accounts a on a.id = f.account_id
          where f.target_account_id = s.account_id and f.notify and a.domain is null
            and s.visibility <> 'direct' and not s.is_reply
            and (f.languages is null or s.language is null or ${isInLanguagesSql(sql`s.language`, sql`f.languages`)})) as subscribed
      from statuses s where s.id = any(${ids}::bigint[]) and s.deleted_at is null
      order by s.id`.compile(db),
}));

/** Replies and direct statuses notify only mentioned accounts. */
export const mayNotify = (status: {
  readonly mentions: boolean;
  readonly reply: boolean;
  readonly direct: boolean;
}): boolean => status.mentions || !(status.reply || status.direct);

/** Notifies mentioned accounts, and followers that enabled notifications for the author. */
export async function notifyOfStatuses(app: App, posted: readonly { readonly statusId: StatusId }[]): Promise<void> {
  const statuses = await loadStatusRecipients(app, { ids: posted.map(({ statusId }) => statusId) });
  const news = statuses.flatMap(
    ({ id: statusId, account_id: fromAccountId, mentioned, subscribed }): NewNotification[] => {
      const named = new Set(mentioned);
      const others = subscribed.filter((id) => !named.has(id));
      return [
        { type: 'mention', fromAccountId, statusId, recipients: [...named] },
        { type: 'status', fromAccountId, statusId, recipients: others },
      ];
    },
  );
  await notify(app, ...news);
}

/** Notifies the moderators of a group of a post that waits for them, as if they had asked for posts of its author. */
export async function notifyOfWaitingPost(
  app: App,
  { groupId, statusId }: { readonly groupId: AccountId; readonly statusId: StatusId },
): Promise<void> {
  const [status] = await loadStatusRecipients(app, { ids: [statusId] });
  if (status === undefined) return;
  const recipients = await listModerators(app, groupId);
  await notify(app, { type: 'status', fromAccountId: status.account_id, statusId, recipients });
}

interface RebloggedAuthor {
  readonly account_id: AccountId;
}

/** The server of a remote author notifies it. */
export const isLocalStatus = ({ statusLocal }: { readonly statusLocal: boolean }): boolean => statusLocal;

export const isReblogOfLocal = ({ originalLocal }: { readonly originalLocal: boolean }): boolean => originalLocal;

interface ExistingFavourite {
  readonly author_id: AccountId;
  readonly favourited_by_id: AccountId;
  readonly status_id: StatusId;
}

const selectExistingFavourites = preparedQuery<ExistingFavourite>()((db, { ids }: { ids: RowId[] }) =>
  db
    .selectFrom('favourites')
    .innerJoin('statuses', 'statuses.id', 'favourites.status_id')
    .select(['statuses.account_id as author_id', 'favourites.account_id as favourited_by_id', 'favourites.status_id'])
    .where(sql<boolean>`favourites.id = any(${ids}::bigint[])`)
    .where('statuses.local', '=', true)
    .where('statuses.deleted_at', 'is', null)
    // Notifications are stored in this order, which clients show.
    .orderBy('favourites.id'),
);

/** Notifies local authors of favourites that still exist. */
export async function notifyOfFavourites(
  app: App,
  favourites: readonly { readonly favouriteId: RowId }[],
): Promise<void> {
  const ids = favourites.map(({ favouriteId }) => favouriteId);
  const existing = await selectExistingFavourites(app, { ids });
  const news = existing.map(({ author_id, favourited_by_id, status_id }): NewNotification => ({
    type: 'favourite',
    fromAccountId: favourited_by_id,
    statusId: status_id,
    recipients: [author_id],
  }));
  await notify(app, ...news);
}

const selectRebloggedAuthor = preparedQuery<RebloggedAuthor>()((db, { statusId }: { statusId: StatusId }) =>
  db
    .selectFrom('statuses as reblog')
    .innerJoin('statuses as original', 'original.id', 'reblog.reblog_of_id')
    .select('original.account_id')
    .where('reblog.id', '=', statusId)
    .where('reblog.deleted_at', 'is', null)
    .where('original.local', '=', true)
    .where('original.deleted_at', 'is', null),
);

interface Reblog {
  readonly statusId: StatusId;
  readonly reblogOfId: StatusId;
  readonly accountId: AccountId;
}

/** Notifies a local author of a reblog that still exists. The notification is about the original. */
export async function notifyOfReblog(app: App, { statusId, reblogOfId, accountId }: Reblog): Promise<void> {
  const [author] = await selectRebloggedAuthor(app, { statusId });
  if (author === undefined) return;
  const recipients = [author.account_id];
  await notify(app, { type: 'reblog', fromAccountId: accountId, statusId: reblogOfId, recipients });
}

interface UndoneFavourite {
  readonly accountId: AccountId;
  readonly statusId: StatusId;
}

/** Deletes the notifications of undone favourites, unless the status was favourited again. */
export async function deleteFavouriteNotifications(app: App, undone: readonly UndoneFavourite[]): Promise<void> {
  await transaction(app, async (tx) => {
    const { rows } = await sql<{ account_id: AccountId }>`
      delete from notifications n using statuses s, unnest(
        ${undone.map(({ statusId }) => statusId)}::bigint[],
        ${undone.map(({ accountId }) => accountId)}::bigint[]) as undone(status_id, account_id)
      where s.id = undone.status_id and n.account_id = s.account_id and n.type = 'favourite'
        and n.from_account_id = undone.account_id and coalesce(n.status_id, 0) = s.id
        and not exists (
          select 1 from favourites f where f.account_id = n.from_account_id and f.status_id = s.id)
      returning n.account_id`.execute(tx.db);
    announceChanges(tx, rows);
  });
}

/** Deletes the notification of an undone reblog, unless the status was reblogged again. */
export async function deleteReblogNotifications(
  app: App,
  { accountId, reblogOfId }: Omit<Reblog, 'statusId'>,
): Promise<void> {
  await transaction(app, async (tx) => {
    const { rows } = await sql<{ account_id: AccountId }>`
      delete from notifications n using statuses s
      where s.id = ${reblogOfId}::bigint and s.local and n.account_id = s.account_id and n.type = 'reblog'
        and n.from_account_id = ${accountId}::bigint and coalesce(n.status_id, 0) = s.id
        and not exists (
          select 1 from statuses r
          where r.account_id = n.from_account_id and r.reblog_of_id = s.id and r.deleted_at is null)
      returning n.account_id`.execute(tx.db);
    announceChanges(tx, rows);
  });
}

/** Deletes all notifications about deleted statuses. */
export async function deleteStatusNotifications(app: App, statusIds: readonly StatusId[]): Promise<void> {
  await transaction(app, (tx) => deleteMatching(tx, sql<boolean>`status_id = any(${statusIds}::bigint[])`));
}
