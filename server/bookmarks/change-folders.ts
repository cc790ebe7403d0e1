import { sql } from 'kysely';
import { accountDeleted } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { later } from '../platform/write/reactions.ts';
import { notFound, validationFailed } from '../platform/http/http-errors.ts';
import { newId, type AccountId } from '../platform/ids.ts';
import { listFolders } from './find-folders.ts';
import { parseFolderName, takenNameError } from './parse-folder-name.ts';
import type { BookmarkFolder } from './schema.ts';
import { writable, type BookmarkFolderId } from './tables.ts';

/** Folders per account. */
export const maxFolders = 100;

/** Creates an empty folder after the others. Throws 422 for an invalid or taken name, and above `maxFolders`. */
export function createFolder(app: App, accountId: AccountId, typedName: string): Promise<BookmarkFolderId> {
  const name = parseFolderName(typedName);
  const now = app.clock.now();
  const id = newId<'bookmark-folder'>(now);
  return changeFolders(app, accountId, async ({ db }, folders) => {
    if (folders.length >= maxFolders) throw validationFailed('bookmarks.tooManyFolders', { max: maxFolders });
    await assertNameIsFree(db, accountId, { id, name });
    await writable(db)
      .insertInto('bookmark_folders')
      .values({
        id,
        account_id: accountId,
        name,
        position: sql<number>`(select coalesce(max(position), 0) + 1 from bookmark_folders
          where account_id = ${accountId})`,
        created_at: now,
      })
      .execute();
    return id;
  });
}

/**
 * Changes the name of a folder, or its place among the others. Throws 404 if it does not belong to the account, 422 for an
 * invalid or taken name.
 */
export function updateFolder(
  app: App,
  accountId: AccountId,
  id: BookmarkFolderId,
  changes: { readonly name?: string | undefined; readonly position?: number | undefined },
): Promise<void> {
  const name = changes.name === undefined ? undefined : parseFolderName(changes.name);
  return changeFolders(app, accountId, async ({ db }, folders) => {
    if (!folders.some((folder) => folder.id === id)) throw notFound();
    if (name !== undefined) {
      await assertNameIsFree(db, accountId, { id, name });
      await writable(db).updateTable('bookmark_folders').set({ name }).where('id', '=', id).execute();
    }
    if (changes.position === undefined) return;
    const ids = folders.map((folder) => folder.id).filter((other) => other !== id);
    const ordered = ids.toSpliced(Math.max(changes.position, 0), 0, id);
    await sql`update bookmark_folders folder set position = ordered.position
      from unnest(${ordered}::bigint[]) with ordinality as ordered(id, position)
      where folder.id = ordered.id`.execute(db);
  });
}

/** Deletes a folder. Its bookmarks stay. Throws 404 if it does not belong to the account. */
export function deleteFolder(app: App, accountId: AccountId, id: BookmarkFolderId): Promise<void> {
  return changeFolders(app, accountId, async ({ db }, folders) => {
    if (!folders.some((folder) => folder.id === id)) throw notFound();
    await writable(db).deleteFrom('bookmark_folders').where('id', '=', id).execute();
  });
}

/** Deletes the folders of a deleted account. */
export const deleteAccountFolders = later('background', [accountDeleted], {
  name: 'bookmark.delete_account_folders',
  run: (app, { accountId }) =>
    transaction(app, async ({ db }) => {
      await writable(db).deleteFrom('bookmark_folders').where('account_id', '=', accountId).execute();
    }),
});

/** Runs a change of the folders of an account, one at a time, with the folders before it. */
function changeFolders<Result>(
  app: App,
  accountId: AccountId,
  change: (tx: Transaction, folders: readonly BookmarkFolder[]) => Promise<Result>,
): Promise<Result> {
  return transaction(app, async (tx) => {
    await tx.db.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
    return change(tx, await listFolders(tx, accountId));
  });
}

async function assertNameIsFree(
  db: Transaction['db'],
  accountId: AccountId,
  { id, name }: { id: BookmarkFolderId; name: string },
): Promise<void> {
  const taken = await db
    .selectFrom('bookmark_folders')
    .select('id')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('id', '<>', id)
    .executeTakeFirst();
  if (taken !== undefined) throw takenNameError();
}
