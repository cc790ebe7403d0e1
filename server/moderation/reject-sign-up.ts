import type { App } from '../platform/app.ts';
import type { Staff } from '../site/index.ts';
import { enqueueNotice, rejectUser } from '../users/index.ts';
import { applyDecision, type ModerationDecision } from './apply-decision.ts';

/**
 * Rejects a sign-up that waits for approval: its account, user, sessions and tokens are gone, and the name and the address
 * are free again. A mail is sent only if `notify` is true, as in Mastodon. Throws 403 if it was approved, 404 if the
 * account has no user.
 */
export function rejectSignUp(
  app: App,
  staff: Staff,
  { accountId, text, notify = false }: ModerationDecision,
): Promise<boolean> {
  return applyDecision(app, staff, { accountId, action: 'reject' }, async (tx) => {
    if (notify) await enqueueNotice(tx, accountId, 'rejected', text);
    await rejectUser(tx, accountId);
    return true;
  });
}
