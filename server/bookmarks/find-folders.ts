import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { requireVisibleOriginal } from '../statuses/read/index.ts';
import type { BookmarkFolder } from './schema.ts';
import type { BookmarkFolderId } from './tables.ts';

const folderRows = (db: App['db'], accountId: AccountId) =>
  db
    .selectFrom('bookmark_folders')
    .select(['id', 'name'])
    .select(sql<number>`(row_number() over (order by position, id) - 1)::int`.as('position'))
    .where('account_id', '=', accountId)
    .orderBy('bookmark_folders.position')
    .orderBy('id');

/** Returns all folders of an account in its order. */
export const listFolders = (app: Pick<App, 'db'>, accountId: AccountId): Promise<BookmarkFolder[]> =>
  folderRows(app.db, accountId).execute();

/** Returns the folders that contain the viewer's bookmark of a status. Throws 404 if the viewer may not see it. */
export async function listFoldersOfStatus(
  app: App,
  accountId: AccountId,
  statusId: StatusId,
): Promise<BookmarkFolder[]> {
  const { id } = await requireVisibleOriginal(app, accountId, statusId);
  const rows = await app.db
    .selectFrom('bookmark_folder_items')
    .innerJoin('bookmarks', 'bookmarks.id', 'bookmark_id')
    .select('folder_id')
    .where('bookmarks.account_id', '=', accountId)
    .where('bookmarks.status_id', '=', id)
    .execute();
  const folderIds = new Set(rows.map(({ folder_id }) => folder_id));
  return (await listFolders(app, accountId)).filter((folder) => folderIds.has(folder.id));
}

/** Returns a folder. Throws 404 if it does not exist or does not belong to the account. */
export async function requireFolder(app: App, accountId: AccountId, id: BookmarkFolderId): Promise<BookmarkFolder> {
  const folder = (await listFolders(app, accountId)).find((each) => each.id === id);
  if (folder === undefined) throw notFound();
  return folder;
}

/** Returns the number of bookmarks in each folder of an account, in its order. */
export async function countFolderItems(
  app: App,
  accountId: AccountId,
): Promise<{ id: BookmarkFolderId; bookmarks: number }[]> {
  return app.db
    .selectFrom('bookmark_folders')
    .select('id')
    .select(
      sql<number>`(select count(*)::int from bookmark_folder_items where folder_id = bookmark_folders.id)`.as(
        'bookmarks',
      ),
    )
    .where('account_id', '=', accountId)
    .orderBy('position')
    .orderBy('id')
    .execute();
}
