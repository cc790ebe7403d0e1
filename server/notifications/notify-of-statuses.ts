import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import { write } from '../platform/database/write.ts';
import type { AccountId, RowId, StatusId } from '../platform/ids.ts';
import { notify } from './notify.ts';

interface StatusFacts {
  readonly account_id: AccountId;
  readonly mentioned: AccountId[];
  readonly awaiting: AccountId[];
}

/**
 * Local accounts that a status mentions by name, and those who asked to be told of its author's posts: of posts that
 * reach their home, which answers to others and direct posts do not.
 */
const audienceOf = prepared<StatusFacts>()((db, { statusId }: { statusId: StatusId }) => ({
  compile: () =>
    sql<StatusFacts>`
      select s.account_id,
        array(
          select m.account_id from mentions m join accounts a on a.id = m.account_id
          where m.status_id = s.id and a.domain is null and not m.silent) as mentioned,
        array(
          select f.account_id from follows f join accounts a on a.id = f.account_id
          where f.target_account_id = s.account_id and f.notify and a.domain is null
            and s.visibility <> 'direct' and not s.is_reply
            and (f.languages is null or s.language is null or s.language = any(f.languages))) as awaiting
      from statuses s where s.id = ${statusId}::bigint and s.deleted_at is null`.compile(db),
}));

/** Tells those who are mentioned, and those who asked to hear of each post of the author. */
export async function notifyOfStatus(app: App, { statusId }: { statusId: StatusId }): Promise<void> {
  const [status] = await audienceOf(app, { statusId });
  if (status === undefined) return;
  const { account_id: fromAccountId } = status;
  const mentioned = new Set(status.mentioned);
  const awaiting = status.awaiting.filter((id) => !mentioned.has(id));
  await notify(app, { type: 'mention', fromAccountId, statusId, recipients: [...mentioned] });
  await notify(app, { type: 'status', fromAccountId, statusId, recipients: awaiting });
}

interface Author {
  readonly account_id: AccountId;
}

const authorOfFavourited = prepared<Author>()((db, { favouriteId }: { favouriteId: RowId }) =>
  db
    .selectFrom('favourites')
    .innerJoin('statuses', 'statuses.id', 'favourites.status_id')
    .select('statuses.account_id')
    .where('favourites.id', '=', favouriteId)
    .where('statuses.local', '=', true)
    .where('statuses.deleted_at', 'is', null),
);

interface Favourite {
  readonly favouriteId: RowId;
  readonly statusId: StatusId;
  readonly accountId: AccountId;
}

/** Tells a local author of a favourite, if it still stands. */
export async function notifyOfFavourite(app: App, { favouriteId, statusId, accountId }: Favourite): Promise<void> {
  const [author] = await authorOfFavourited(app, { favouriteId });
  if (author === undefined) return;
  await notify(app, { type: 'favourite', fromAccountId: accountId, statusId, recipients: [author.account_id] });
}

const authorOfReblogged = prepared<Author>()((db, { statusId }: { statusId: StatusId }) =>
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

/** Tells a local author of a reblog, if it still stands. The notification is about the original. */
export async function notifyOfReblog(app: App, { statusId, reblogOfId, accountId }: Reblog): Promise<void> {
  const [author] = await authorOfReblogged(app, { statusId });
  if (author === undefined) return;
  const recipients = [author.account_id];
  await notify(app, { type: 'reblog', fromAccountId: accountId, statusId: reblogOfId, recipients });
}

interface Reaction {
  readonly accountId: AccountId;
  readonly statusId: StatusId;
}

/** Takes back the notification of a favourite that was undone, unless it was given again meanwhile. */
export async function forgetFavourite(app: App, { accountId, statusId }: Reaction): Promise<void> {
  await write(app, async ({ db }) => {
    await sql`
      delete from notifications n using statuses s
      where s.id = ${statusId}::bigint and s.local and n.account_id = s.account_id and n.type = 'favourite'
        and n.from_account_id = ${accountId}::bigint and coalesce(n.status_id, 0) = s.id
        and not exists (
          select 1 from favourites f where f.account_id = n.from_account_id and f.status_id = s.id)`.execute(db);
  });
}

/** Takes back the notification of a reblog that was undone, unless it was made again meanwhile. */
export async function forgetReblog(app: App, { accountId, reblogOfId }: Omit<Reblog, 'statusId'>): Promise<void> {
  await write(app, async ({ db }) => {
    await sql`
      delete from notifications n using statuses s
      where s.id = ${reblogOfId}::bigint and s.local and n.account_id = s.account_id and n.type = 'reblog'
        and n.from_account_id = ${accountId}::bigint and coalesce(n.status_id, 0) = s.id
        and not exists (
          select 1 from statuses r
          where r.account_id = n.from_account_id and r.reblog_of_id = s.id and r.deleted_at is null)`.execute(db);
  });
}

/** Removes all that was told about a status that is gone. */
export async function forgetStatus(app: App, { statusId }: { statusId: StatusId }): Promise<void> {
  await write(app, async ({ db }) => {
    await db.deleteFrom('notifications').where('status_id', '=', statusId).execute();
  });
}
