import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { forbidden, notFound } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import { recordStaffUpdate } from '../../site/audit/index.ts';
import { staffAccountId, type Staff } from '../../site/index.ts';
import { assertOutranks } from '../../users/access/index.ts';
import { enqueueNotice, type Notice } from '../../users/mails/index.ts';
import { loadModerationState } from '../moderation-state.ts';
import { writable, type AppealId } from '../tables.ts';
import type { AccountWarning, WarningId } from '../warnings/schema.ts';
import { undoStrike } from './undo-strike.ts';

type Verdict = 'approved' | 'rejected';

interface PendingAppeal {
  readonly accountId: AccountId;
  readonly warningId: WarningId;
  readonly action: AccountWarning['action'];
}

/**
 * Approves an appeal: undoes what the decision changed, and mails the user. Throws 404 if there is none, 403 if it was
 * decided before or the staff member does not outrank the user.
 */
export const approveAppeal = (app: App, staff: Staff, id: AppealId): Promise<void> =>
  decide(app, staff, { id, verdict: 'approved' });

/** Rejects an appeal and mails the user. Throws as `approveAppeal`. */
export const rejectAppeal = (app: App, staff: Staff, id: AppealId): Promise<void> =>
  decide(app, staff, { id, verdict: 'rejected' });

function decide(
  app: App,
  staff: Staff,
  { id, verdict }: { readonly id: AppealId; readonly verdict: Verdict },
): Promise<void> {
  return transaction(app, async (tx) => {
    const { accountId, warningId, action } = await lockPending(tx, id, staff);
    const before = await loadModerationState(tx, accountId);
    if (before === undefined) throw notFound();
    const statuses = verdict === 'approved' ? await undoStrike(tx, app, { accountId, warningId }) : [];
    await writable(tx.db)
      .updateTable('appeals')
      .set({ state: verdict, decided_by_account_id: staffAccountId(staff), decided_at: app.clock.now() })
      .where('id', '=', id)
      .execute();
    await enqueueNotice(tx, accountId, noticeOf(verdict, action));
    const after = await loadModerationState(tx, accountId);
    recordStaffUpdate(tx, staff, {
      target: 'appeal',
      verb: verdict === 'approved' ? 'approve' : 'reject',
      id,
      label: before.acct,
      before: { ...before.details, state: 'pending' },
      after: { ...after?.details, state: verdict, ...(statuses.length > 0 && { statuses }) },
    });
  });
}

/** Deleted posts are gone, so that the user must not expect them back. */
function noticeOf(verdict: Verdict, action: AccountWarning['action']): Notice {
  if (verdict === 'rejected') return 'appealRejected';
  return action === 'delete_statuses' ? 'appealApprovedDeleted' : 'appealApproved';
}

async function lockPending(tx: Transaction, id: AppealId, staff: Staff): Promise<PendingAppeal> {
  const appeal = await tx.db
    .selectFrom('appeals')
    .innerJoin('account_warnings', 'account_warnings.id', 'appeals.warning_id')
    .select(['appeals.account_id', 'warning_id', 'state', 'action'])
    .where('appeals.id', '=', id)
    .forUpdate('appeals')
    .executeTakeFirstOrThrow(() => notFound());
  await assertOutranks(tx, staff, appeal.account_id);
  if (appeal.state !== 'pending') throw forbidden('moderation.appealDecided');
  return { accountId: appeal.account_id, warningId: appeal.warning_id, action: appeal.action };
}
