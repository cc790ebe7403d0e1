import { activateAccount, createLocalAccount } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/database/transaction.ts';
import { invalidFieldsError } from '../platform/http/http-errors.ts';
import { newId, type AccountId, type ApplicationId, type UserId } from '../platform/ids.ts';
import { siteSettings } from '../site/index.ts';
import { checkSignUp, emailTakenError, usernameTakenError } from './check-sign-up.ts';
import { userSignedUp } from './events.ts';
import { isLocale, isTimeZone } from './locale.ts';
import { sendConfirmation } from './mail-jobs.ts';
import { hashPassword } from './passwords.ts';
import { deleteOwnerSecret } from './owner-secret.ts';
import { standardRoles, type StandardRole } from './roles.ts';

/** Somebody who is to become a user. */
export interface NewUser {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  /** Leave it out where nobody is asked (the command line); false is refused. */
  readonly agreement?: boolean | undefined;
  /** Why they want to join; needed when `approved` is left out and staff approve each sign-up. */
  readonly reason?: string | null | undefined;
  readonly locale?: string | undefined;
  readonly timeZone?: string | undefined;
  /** The e-mail address is known to be theirs: no mail is sent. Default false. */
  readonly confirmed?: boolean;
  /** Default: true, unless staff approve each sign-up. */
  readonly approved?: boolean;
  readonly role?: StandardRole;
  /** The app that signed them up. */
  readonly applicationId?: ApplicationId | undefined;
  readonly ip?: string | undefined;
  /** Names kept for the server itself are allowed too: for those who run it. */
  readonly allowReserved?: boolean;
  readonly displayName?: string;
}

export interface CreatedUser {
  readonly userId: UserId;
  readonly accountId: AccountId;
}

/**
 * Makes a user and their account, and has the confirmation mail sent. The account is not seen by others before the user
 * is confirmed and approved. Throws 422 with every field that is wrong (`details`, `ERR_` codes).
 */
export async function createUser(app: App, user: NewUser): Promise<CreatedUser> {
  const prepared = await prepareUser(app, user);
  return transaction(app, (tx) => insertUser(tx, app, prepared)).catch(rethrowTakenError);
}

/** A user that was checked, with the password hashed. */
export interface PreparedUser extends NewUser {
  readonly approved: boolean;
  readonly passwordHash: string;
}

/** The slow part of createUser, outside of any transaction. */
export async function prepareUser(app: App, user: NewUser): Promise<PreparedUser> {
  const approved = user.approved ?? (await siteSettings(app)).registrations !== 'approval';
  const email = user.email.trim();
  const errors = await checkSignUp(app, { ...user, email, needsReason: !approved && user.approved === undefined });
  if (errors.length > 0) throw invalidFieldsError(errors);
  return { ...user, email, approved, passwordHash: await hashPassword(user.password) };
}

/** Stores a prepared user within a transaction. */
export async function insertUser(tx: Transaction, app: App, user: PreparedUser): Promise<CreatedUser> {
  const now = app.clock.now();
  const { username, displayName, confirmed = false, approved } = user;
  const accountId = await createLocalAccount(tx, app, {
    username,
    activated: false,
    ...(displayName !== undefined && { displayName }),
  });
  const userId = newId<'user'>(now);
  if (user.role === 'owner') await deleteOwnerSecret(tx);
  await tx.db
    .insertInto('users')
    .values({
      id: userId,
      account_id: accountId,
      email: user.email,
      password_hash: user.passwordHash,
      role_id: standardRoles[user.role ?? 'user'],
      confirmed_at: confirmed ? now : null,
      approved,
      locale: isLocale(user.locale) ? user.locale : 'en',
      time_zone: isTimeZone(user.timeZone) ? user.timeZone : null,
      sign_up_reason: user.reason?.trim() || null,
      sign_up_ip: user.ip ?? null,
      created_by_application_id: user.applicationId ?? null,
      last_active_at: now,
      created_at: now,
      updated_at: now,
    })
    .execute();
  tx.emit(userSignedUp({ userId, accountId }));
  if (confirmed && approved) await activateAccount(tx, app, accountId);
  if (!confirmed) tx.enqueue(sendConfirmation({ userId }));
  return { userId, accountId };
}

/** Two may ask for the same name at once: the unique index tells the second one what the check could not. */
export function rethrowTakenError(error: unknown): never {
  const constraint = (error as { constraint?: string }).constraint ?? '';
  if (constraint === 'users_email') throw invalidFieldsError([emailTakenError]);
  if (['accounts_handle', 'accounts_uri_key'].includes(constraint)) throw invalidFieldsError([usernameTakenError]);
  throw error;
}
