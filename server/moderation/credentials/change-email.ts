import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import {
  changeEmailOf,
  confirmEmailOf,
  resendConfirmationOf,
  rethrowTakenError,
  type EmailChange,
} from '../../users/sign-up/index.ts';
import { lockTarget, type Target } from './change-credentials.ts';

interface EmailTarget {
  readonly accountId: AccountId;
}

/**
 * Changes the e-mail address of a user, as they could themselves: the new one gets a link and replaces the old one, which is
 * notified, once it is confirmed. One that was never confirmed is replaced at once. With `isConfirmed`, no link is sent.
 * Sessions and tokens stay; links to reset the password are void. Throws 422 as a sign-up, 403 and 404 like
 * `resetPasswordAsStaff`.
 */
export async function changeEmailAsStaff(
  app: App,
  staff: Staff,
  { accountId, email, isConfirmed = false }: EmailTarget & { readonly email: string; readonly isConfirmed?: boolean },
): Promise<void> {
  // Rank comes first: nobody learns about addresses from an account that they may not change.
  await transaction(app, (tx) => lockTarget(tx, staff, accountId));
  const changeEmail = await changeEmailOf(app, email, isConfirmed);
  await transaction(app, async (tx) => {
    const user = await lockTarget(tx, staff, accountId);
    record(tx, staff, user, { verb: 'change_email', ...(await changeEmail(tx, user.id)) });
  }).catch(rethrowTakenError);
}

/**
 * Confirms the e-mail address of a user, or the new one that waits, without the link. Returns false if nothing waits. Throws
 * 422 if another user took the new one, 403 and 404 like `resetPasswordAsStaff`.
 */
export function confirmEmailAsStaff(app: App, staff: Staff, { accountId }: EmailTarget): Promise<boolean> {
  return transaction(app, async (tx) => {
    const user = await lockTarget(tx, staff, accountId);
    const change = await confirmEmailOf(tx, app, user.id);
    if (change !== undefined) record(tx, staff, user, { verb: 'confirm_email', ...change });
    return change !== undefined;
  }).catch(rethrowTakenError);
}

/**
 * Sends the link again that confirms the address of a user, or the new one that waits. Returns the address. Throws 403 if
 * nothing waits, 403 and 404 like `resetPasswordAsStaff`.
 */
export function resendConfirmationAsStaff(app: App, staff: Staff, { accountId }: EmailTarget): Promise<string> {
  return transaction(app, async (tx) => {
    const user = await lockTarget(tx, staff, accountId);
    const email = await resendConfirmationOf(tx, user.id);
    recordStaffAction(tx, staff, {
      target: 'user',
      verb: 'resend_confirmation',
      id: user.id,
      label: user.username,
      after: { email },
    });
    return email;
  });
}

function record(
  tx: Transaction,
  staff: Staff,
  { id, username }: Target,
  { verb, before, after }: EmailChange & { readonly verb: 'change_email' | 'confirm_email' },
): void {
  recordStaffAction(tx, staff, {
    target: 'user',
    verb,
    id,
    label: username,
    before: { ...before },
    after: { ...after },
  });
}
