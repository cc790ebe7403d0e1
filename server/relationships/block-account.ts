import { requireAccount } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { transaction as inTransaction } from '../platform/database/transaction.ts';
import { forbidden } from '../platform/http/http-errors.ts';
import { newId, type AccountId } from '../platform/ids.ts';
import { emitFollowDeleted, deleteFollows } from './delete-follows.ts';
import { accountBlocked, accountUnblocked, relationsChanged } from './events.ts';
import { lockPair } from './lock-pair.ts';

/**
 * Blocks (BLK-01): each is hidden from the other, follows and requests end both ways. Again, it changes nothing. `uri`
 * is the id of the Block activity when it came from another server. 403 for oneself.
 */
export async function blockAccount(
  app: App,
  accountId: AccountId,
  targetId: AccountId,
  { uri }: { uri?: string } = {},
): Promise<void> {
  if (accountId === targetId) throw forbidden('You cannot block yourself');
  await requireAccount(app, targetId);
  await inTransaction(app, async (tx) => {
    await lockPair(tx, accountId, targetId);
    const now = app.clock.now();
    const block = await tx.db
      .insertInto('blocks')
      .values({
        id: newId<'row'>(now),
        account_id: accountId,
        target_account_id: targetId,
        uri: uri ?? null,
        created_at: now,
      })
      .onConflict((conflict) => conflict.columns(['account_id', 'target_account_id']).doNothing())
      .returning('id')
      .executeTakeFirst();
    const both = [
      { accountId, targetId },
      { accountId: targetId, targetId: accountId },
    ];
    for (const ended of await deleteFollows(tx, both)) emitFollowDeleted(tx, accountId, ended);
    if (block === undefined) return;
    tx.emit(accountBlocked({ blockId: block.id, accountId, targetAccountId: targetId }));
    for (const id of [accountId, targetId]) tx.emit(relationsChanged({ accountId: id }));
  });
}

/** Ends a block; without one nothing happens. */
export async function unblockAccount(app: App, accountId: AccountId, targetId: AccountId): Promise<void> {
  await inTransaction(app, async (tx) => {
    const block = await tx.db
      .deleteFrom('blocks')
      .where('account_id', '=', accountId)
      .where('target_account_id', '=', targetId)
      .returning('id')
      .executeTakeFirst();
    if (block === undefined) return;
    tx.emit(accountUnblocked({ blockId: block.id, accountId, targetAccountId: targetId }));
    for (const id of [accountId, targetId]) tx.emit(relationsChanged({ accountId: id }));
  });
}
