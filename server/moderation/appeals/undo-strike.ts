import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/database/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { reversals, type LimitType } from '../actions/lift-limits.ts';
import type { WarningId } from '../warnings/schema.ts';

const isLimit = (action: string): action is LimitType => Object.hasOwn(reversals, action);

/**
 * Undoes what a decision changed. If a later decision of the same kind stands, the limit stays, and is that one's from now
 * on. Deleted posts cannot be restored.
 */
export async function undoStrike(
  tx: Transaction,
  app: App,
  { accountId, warningId }: { readonly accountId: AccountId; readonly warningId: WarningId },
): Promise<void> {
  // The account first, as every other decision about it does.
  await tx.db.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const strike = await tx.db
    .selectFrom('account_warnings')
    .select(['action', 'effective', 'lifted_at'])
    .where('id', '=', warningId)
    .executeTakeFirstOrThrow();
  await tx.db
    .updateTable('account_warnings')
    .set({ lifted_at: app.clock.now() })
    .where('id', '=', warningId)
    .where('lifted_at', 'is', null)
    .execute();
  if (!strike.effective || strike.lifted_at !== null || !isLimit(strike.action)) return;
  if (await passToLaterStrike(tx, accountId, strike.action)) return;
  await reversals[strike.action].undo(tx, app, accountId);
}

/** Makes the oldest decision of a kind that still stands the cause of the limit. Returns false if there is none. */
async function passToLaterStrike({ db }: Transaction, accountId: AccountId, action: LimitType): Promise<boolean> {
  const standing = await db
    .selectFrom('account_warnings')
    .select('id')
    .where('account_id', '=', accountId)
    .where('action', '=', action)
    .where('lifted_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (standing === undefined) return false;
  await db.updateTable('account_warnings').set({ effective: true }).where('id', '=', standing.id).execute();
  return true;
}
