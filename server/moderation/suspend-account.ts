import { markSuspended } from '../accounts/lifecycle/index.ts';
import type { App } from '../platform/app.ts';
import type { Staff } from '../site/index.ts';
import { enqueueNotice } from '../users/mails/index.ts';
import { applyDecision, type ModerationDecision } from './apply-decision.ts';
import { recordWarning } from './warnings/record-warning.ts';

/**
 * Suspends a local or remote account: hides it and its posts, and disables its user. Deletes nothing. Notifies a local user by
 * mail unless `notify` is false. Returns false if staff had already suspended it.
 */
export function suspendAccount(
  app: App,
  staff: Staff,
  { accountId, text, notify = true }: ModerationDecision,
): Promise<boolean> {
  return applyDecision(app, staff, { accountId, action: 'suspend' }, async (tx) => {
    if (!(await markSuspended(tx, app, accountId))) return false;
    await recordWarning(tx, app, staff, { accountId, action: 'suspend', text, notify });
    if (notify) await enqueueNotice(tx, accountId, 'suspended', text);
    return true;
  });
}
