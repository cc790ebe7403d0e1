import type { App } from '../platform/app.ts';
import type { Staff } from '../site/index.ts';
import { enqueueNotice } from '../users/mails/index.ts';
import { setUserDisabled } from '../users/access/index.ts';
import { applyDecision, type ModerationDecision } from './apply-decision.ts';
import { recordWarning } from './warnings/record-warning.ts';

/**
 * Disables sign-in and tokens of the user of an account; the account stays visible. Notifies the user by mail unless `notify`
 * is false. Returns false if the user was already disabled. Throws 404 if the account has no user.
 */
export function disableUser(
  app: App,
  staff: Staff,
  { accountId, text, notify = true }: ModerationDecision,
): Promise<boolean> {
  return applyDecision(app, staff, { accountId, action: 'disable' }, async (tx) => {
    if (!(await setUserDisabled(tx, app, accountId, true))) return false;
    await recordWarning(tx, app, staff, { accountId, action: 'disable', text, notify });
    if (notify) await enqueueNotice(tx, accountId, 'disabled', text);
    return true;
  });
}
