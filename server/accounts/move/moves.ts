import { later } from '../../platform/write/reactions.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId, type RowId } from '../../platform/ids.ts';
import { accountDeleted } from '../events.ts';
import { writable } from '../tables.ts';

/** Returns when a local or remote account last moved. */
export async function findLastMoveDate(app: App, accountId: AccountId): Promise<Date | undefined> {
  const move = await app.db
    .selectFrom('account_moves')
    .select('created_at')
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return move?.created_at;
}

/** Stores a move of an account and returns its id. */
export async function recordMove(
  { db }: Transaction,
  app: App,
  accountId: AccountId,
  targetId: AccountId,
): Promise<RowId> {
  const now = app.clock.now();
  const id = newId<'row'>(now);
  await writable(db)
    .insertInto('account_moves')
    .values({ id, account_id: accountId, target_account_id: targetId, created_at: now })
    .execute();
  return id;
}

/** Deletes the moves from and to a deleted account. */
export const deleteMovesOfDeletedAccount = later('background', [accountDeleted], {
  name: 'account.delete_moves',
  run: (app, { accountId }) =>
    transaction(app, async ({ db }) => {
      await writable(db)
        .deleteFrom('account_moves')
        .where((eb) => eb.or([eb('account_id', '=', accountId), eb('target_account_id', '=', accountId)]))
        .execute();
    }),
});
