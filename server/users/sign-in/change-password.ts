import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { invalidFieldsError } from '../../platform/http/http-errors.ts';
import type { UserId } from '../../platform/ids.ts';
import { countCredentialAttempt } from './attempts.ts';
import {
  assertPassword,
  lockUser,
  matchPassword,
  noPendingTokens,
  type LockedUser,
  type PasswordAttempt,
  type UserWithHash,
} from './check-password.ts';
import type { SignInOrigin } from './origins.ts';
import { revokeSessions } from '../sessions/revoke-sessions.ts';
import { passwordErrors } from '../sign-up/check-sign-up.ts';
import { passwordChanged } from '../events.ts';
import { sendConfirmation, sendPasswordChanged, sendPasswordReset } from '../mails/mail-jobs.ts';
import { writable } from '../tables.ts';
import { assertPasswordsAllowed } from './password-policy.ts';
import { hashPassword } from './passwords.ts';
import { hashSecret } from './secrets.ts';

const resetTokenTtlMs = 6 * 3_600_000;

/** Queues a mail with a link to reset the password. Takes the same time if no user has this address. */
export async function requestPasswordReset(app: App, email: string): Promise<void> {
  assertPasswordsAllowed(app);
  await transaction(app, async ({ enqueue }) => enqueue(sendPasswordReset({ email: email.trim().slice(0, 320) })));
}

/** Returns whether the token of a reset link is valid. */
export async function isResetToken(app: App, token: string): Promise<boolean> {
  const row = await app.db
    .selectFrom('users')
    .select('reset_sent_at')
    .where('reset_token_hash', '=', hashSecret(token))
    .executeTakeFirst();
  return row !== undefined && isResetTokenFresh(app, row.reset_sent_at);
}

/**
 * Sets a new password by the token of a reset link, which works once and for six hours. Deletes the user's sessions,
 * revokes the tokens and voids other links and a pending change of address. Returns false if the link is invalid, or was
 * used for another password. Throws 422 if the password is invalid, 429 after too many attempts at a used link.
 */
export async function resetPassword(
  app: App,
  token: string,
  { password, origin }: { readonly password: string; readonly origin: SignInOrigin },
): Promise<boolean> {
  assertPasswordsAllowed(app);
  const passwordHash = await hashNewPassword(password);
  // The lookup is by the hash of 256 random bits, so its duration reveals nothing about the token.
  const tokenHash = hashSecret(token);
  const user = await transaction(app, async (tx) => {
    const row = await tx.db
      .selectFrom('users')
      .select(['id', 'password_hash', 'reset_sent_at'])
      .where('reset_token_hash', '=', tokenHash)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined || !isResetTokenFresh(app, row.reset_sent_at)) return row;
    await storePassword(tx, app, await lockUser(tx, row.id), passwordHash);
    // Without a date it works no more, but a form that is submitted twice is recognised.
    await writable(tx.db).updateTable('users').set({ reset_token_hash: tokenHash }).where('id', '=', row.id).execute();
    return { ...row, isChanged: true };
  });
  if (user === undefined || 'isChanged' in user) return user !== undefined;
  return user.reset_sent_at === null && isPasswordOf(app, user, { password, origin });
}

/** Returns whether a form set this password before. Throws 429 after too many attempts. */
async function isPasswordOf(
  app: App,
  user: UserWithHash,
  { password, origin }: { readonly password: string; readonly origin: SignInOrigin },
): Promise<boolean> {
  await countCredentialAttempt(app, { userId: user.id, origin });
  return (await matchPassword(app, user, password)) !== undefined;
}

/**
 * Changes the password of a user who enters the current one, with the same effects as `resetPassword`. Throws 422 with
 * `details` if the current one is wrong (`current_password`) or the new one is invalid. No-op if the same form changed it
 * meanwhile.
 */
export async function changePassword(
  app: App,
  userId: UserId,
  { password, ...attempt }: PasswordAttempt & { password: string },
): Promise<void> {
  assertPasswordsAllowed(app);
  try {
    const checkedHash = await assertPassword(app, userId, attempt);
    const passwordHash = await hashNewPassword(password);
    await transaction(app, async (tx) => storePassword(tx, app, await lockUser(tx, userId, checkedHash), passwordHash));
  } catch (error) {
    if (!(await isChangedMeanwhile(app, userId, { password, origin: attempt.origin }))) throw error;
  }
}

/** Returns whether a change of the password ended the session of this request, and set this password. */
async function isChangedMeanwhile(
  app: App,
  userId: UserId,
  attempt: { readonly password: string; readonly origin: SignInOrigin },
): Promise<boolean> {
  const { sessionId } = attempt.origin;
  if (sessionId === undefined) return false;
  const session = await app.db.selectFrom('sessions').select('id').where('id', '=', sessionId).executeTakeFirst();
  if (session !== undefined) return false;
  const user = await app.db
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('id', '=', userId)
    .executeTakeFirst();
  return user !== undefined && isPasswordOf(app, user, attempt);
}

/** Stores a new password without the current one (for staff), with the same effects as `resetPassword`. */
export async function storeNewPassword(tx: Transaction, app: App, userId: UserId, passwordHash: string): Promise<void> {
  await storePassword(tx, app, await lockUser(tx, userId), passwordHash);
}

/** Hashes a new password. Slow, so it runs outside of a transaction. Throws 422 if the password is invalid. */
export async function hashNewPassword(password: string): Promise<string> {
  const errors = passwordErrors(password);
  if (errors.length > 0) throw invalidFieldsError(errors);
  return hashPassword(password);
}

async function storePassword(
  tx: Transaction,
  app: App,
  { userId, accountId, isConfirmed }: LockedUser,
  passwordHash: string,
): Promise<void> {
  const { db, emit, enqueue } = tx;
  await writable(db)
    .updateTable('users')
    .set({ ...noPendingTokens, password_hash: passwordHash, updated_at: app.clock.now() })
    .where('id', '=', userId)
    .execute();
  await revokeSessions(tx, userId);
  enqueue(sendPasswordChanged({ userId }));
  // The voided link was the only way into the account, so a new one is sent.
  if (!isConfirmed) enqueue(sendConfirmation({ userId }));
  emit(passwordChanged({ userId, accountId }));
}

function isResetTokenFresh(app: App, sentAt: Date | null): boolean {
  return sentAt !== null && app.clock.now().getTime() - sentAt.getTime() <= resetTokenTtlMs;
}
