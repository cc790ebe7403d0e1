import type { App } from '../platform/app.ts';
import type { Staff } from '../site/index.ts';
import { enqueueNotice } from '../users/mails/index.ts';
import { rejectUser } from '../users/access/index.ts';
import { applyDecision, type ModerationDecision } from './apply-decision.ts';

/**
 * Rejects a pending sign-up: deletes its account, user, sessions and tokens; username and e-mail address can be used again.
 * Sends a mail only if `notify` is true, as in Mastodon. Throws 403 if it was approved, or if the account has no user.
 */
export function rejectSignUp(
  app: App,
  staff: Staff,
  { accountId, text, notify = false }: ModerationDecision,
): Promise<boolean> {
  return applyDecision(app, staff, { accountId, action: 'reject' }, async (tx) => {
    if (notify) await enqueueNotice(tx, accountId, 'rejected', { text });
    await rejectUser(tx, accountId);
    return true;
  });
}
