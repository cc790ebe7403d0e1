import { activateAccount } from '../../accounts/lifecycle/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { forbidden, invalidFieldsError, type HttpError } from '../../platform/http/http-errors.ts';
import type { AccountId, UserId } from '../../platform/ids.ts';
import {
  lockUser,
  assertPassword,
  noPendingTokens,
  type LockedUser,
  type PasswordAttempt,
} from '../sign-in/check-password.ts';
import { needsApprovalByEmail } from './check-blocks.ts';
import { emailErrors, isEmailTaken, emailTakenError } from './check-sign-up.ts';
import { rethrowTakenError } from './create-user.ts';
import { normalizeEmail } from './email-address.ts';
import { signUpCompleted, signUpPending, userAccessChanged } from '../events.ts';
import { sendConfirmation, sendEmailChanged, sendEmailChangeRequested } from '../mails/mail-jobs.ts';
import { hashSecret } from '../sign-in/secrets.ts';
import { writable } from '../tables.ts';

const confirmationTokenTtlMs = 2 * 86_400_000;

/** Result of a confirmation link: `confirmed` (now or earlier), `invalid` (unknown or replaced) or `expired`. */
export interface Confirmation {
  readonly outcome: 'confirmed' | 'invalid' | 'expired';
  readonly userId?: UserId;
  readonly accountId?: AccountId;
}

interface PendingConfirmation extends UnconfirmedUser {
  readonly confirmation_sent_at: Date | null;
}

const confirmationsByToken = (db: App['db'], token: string) =>
  db
    .selectFrom('users')
    .select(['id', 'account_id', 'email', 'unconfirmed_email', 'confirmed_at', 'confirmation_sent_at', 'approved'])
    .where('confirmation_token_hash', '=', hashSecret(token));

/** Returns what became of a link; undefined if it can be used now. */
function judgeLink(app: App, user: PendingConfirmation | undefined): Confirmation | undefined {
  if (user === undefined) return { outcome: 'invalid' };
  const ids = { userId: user.id, accountId: user.account_id };
  if (user.confirmed_at !== null && user.unconfirmed_email === null) return { outcome: 'confirmed', ...ids };
  const age = app.clock.now().getTime() - (user.confirmation_sent_at ?? new Date(0)).getTime();
  return age > confirmationTokenTtlMs ? { outcome: 'expired', ...ids } : undefined;
}

/** Returns the address that a link can confirm now, or what became of the link. Changes nothing. */
export async function findConfirmation(app: App, token: string): Promise<Confirmation | { readonly email: string }> {
  const user = await confirmationsByToken(app.db, token).executeTakeFirst();
  return judgeLink(app, user) ?? { email: user?.unconfirmed_email ?? user?.email ?? '' };
}

/**
 * Confirms the address that a link was sent to, within two days. No-op if it is confirmed already. A changed address
 * replaces the old one, which is notified, and voids password reset links. Throws 422 if another user has taken the
 * address.
 */
export async function confirmEmail(app: App, token: string): Promise<Confirmation> {
  return transaction(app, async (tx): Promise<Confirmation> => {
    const user = await confirmationsByToken(tx.db, token).forUpdate().executeTakeFirst();
    const judged = judgeLink(app, user);
    if (judged !== undefined || user === undefined) return judged ?? { outcome: 'invalid' };
    const { id: userId, account_id: accountId } = user;
    await storeConfirmation(tx, app, user);
    return { outcome: 'confirmed', userId, accountId };
  }).catch(rethrowTakenError);
}

/** What the confirmation of an address needs to know about a locked user. */
export interface UnconfirmedUser {
  readonly id: UserId;
  readonly account_id: AccountId;
  readonly email: string;
  readonly unconfirmed_email: string | null;
  readonly confirmed_at: Date | null;
  readonly approved: boolean;
}

