import type { App } from '../platform/app.ts';
import type { Staff } from '../site/index.ts';
import { enqueueNotice, setUserDisabled } from '../users/index.ts';
import { applyDecision, type ModerationDecision } from './apply-decision.ts';

/**
 * Keeps the user of an account from signing in and from using tokens; others see the account as before. Tells the user by
 * mail unless `notify` is false. Returns false if the user was disabled before. Throws 404 if the account has no user.
 */
export function disableUser(
  app: App,
  staff: Staff,
  { accountId, text, notify = true }: ModerationDecision,
): Promise<boolean> {
  return applyDecision(app, staff, { accountId, action: 'disable' }, async (tx) => {
    if (!(await setUserDisabled(tx, app, accountId, true))) return false;
    if (notify) await enqueueNotice(tx, accountId, 'disabled', text);
    return true;
  });
}
