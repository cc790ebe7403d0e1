import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import type { AccountId, ListId } from '../platform/ids.ts';
import { exclusionsChanged, listChanged } from './events.ts';
import { lockList } from './lock-list.ts';
import { writable } from './tables.ts';

interface MembersToRemove {
  readonly accountId: AccountId;
  readonly listId: ListId;
  readonly memberIds: readonly AccountId[];
}

/** Removes accounts from a list; ignores others. Throws 404 if the list does not belong to the account. */
export async function removeFromList(app: App, { accountId, listId, memberIds }: MembersToRemove): Promise<void> {
  await transaction(app, async (tx) => {
    const list = await lockList(tx, accountId, listId, 'share');
    const { rows } = await sql<{ account_id: AccountId }>`
      delete from list_accounts where list_id = ${listId}::bigint and account_id = any(${memberIds}::bigint[])
      returning account_id`.execute(tx.db);
    if (rows.length === 0) return;
    tx.emit(listChanged({ listId }));
    if (list.exclusive) tx.emit(exclusionsChanged({ accountId, memberIds: rows.map((row) => row.account_id) }));
  });
}

/** Deletes the memberships that a deleted follow or follow request allowed. */
export async function removeFromListsAfterUnfollow(
  { db, emit }: Transaction,
  _app: App,
  { accountId, targetAccountId }: { accountId: AccountId; targetAccountId: AccountId },
): Promise<void> {
  // An accepted request has become a follow. The owner may be a member without either.
  const { rows } = await sql<{ list_id: ListId }>`
    delete from list_accounts
    where owner_id = ${accountId}::bigint and account_id = ${targetAccountId}::bigint and account_id <> owner_id
      and not exists (
        select 1 from follows where account_id = ${accountId}::bigint and target_account_id = ${targetAccountId}::bigint)
    returning list_id`.execute(db);
  for (const { list_id: listId } of rows) emit(listChanged({ listId }));
}

/** Deletes the lists and memberships of a deleted account. */
export async function deleteAccountLists(app: App, { accountId }: { accountId: AccountId }): Promise<void> {
  await transaction(app, async ({ db, emit }) => {
    const memberships = await writable(db)
      .deleteFrom('list_accounts')
      .where('account_id', '=', accountId)
      .returning('list_id as listId')
      .execute();
    for (const { listId } of memberships) emit(listChanged({ listId }));
    await writable(db).deleteFrom('lists').where('account_id', '=', accountId).execute();
  });
}
