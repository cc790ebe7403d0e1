import type { App } from '../platform/app.ts';
import type { Staff } from '../site/index.ts';
import { setUserDisabled } from '../users/access/index.ts';
import { applyDecision, type ModerationDecision } from './apply-decision.ts';

/** Lets a disabled user sign in again. Returns false if the user was not disabled. Throws 404 if the account has no user. */
export function enableUser(app: App, staff: Staff, { accountId }: ModerationDecision): Promise<boolean> {
  return applyDecision(app, staff, { accountId, action: 'enable' }, (tx) => setUserDisabled(tx, app, accountId, false));
}
