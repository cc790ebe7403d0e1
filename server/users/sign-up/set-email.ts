import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { UserId } from '../../platform/ids.ts';
import { normalizeEmail } from './email-address.ts';
import { sendConfirmation } from '../mails/mail-jobs.ts';
import { lockUser } from '../sign-in/check-password.ts';
import {
  assertEmailAvailable,
  nothingToConfirmError,
  storeConfirmation,
  storeNewEmail,
  type UnconfirmedUser,
} from './confirm-email.ts';

/** The addresses of a user before and after a change by staff. */
export interface EmailState {
  readonly email: string;
  readonly unconfirmed_email: string | null;
  readonly confirmed: boolean;
}

export interface EmailChange {
  readonly before: EmailState;
  readonly after: EmailState;
}

/**
 * Checks a new address as a sign-up does, before the transaction. Throws 422 that names the field if it is invalid, taken
 * or blocked. Returns what stores it for a user (for staff, without the password), with the same effects as `changeEmail`
 * and `resendConfirmation`. With `isConfirmed` it counts at once, and no link is sent.
 */
export async function changeEmailOf(
  app: App,
  text: string,
  isConfirmed: boolean,
): Promise<(tx: Transaction, userId: UserId) => Promise<EmailChange>> {
  const email = normalizeEmail(text);
  const isHeld = await assertEmailAvailable(app, email);
  return async (tx, userId) => {
    const before = await loadState(tx, userId);
    if (isConfirmed) await storeConfirmation(tx, app, { ...before, unconfirmed_email: email });
    else await storeNewEmail(tx, app, await lockUser(tx, userId), { email, isHeld });
    return { before: toState(before), after: toState(await loadState(tx, userId)) };
  };
}

/** Confirms the address of a user, or the new one that waits. Undefined if nothing waits. Throws 422 if it was taken. */
export async function confirmEmailOf(tx: Transaction, app: App, userId: UserId): Promise<EmailChange | undefined> {
  const before = await loadState(tx, userId);
  if (before.confirmed_at !== null && before.unconfirmed_email === null) return undefined;
  await storeConfirmation(tx, app, before);
  return { before: toState(before), after: toState(await loadState(tx, userId)) };
}

/** Sends the confirmation link of a user again. Returns the address. Throws 403 if nothing waits for confirmation. */
export async function resendConfirmationOf(tx: Transaction, userId: UserId): Promise<string> {
  const { confirmed_at: confirmedAt, unconfirmed_email: newEmail, email } = await loadState(tx, userId);
  if (confirmedAt !== null && newEmail === null) throw nothingToConfirmError();
  tx.enqueue(sendConfirmation({ userId }));
  return newEmail ?? email;
}

const loadState = ({ db }: Transaction, userId: UserId): Promise<UnconfirmedUser> =>
  db
    .selectFrom('users')
    .select(['id', 'account_id', 'email', 'unconfirmed_email', 'confirmed_at', 'approved'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();

const toState = ({ email, unconfirmed_email, confirmed_at: confirmedAt }: UnconfirmedUser): EmailState => ({
  email,
  unconfirmed_email,
  confirmed: confirmedAt !== null,
});
