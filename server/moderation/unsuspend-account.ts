import { unmarkSuspended } from '../accounts/lifecycle/index.ts';
import type { App } from '../platform/app.ts';
import type { Staff } from '../site/index.ts';
import { applyDecision, type ModerationDecision } from './apply-decision.ts';

/**
 * Lifts the suspension of an account: it and its posts are visible again. Returns false if it was not suspended. Throws 403
 * if its server or the block of its domain suspends it.
 */
export function unsuspendAccount(app: App, staff: Staff, { accountId }: ModerationDecision): Promise<boolean> {
  return applyDecision(app, staff, { accountId, action: 'unsuspend' }, (tx) => unmarkSuspended(tx, accountId));
}
