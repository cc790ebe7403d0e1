import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { reversals, type LimitType } from '../actions/lift-limits.ts';
import { unmarkStatuses } from '../statuses/unmark-statuses.ts';
import { writable } from '../tables.ts';
import type { WarningId } from '../warnings/schema.ts';

const isLimit = (action: string): action is LimitType => Object.hasOwn(reversals, action);

/**
 * Undoes what a decision changed. If a later decision of the same kind stands, the limit stays, and is that one's from now
 * on. Deleted posts cannot be restored: the decision only no longer counts. Returns the posts that are no longer sensitive.
 */
export async function undoStrike(
  tx: Transaction,
  app: App,
  { accountId, warningId }: { readonly accountId: AccountId; readonly warningId: WarningId },
): Promise<StatusId[]> {
  // The account first, as every other decision about it does.
  await tx.db.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const strike = await tx.db
    .selectFrom('account_warnings')
    .select(['action', 'effective', 'lifted_at', 'changed_status_ids'])
    .where('id', '=', warningId)
    .executeTakeFirstOrThrow();
  await writable(tx.db)
    .updateTable('account_warnings')
    .set({ lifted_at: app.clock.now() })
    .where('id', '=', warningId)
    .where('lifted_at', 'is', null)
    .execute();
  if (!strike.effective || strike.lifted_at !== null) return [];
  if (strike.action === 'mark_statuses_as_sensitive')
    return unmarkStatuses(tx, app, { accountId, statusIds: strike.changed_status_ids });
  if (isLimit(strike.action) && !(await passToLaterStrike(tx, accountId, strike.action)))
    await reversals[strike.action].undo(tx, app, accountId);
  return [];
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
  await writable(db).updateTable('account_warnings').set({ effective: true }).where('id', '=', standing.id).execute();
  return true;
}
