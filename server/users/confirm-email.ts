import { activateAccount } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import { forbidden, invalidFields, type Problem } from '../platform/http/problems.ts';
import type { AccountId, UserId } from '../platform/ids.ts';
import { lockUser, requirePassword, withoutLinks } from './check-password.ts';
import { emailErrors, isEmailTaken, takenEmail } from './check-sign-up.ts';
import { refuseTaken } from './create-user.ts';
import { userAccessChanged, userConfirmed } from './events.ts';
import { sendConfirmation, sendEmailChanged, sendEmailChangeRequested } from './mail-jobs.ts';
import { hashSecret } from './secrets.ts';

const millisecondsValid = 2 * 86_400_000;

/** What came of a confirmation link: `confirmed` (now or already), `invalid` (unknown or replaced), `expired`. */
export interface Confirmation {
  readonly outcome: 'confirmed' | 'invalid' | 'expired';
  readonly userId?: UserId;
  readonly accountId?: AccountId;
}

/**
 * Confirms the address that a link was sent to, within two days; opening the link again changes nothing. An address
 * that the user changed to replaces the old one, which is notified, and voids the links for a new password. Throws 422
 * if another user has the address by now.
 */
export async function confirmEmail(app: App, token: string): Promise<Confirmation> {
  return write(app, async (write): Promise<Confirmation> => {
    const { db, emit, enqueue } = write;
    const now = app.clock.now();
    const user = await db
      .selectFrom('users')
      .select(['id', 'account_id', 'email', 'unconfirmed_email', 'confirmed_at', 'confirmation_sent_at', 'approved'])
      .where('confirmation_token_hash', '=', hashSecret(token))
      .forUpdate()
      .executeTakeFirst();
    if (user === undefined) return { outcome: 'invalid' };
    const { id: userId, account_id: accountId, unconfirmed_email: newEmail } = user;
    if (user.confirmed_at !== null && newEmail === null) return { outcome: 'confirmed', userId, accountId };
    if (now.getTime() - (user.confirmation_sent_at ?? new Date(0)).getTime() > millisecondsValid) {
      return { outcome: 'expired', userId, accountId };
    }
    await db
      .updateTable('users')
      .set({
        // What was sent to the old address is void; this link may be opened again.
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
    if (user.confirmed_at === null) {
      emit(userConfirmed({ userId, accountId }));
      emit(userAccessChanged({ userId, accountId }));
      if (user.approved) await activateAccount(write, app, accountId);
    }
    return { outcome: 'confirmed', userId, accountId };
  }).catch(refuseTaken);
}

/**
 * Sends the confirmation link again. A user who never confirmed an address may give another one, which replaces it.
 * Throws 403 if there is nothing to confirm, or if a confirmed user gives another address: that takes the password
 * (`changeEmail`). Throws 422 if the address is invalid or taken.
 */
export async function resendConfirmation(app: App, userId: UserId, email = ''): Promise<void> {
  const user = await app.db
    .selectFrom('users')
    .select(['email', 'unconfirmed_email', 'confirmed_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const given = email.trim();
  const isOther = given !== '' && given !== (user.unconfirmed_email ?? user.email);
  if (user.confirmed_at !== null && (isOther || user.unconfirmed_email === null)) throw nothingToConfirm();
  if (isOther) return correctEmail(app, userId, given);
  await write(app, async ({ enqueue }) => enqueue(sendConfirmation({ userId })));
}

async function correctEmail(app: App, userId: UserId, email: string): Promise<void> {
  await requireFreeEmail(app, email);
  await write(app, async (write) => {
    if ((await lockUser(write, userId)).isConfirmed) throw nothingToConfirm();
    await write.db
      .updateTable('users')
      .set({ ...withoutLinks, email, updated_at: app.clock.now() })
      .where('id', '=', userId)
      .execute();
    write.enqueue(sendConfirmation({ userId }));
  }).catch(refuseTaken);
}

const nothingToConfirm = (): Problem =>
  forbidden('This method is only available while the e-mail is awaiting confirmation');

/**
 * Begins to change the address of a confirmed user who knows the password: the new address counts once it is confirmed,
 * and the old one is notified now. Voids the link of an earlier change. Throws 422 with `details` if the password
 * (`current_password`) is wrong or the address is invalid or taken.
 */
export async function changeEmail(
  app: App,
  userId: UserId,
  { current, email: newEmail }: { current: string; email: string },
): Promise<void> {
  const checkedHash = await requirePassword(app, userId, current);
  const email = newEmail.trim();
  await requireFreeEmail(app, email);
  await write(app, async (write) => {
    const user = await lockUser(write, userId, checkedHash);
    await write.db
      .updateTable('users')
      .set({ ...withoutLinks, unconfirmed_email: email, updated_at: app.clock.now() })
      .where('id', '=', userId)
      .execute();
    write.enqueue(sendConfirmation({ userId }));
    write.enqueue(sendEmailChangeRequested({ userId, oldEmail: user.email, newEmail: email }));
  });
}

async function requireFreeEmail(app: App, email: string): Promise<void> {
  const errors = emailErrors(email);
  if (errors.length > 0) throw invalidFields(errors);
  if (await isEmailTaken(app, email)) throw invalidFields([takenEmail]);
}
