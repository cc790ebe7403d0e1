import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { newId, type AccountId, type ListId } from '../platform/ids.ts';
import { exclusionsChanged, listChanged } from './events.ts';

interface MigratedFollow {
  readonly accountId: AccountId;
  readonly fromAccountId: AccountId;
  readonly targetAccountId: AccountId;
}

/** Adds the new account of a moved one to the same lists. The old membership is deleted with the old follow. */
export async function migrateMemberships(tx: Transaction, app: App, moved: MigratedFollow): Promise<void> {
  const lists = await tx.db
    .selectFrom('list_accounts')
    .select(['list_id', 'exclusive'])
    .where('owner_id', '=', moved.accountId)
    .where('account_id', '=', moved.fromAccountId)
    .execute();
  if (lists.length === 0) return;
  const now = app.clock.now();
  const { rows } = await sql<{ list_id: ListId }>`
    insert into list_accounts (id, list_id, account_id, owner_id, exclusive)
    select member.id, member.list_id, ${moved.targetAccountId}::bigint, ${moved.accountId}::bigint, member.exclusive
    from unnest(${lists.map(() => newId<'row'>(now))}::bigint[], ${lists.map((list) => list.list_id)}::bigint[],
      ${lists.map(({ exclusive }) => exclusive)}::boolean[]) as member(id, list_id, exclusive)
    on conflict (list_id, account_id) do nothing
    returning list_id`.execute(tx.db);
  for (const { list_id: listId } of rows) tx.emit(listChanged({ listId }));
  if (lists.some(({ exclusive }) => exclusive)) {
    tx.emit(exclusionsChanged({ accountId: moved.accountId, memberIds: [moved.targetAccountId] }));
  }
}
