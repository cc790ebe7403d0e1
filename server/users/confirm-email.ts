import { activateAccount } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import { forbidden, invalidFields } from '../platform/http/problems.ts';
import type { AccountId, UserId } from '../platform/ids.ts';
import { emailErrors, isEmailTaken, takenEmail } from './check-sign-up.ts';
import { refuseTaken } from './create-user.ts';
import { userAccessChanged, userConfirmed } from './events.ts';
import { sendConfirmation, sendEmailChanged } from './mail-jobs.ts';
import { hashSecret } from './secrets.ts';

const millisecondsValid = 2 * 86_400_000;

/** What came of a confirmation link: `confirmed` (now or already), `invalid` (unknown or replaced), `expired`. */
export interface Confirmation {
  readonly outcome: 'confirmed' | 'invalid' | 'expired';
  readonly userId?: UserId;
  readonly accountId?: AccountId;
}

/**
 * Confirms the address that a link was sent to, within two days. Opening the link again is fine. A changed address takes
 * the place of the old one now, which is told of it; 422 when somebody else has it by now.
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
        email: newEmail ?? user.email,
        unconfirmed_email: null,
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
 * Sends the confirmation link again, to `email` if one is given: then that is the user's address from now on (nobody has
 * proved the old one). 403 when there is nothing to confirm, 422 for an address that is wrong or taken.
 */
export async function resendConfirmation(app: App, userId: UserId, email?: string): Promise<void> {
  const user = await app.db
    .selectFrom('users')
    .select(['email', 'unconfirmed_email', 'confirmed_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  if (user.confirmed_at !== null && user.unconfirmed_email === null) {
    throw forbidden('This method is only available while the e-mail is awaiting confirmation');
  }
  const changed = email !== undefined && email.trim() !== '' && email.trim() !== (user.unconfirmed_email ?? user.email);
  if (changed) return changeEmail(app, userId, email);
  await write(app, async ({ enqueue }) => enqueue(sendConfirmation({ userId })));
}

/**
 * Gives a user another address. While the first one was never confirmed it is simply replaced; later the new one counts
 * once it is confirmed. 422 when it is wrong or taken.
 */
export async function changeEmail(app: App, userId: UserId, newEmail: string): Promise<void> {
  const email = newEmail.trim();
  const errors = emailErrors(email);
  if (errors.length > 0) throw invalidFields(errors);
  if (await isEmailTaken(app, email)) throw invalidFields([takenEmail]);
  await write(app, async ({ db, enqueue }) => {
    const { confirmed_at } = await db
      .selectFrom('users')
      .select('confirmed_at')
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    await db
      .updateTable('users')
      .set({
        ...(confirmed_at === null ? { email } : { unconfirmed_email: email }),
        // A link that was sent to the address before must not confirm this one.
        confirmation_token_hash: null,
        updated_at: app.clock.now(),
      })
      .where('id', '=', userId)
      .execute();
    enqueue(sendConfirmation({ userId }));
  }).catch(refuseTaken);
}
