import type { App } from '../platform/app.ts';
import { transaction as inTransaction, type Transaction } from '../platform/database/transaction.ts';
import type { AccountId } from '../platform/ids.ts';
import { recordStaffAction } from '../site/audit/index.ts';
import { staffAccountId, type Staff } from '../site/index.ts';
import { assertOutranks } from '../users/access/index.ts';
import { accountModerated } from './events.ts';
import { changedDetails, loadModerationState } from './moderation-state.ts';

export interface ModerationDecision {
  readonly accountId: AccountId;
  /** Message of staff in the mail to the user. */
  readonly text?: string | undefined;
  /** Whether the user gets a mail. */
  readonly notify?: boolean | undefined;
}

export type ModerationAction = Parameters<typeof accountModerated>[0]['action'];

/**
 * Runs `change` in one transaction. If it returns true, emits `accountModerated` and writes the audit log. Returns its
 * result: false means that nothing changed. Throws 403 if the staff member does not outrank the user of the account.
 */
export function applyDecision(
  app: App,
  staff: Staff,
  { accountId, action }: { readonly accountId: AccountId; readonly action: ModerationAction },
  change: (tx: Transaction) => Promise<boolean>,
): Promise<boolean> {
  return inTransaction(app, async (tx) => {
    await assertOutranks(tx, staff, accountId);
    const before = await loadModerationState(tx, accountId);
    const isChanged = await change(tx);
    if (!isChanged) return false;
    tx.emit(accountModerated({ accountId, staffId: staffAccountId(staff), action }));
    const after = await loadModerationState(tx, accountId);
    recordStaffAction(tx, staff, {
      target: 'account',
      verb: action,
      id: accountId,
      label: before?.acct ?? accountId,
      before: changedDetails(before, after),
      after: changedDetails(after, before),
    });
    return true;
  });
}
