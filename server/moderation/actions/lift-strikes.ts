import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { writable } from '../tables.ts';
import type { AccountWarning } from '../warnings/schema.ts';

/** Stores that staff lifted what all strikes of a kind did to an account: appeals have nothing left to undo. */
export async function liftStrikes(
  { db }: Transaction,
  app: App,
  accountId: AccountId,
  action: AccountWarning['action'],
): Promise<void> {
  await writable(db)
    .updateTable('account_warnings')
    .set({ lifted_at: app.clock.now() })
    .where('account_id', '=', accountId)
    .where('action', '=', action)
    .where('lifted_at', 'is', null)
    .execute();
}
