import type { App } from '../platform/app.ts';
import type { AccountId } from '../platform/ids.ts';
import type { Staff } from '../site/index.ts';
import { changeRole, type StandardRole } from '../users/access/index.ts';
import { applyDecision } from './apply-decision.ts';

/** Assigns a role to the user of an account. Returns false if they already had it. Throws 403 if the account has no user. */
export function changeUserRole(
  app: App,
  staff: Staff,
  { accountId, role }: { readonly accountId: AccountId; readonly role: StandardRole },
): Promise<boolean> {
  return applyDecision(app, staff, { accountId, action: 'change_role' }, (tx) => changeRole(tx, app, accountId, role));
}
