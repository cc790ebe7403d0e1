import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { invalidFieldsError, notFound } from '../platform/http/http-errors.ts';
import { message, type Message } from '../platform/i18n/message.ts';
import type { AccountId, RowId, StatusId } from '../platform/ids.ts';
import { loadCachedStatuses } from '../statuses/read/index.ts';
import { requireFolder } from './find-folders.ts';
import { writable, type BookmarkFolderId } from './tables.ts';

/** Bookmarks that one request may add or remove. */
const maxItems = 40;

/** Bookmarked statuses and a folder of their reader. */
export interface FolderItems {
  readonly accountId: AccountId;
  readonly folderId: BookmarkFolderId;
  readonly statusIds: readonly StatusId[];
}

/**
 * Puts bookmarks into a folder; those in it stay. Throws 404 if it is not a folder of the account, 422 if a status is not
 * bookmarked.
 */
export async function addToFolder(app: App, items: FolderItems): Promise<void> {
  const { folderId } = items;
  const originalIds = await resolveOriginals(app, items);
  await transaction(app, async ({ db }) => {
    await lockFolder(db, folderId);
    const bookmarkIds = await lockBookmarks(db, items.accountId, originalIds);
    if (bookmarkIds.length < originalIds.length) throw statusIdsError(message('bookmarks.notBookmarked'));
    if (bookmarkIds.length === 0) return;
    await writable(db)
      .insertInto('bookmark_folder_items')
      .values(bookmarkIds.map((bookmarkId) => ({ folder_id: folderId, bookmark_id: bookmarkId })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** Removes bookmarks from a folder. They stay bookmarked. Throws 404 if it is not a folder of the account. */
export async function removeFromFolder(app: App, items: FolderItems): Promise<void> {
  const originalIds = await resolveOriginals(app, items);
  await transaction(app, async ({ db }) => {
    await sql`delete from bookmark_folder_items where folder_id = ${items.folderId} and bookmark_id in (
      select id from bookmarks where account_id = ${items.accountId} and status_id = any(${originalIds}::bigint[]))
    `.execute(db);
  });
}

/** Returns the ids of the originals of reblogs, which are what is bookmarked, and the other ids as they are. */
async function resolveOriginals(app: App, { accountId, folderId, statusIds }: FolderItems): Promise<StatusId[]> {
  await requireFolder(app, accountId, folderId);
  if (statusIds.length > maxItems) throw statusIdsError(message('problems.tooLongList', { max: maxItems }));
  const statuses = await loadCachedStatuses(app, statusIds);
  return [...new Set(statusIds.map((id) => statuses.get(id)?.reblogOfId ?? id))];
}

/** Locks a folder so that it cannot be deleted meanwhile. Throws 404 if it was. */
async function lockFolder(db: App['db'], id: BookmarkFolderId): Promise<void> {
  await db
    .selectFrom('bookmark_folders')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirstOrThrow(() => notFound());
}

/** Returns the ids of the bookmarks, locked so that they cannot be deleted meanwhile. */
async function lockBookmarks(db: App['db'], accountId: AccountId, statusIds: readonly StatusId[]): Promise<RowId[]> {
  const { rows } = await sql<{ id: RowId }>`
    select id from bookmarks where account_id = ${accountId} and status_id = any(${statusIds}::bigint[])
    order by id for key share`.execute(db);
  return rows.map(({ id }) => id);
}

const statusIdsError = (description: Message) =>
  invalidFieldsError([{ field: 'status_ids', error: 'ERR_INVALID', description }]);
