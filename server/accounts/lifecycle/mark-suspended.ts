import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { forbidden } from '../../platform/http/http-errors.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { instanceActorId } from '../actor-urls.ts';
import { accountChanged, accountSuspended } from '../events.ts';
import { writable } from '../tables.ts';

/**
 * Suspends a local or remote account by staff. After the commit the account and its posts are invisible in every
 * process. Its data is kept for 30 days, so that `unmarkSuspended` restores everything. Returns false if staff had
 * suspended it before. Throws 403 for the instance actor.
 */
export async function markSuspended(tx: Transaction, app: App, accountId: AccountId): Promise<boolean> {
  if (accountId === instanceActorId) throw forbidden('accounts.instanceActor');
  const now = app.clock.now();
  const { numUpdatedRows } = await writable(tx.db)
    .updateTable('accounts')
    // Also if its server or the block of its domain suspended it earlier: its data is kept for 30 days from now.
    .set({ suspended_at: now, suspension_origin: 'local' })
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('suspension_origin', 'is distinct from', 'local')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  tx.emit(accountSuspended({ accountId, suspensionId: newId<'row'>(now) }));
  tx.emit(accountChanged({ accountId }));
  return true;
}
