import type { App } from '../platform/app.ts';
import type { AccountId, RoleId } from '../platform/ids.ts';
import type { Staff } from '../site/index.ts';
import { assignRole } from '../users/roles/index.ts';
import { applyDecision } from './apply-decision.ts';

/**
 * Assigns a role to the user of an account. Returns false if they already had it. Throws 404 if there is no such account,
 * 403 and 422 as `assignRole`.
 */
export function changeUserRole(
  app: App,
  staff: Staff,
  assignment: { readonly accountId: AccountId; readonly roleId: RoleId },
): Promise<boolean> {
  const { accountId } = assignment;
  return applyDecision(app, staff, { accountId, action: 'change_role' }, (tx) =>
    assignRole(tx, app, staff, assignment),
  );
}
