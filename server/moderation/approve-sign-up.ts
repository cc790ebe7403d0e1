import type { App } from '../platform/app.ts';
import type { Staff } from '../site/index.ts';
import { approveUser, enqueueNotice } from '../users/index.ts';
import { decide, type Decision } from './decision.ts';

/**
 * Approves a sign-up, and tells its user by mail unless `notify` is false. Returns false if it was approved before. Throws
 * 404 if the account has no user.
 */
export function approveSignUp(app: App, staff: Staff, { accountId, text, notify = true }: Decision): Promise<boolean> {
  return decide(app, staff, { accountId, action: 'approve' }, async (write) => {
    if (!(await approveUser(write, app, accountId))) return false;
    if (notify) await enqueueNotice(write, accountId, 'approved', text);
    return true;
  });
}
