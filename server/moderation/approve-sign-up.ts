import type { App } from '../platform/app.ts';
import type { Staff } from '../site/index.ts';
import { approveUser } from '../users/access/index.ts';
import { enqueueNotice } from '../users/mails/index.ts';
import { applyDecision, type ModerationDecision } from './apply-decision.ts';

/**
 * Approves a sign-up, and notifies its user by mail unless `notify` is false. Returns false if it was already approved.
 * Throws 403 if the account has no user.
 */
export function approveSignUp(
  app: App,
  staff: Staff,
  { accountId, text, notify = true }: ModerationDecision,
): Promise<boolean> {
  return applyDecision(app, staff, { accountId, action: 'approve' }, async (tx) => {
    if (!(await approveUser(tx, app, accountId))) return false;
    if (notify) await enqueueNotice(tx, accountId, 'approved', { text });
    return true;
  });
}
