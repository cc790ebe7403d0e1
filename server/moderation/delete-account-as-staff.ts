import { findAccount } from '../accounts/find/index.ts';
import { markDeleted } from '../accounts/lifecycle/index.ts';
import { loadSigningKeys } from '../accounts/keys/index.ts';
import type { App } from '../platform/app.ts';
import type { Staff } from '../site/index.ts';
import { applyDecision, type ModerationDecision } from './apply-decision.ts';

/**
 * Deletes an account with its user, sessions and tokens; jobs delete its data. The username of a local account cannot be used
 * again. Returns false if there is no such account.
 */
export async function deleteAccountAsStaff(
  app: App,
  staff: Staff,
  { accountId }: ModerationDecision,
): Promise<boolean> {
  const account = await findAccount(app, accountId);
  if (account === undefined) return false;
  // The deletion must be signed, and a deleted account cannot create a key.
  if (account.domain === null && account.activated) await loadSigningKeys(app, accountId);
  return applyDecision(app, staff, { accountId, action: 'delete' }, (tx) => markDeleted(tx, app, accountId));
}
