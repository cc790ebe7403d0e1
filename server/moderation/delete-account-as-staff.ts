import { findAccount, markDeleted, loadSigningKey } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import type { Staff } from '../site/index.ts';
import { applyDecision, type ModerationDecision } from './apply-decision.ts';

/**
 * Deletes an account for good, with its user, sessions and tokens; its data is gone soon after. The name of a local
 * account is never given away again. Returns false if there is no such account.
 */
export async function deleteAccountAsStaff(
  app: App,
  staff: Staff,
  { accountId }: ModerationDecision,
): Promise<boolean> {
  const account = await findAccount(app, accountId);
  if (account === undefined) return false;
  // Other servers believe a deletion that is signed: nobody makes a key for an account that is gone.
  if (account.domain === null && account.activated) await loadSigningKey(app, accountId);
  return applyDecision(app, staff, { accountId, action: 'delete' }, (tx) => markDeleted(tx, app, accountId));
}
