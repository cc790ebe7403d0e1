import { requireAccount } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { forbidden } from '../../platform/http/http-errors.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { emitFollowDeleted, deleteFollows } from '../follow/delete-follows.ts';
import { accountBlocked, accountUnblocked, relationsChanged } from '../events.ts';
import { lockPair } from '../follow/lock-pair.ts';
import { writable } from '../tables.ts';

/**
 * Blocks an account (BLK-01) and ends follows and requests both ways. Idempotent. `uri`: id of a remote Block activity.
 * Throws 403 for oneself.
 */
export async function blockAccount(
  app: App,
  accountId: AccountId,
  targetId: AccountId,
  { uri }: { uri?: string } = {},
): Promise<void> {
  if (accountId === targetId) throw forbidden('relationships.blockSelf');
  await requireAccount(app, targetId);
  await transaction(app, async (tx) => {
    await lockPair(tx, accountId, targetId);
    const now = app.clock.now();
    const block = await writable(tx.db)
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

/** Removes a block. Returns false if there is none. */
export async function unblockAccount(app: App, accountId: AccountId, targetId: AccountId): Promise<boolean> {
  return transaction(app, async (tx) => {
    const block = await writable(tx.db)
      .deleteFrom('blocks')
      .where('account_id', '=', accountId)
      .where('target_account_id', '=', targetId)
      .returning(['id', 'uri'])
      .executeTakeFirst();
    if (block === undefined) return false;
    const { id: blockId, uri: blockUri } = block;
    tx.emit(accountUnblocked({ blockId, accountId, targetAccountId: targetId, blockUri }));
    for (const id of [accountId, targetId]) tx.emit(relationsChanged({ accountId: id }));
    return true;
  });
}
