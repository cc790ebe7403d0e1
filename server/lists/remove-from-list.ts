import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/database/transaction.ts';
import type { AccountId, ListId } from '../platform/ids.ts';
import { exclusionsChanged, listChanged } from './events.ts';
import { lockList } from './lock-list.ts';

interface MembersToRemove {
  readonly accountId: AccountId;
  readonly listId: ListId;
  readonly memberIds: readonly AccountId[];
}

/** Takes accounts out of a list; those that are not in it do not matter. 404 when the list is not of this account. */
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

/** A follow or a request that ends takes the membership in the follower's lists with it. */
export async function removeFromListsAfterUnfollow(
  { db, emit }: Transaction,
  _app: App,
  { accountId, targetAccountId }: { accountId: AccountId; targetAccountId: AccountId },
): Promise<void> {
  // A request that is gone because it was accepted leaves a follow; one's own account needs neither.
  const { rows } = await sql<{ list_id: ListId }>`
    delete from list_accounts
    where owner_id = ${accountId}::bigint and account_id = ${targetAccountId}::bigint and account_id <> owner_id
      and not exists (
        select 1 from follows where account_id = ${accountId}::bigint and target_account_id = ${targetAccountId}::bigint)
    returning list_id`.execute(db);
  for (const { list_id: listId } of rows) emit(listChanged({ listId }));
}

/** An account that is gone is in no list, and has none. */
export async function deleteAccountLists(app: App, { accountId }: { accountId: AccountId }): Promise<void> {
  await transaction(app, async ({ db, emit }) => {
    const left = await db
      .deleteFrom('list_accounts')
      .where('account_id', '=', accountId)
      .returning('list_id as listId')
      .execute();
    for (const { listId } of left) emit(listChanged({ listId }));
    await db.deleteFrom('lists').where('account_id', '=', accountId).execute();
  });
}
