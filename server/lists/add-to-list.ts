import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { validationFailed, notFound } from '../platform/http/http-errors.ts';
import { newId, type AccountId, type ListId } from '../platform/ids.ts';
import { exclusionsChanged, listChanged } from './events.ts';
import { lockList } from './lock-list.ts';

interface MembersToAdd {
  readonly accountId: AccountId;
  readonly listId: ListId;
  readonly memberIds: readonly AccountId[];
}

/**
 * Adds accounts to a list, all or none (LST-01). Throws 404 if the list does not belong to the account or a member is
 * unknown; 422 if one is already in the list, or is neither the owner nor followed or requested by it.
 */
export async function addToList(app: App, { accountId, listId, memberIds }: MembersToAdd): Promise<void> {
  const accountIds = [...new Set(memberIds)];
  const now = app.clock.now();
  await transaction(app, async (tx) => {
    const list = await lockList(tx, accountId, listId, 'share');
    if (accountIds.length === 0) return;
    await assertAccountsExist(tx, accountIds);
    await assertFollowed(tx, accountId, accountIds);
    const { rows } = await sql`
      insert into list_accounts (id, list_id, account_id, owner_id, exclusive)
      select member.id, ${listId}::bigint, member.account_id, ${accountId}::bigint, ${list.exclusive}::boolean
      from unnest(${accountIds.map(() => newId<'row'>(now))}::bigint[], ${accountIds}::bigint[]) as member(id, account_id)
      on conflict (list_id, account_id) do nothing
      returning id`.execute(tx.db);
    if (rows.length < accountIds.length) throw validationFailed('lists.accountTaken');
    tx.emit(listChanged({ listId }));
    if (list.exclusive) tx.emit(exclusionsChanged({ accountId, memberIds: accountIds }));
  });
}

async function assertAccountsExist({ db }: Transaction, ids: readonly AccountId[]): Promise<void> {
  const { rows } = await sql`
    select id from accounts where id = any(${ids}::bigint[]) and deleted_at is null and activated`.execute(db);
  if (rows.length < ids.length) throw notFound();
}

/** Locks the rows until the transaction ends, so that a concurrent unfollow also deletes the membership. */
async function assertFollowed({ db }: Transaction, ownerId: AccountId, ids: readonly AccountId[]): Promise<void> {
  const followedIds = new Set<AccountId>([ownerId]);
  for (const table of ['follow_requests', 'follows']) {
    const { rows } = await sql<{ target_account_id: AccountId }>`
      select target_account_id from ${sql.table(table)}
      where account_id = ${ownerId}::bigint and target_account_id = any(${ids}::bigint[]) for key share`.execute(db);
    for (const row of rows) followedIds.add(row.target_account_id);
  }
  if (!ids.every((id) => followedIds.has(id))) throw validationFailed('lists.accountNotFollowed');
}
