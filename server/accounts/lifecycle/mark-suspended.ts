import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/database/transaction.ts';
import { forbidden } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import { instanceActorId } from '../actor-urls.ts';
import { accountChanged, accountSuspended } from '../events.ts';

/**
 * Suspends a local or remote account by staff. After the commit the account and its posts are invisible in every process.
 * Nothing is deleted, so `unmarkSuspended` restores everything. Returns false if staff had suspended it before. Throws 403
 * for the instance actor.
 */
export async function markSuspended(tx: Transaction, app: App, accountId: AccountId): Promise<boolean> {
  if (accountId === instanceActorId) throw forbidden('accounts.instanceActor');
  const { numUpdatedRows } = await tx.db
    .updateTable('accounts')
    .set((eb) => ({
      suspended_at: eb.fn.coalesce('suspended_at', eb.val(app.clock.now())),
      suspension_origin: 'local' as const,
    }))
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('suspension_origin', 'is distinct from', 'local')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  tx.emit(accountSuspended({ accountId }));
  tx.emit(accountChanged({ accountId }));
  return true;
}
