import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId } from '../platform/ids.ts';
import { recordStaffAction, type AuditDetails } from '../site/audit/index.ts';
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

/** Whether something changed; details that the audit log shows beside the state of the account. */
type DecisionResult = boolean | AuditDetails;

/**
 * Runs `change` in one transaction. Unless it returns false, emits `accountModerated` and writes the audit log. Returns
 * whether anything changed. Throws 404 if there is no such account, 403 if the staff member does not outrank its user.
 */
export function applyDecision(
  app: App,
  staff: Staff,
  { accountId, action }: { readonly accountId: AccountId; readonly action: ModerationAction },
  change: (tx: Transaction) => Promise<DecisionResult>,
): Promise<boolean> {
  return transaction(app, async (tx) => {
    await assertOutranks(tx, staff, accountId);
    const before = await loadModerationState(tx, accountId);
    if (before === undefined) throw notFound();
    const result = await change(tx);
    if (result === false) return false;
    tx.emit(accountModerated({ accountId, staffId: staffAccountId(staff), action }));
    const after = await loadModerationState(tx, accountId);
    const details = changedDetails(after, before);
    recordStaffAction(tx, staff, {
      target: 'account',
      verb: action,
      id: accountId,
      label: before.acct,
      before: changedDetails(before, after),
      after: result === true ? details : { ...details, ...result },
    });
    return true;
  });
}