/** Stores that the address of a locked user is confirmed, or replaces it by the new one and notifies the old one. */
export async function storeConfirmation(tx: Transaction, app: App, user: UnconfirmedUser): Promise<void> {
  const { db, emit, enqueue } = tx;
  const { id: userId, account_id: accountId, unconfirmed_email: newEmail } = user;
  const now = app.clock.now();
  await writable(db)
    .updateTable('users')
    .set({
      // Links sent to the old address are void; this one may be opened again.
      ...(newEmail !== null && {
        email: newEmail,
        unconfirmed_email: null,
        reset_token_hash: null,
        reset_sent_at: null,
      }),
      confirmed_at: user.confirmed_at ?? now,
      updated_at: now,
    })
    .where('id', '=', userId)
    .execute();
  if (newEmail !== null) enqueue(sendEmailChanged({ userId, oldEmail: user.email }));
  if (user.confirmed_at !== null) return;
  emit(userAccessChanged({ userId, accountId }));
  if (user.approved) {
    await activateAccount(tx, app, accountId);
    emit(signUpCompleted({ userId, accountId }));
  } else emit(signUpPending({ userId, accountId }));
}

/**
 * Sends the confirmation link again, for an unconfirmed user also to a new address, which replaces the old one. Throws
 * 403 if nothing is to be confirmed, or if a confirmed user enters a new address (`changeEmail` asks for the password).
 * Throws 422 if the address is invalid or taken.
 */
export async function resendConfirmation(app: App, userId: UserId, email = ''): Promise<void> {
  const user = await app.db
    .selectFrom('users')
    .select(['email', 'unconfirmed_email', 'confirmed_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const requestedEmail = normalizeEmail(email);
  const isChanged = requestedEmail !== '' && requestedEmail !== (user.unconfirmed_email ?? user.email);
  if (user.confirmed_at !== null && (isChanged || user.unconfirmed_email === null)) throw nothingToConfirmError();
  if (isChanged) return correctEmail(app, userId, requestedEmail);
  await transaction(app, async ({ enqueue }) => enqueue(sendConfirmation({ userId })));
}

async function correctEmail(app: App, userId: UserId, email: string): Promise<void> {
  const isHeld = await assertEmailAvailable(app, email);
  await transaction(app, async (tx) => {
    const user = await lockUser(tx, userId);
    if (user.isConfirmed) throw nothingToConfirmError();
    await storeNewEmail(tx, app, user, { email, isHeld });
  }).catch(rethrowTakenError);
}

/**
 * Stores a new address of a locked user, and sends the link that confirms it. It replaces an address that was never
 * confirmed at once, and a confirmed one, which is notified, once it is confirmed itself. Voids every earlier link.
 * `isHeld`: a sign-up with this address waits for approval.
 */
export async function storeNewEmail(
  tx: Transaction,
  app: App,
  { userId, accountId, email: oldEmail, isConfirmed }: LockedUser,
  { email, isHeld }: { readonly email: string; readonly isHeld: boolean },
): Promise<void> {
  const changes = isConfirmed ? { unconfirmed_email: email } : { email, ...(isHeld && { approved: false }) };
  await writable(tx.db)
    .updateTable('users')
    .set({ ...noPendingTokens, ...changes, updated_at: app.clock.now() })
    .where('id', '=', userId)
    .execute();
  if (isHeld && !isConfirmed) tx.emit(userAccessChanged({ userId, accountId }));
  tx.enqueue(sendConfirmation({ userId }));
  if (isConfirmed) tx.enqueue(sendEmailChangeRequested({ userId, oldEmail, newEmail: email }));
}

/** The address is confirmed, and no new one waits. */
export const nothingToConfirmError = (): HttpError => forbidden('users.nothingToConfirm');

/**
 * Requests a change of a confirmed user's address. The new address replaces the old one once it is confirmed; the old
 * one is notified now. Voids the link of an earlier change. Throws 422 with `details` if the password
 * (`current_password`) is wrong or the address is invalid or taken.
 */
export async function changeEmail(
  app: App,
  userId: UserId,
  { email: newEmail, ...attempt }: PasswordAttempt & { email: string },
): Promise<void> {
  const checkedHash = await assertPassword(app, userId, attempt);
  const email = normalizeEmail(newEmail);
  await assertEmailAvailable(app, email);
  await transaction(app, async (tx) => {
    await storeNewEmail(tx, app, await lockUser(tx, userId, checkedHash), { email, isHeld: false });
  });
}

/** Returns whether a sign-up with this address waits for approval. Throws 422 if it is invalid, taken or blocked. */
export async function assertEmailAvailable(app: App, email: string): Promise<boolean> {
  const errors = emailErrors(email);
  if (errors.length > 0) throw invalidFieldsError(errors);
  if (await isEmailTaken(app, email)) throw invalidFieldsError([emailTakenError]);
  return needsApprovalByEmail(app, email);
}
