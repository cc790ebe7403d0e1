import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { invalidFieldsError, type HttpError } from '../../platform/http/http-errors.ts';
import { message } from '../../platform/i18n/message.ts';
import type { AccountId, SessionId, UserId } from '../../platform/ids.ts';
import { countCredentialAttempt } from './attempts.ts';
import type { SignInOrigin } from './origins.ts';
import { writable } from '../tables.ts';
import { hashPassword, isOutdatedHash, noPassword, verifyPassword } from './passwords.ts';

/** Time for which a sign-in with a provider confirms important changes. */
const confirmationMs = 10 * 60_000;

/** The password with which a signed-in user confirms an important change; not needed just after a sign-in with a provider. */
export interface PasswordAttempt {
  readonly current: string;
  readonly origin: SignInOrigin;
}

/** Whether a session began with a provider, so recently that changes need no password. */
export const isRecentProviderSession = (
  { issuer, createdAt }: { readonly issuer: string | null; readonly createdAt: Date },
  now: Date,
): boolean => issuer !== null && now.getTime() - createdAt.getTime() < confirmationMs;

/**
 * Accepts a user who has just signed in with a provider. Else throws 422 with `details` for `field` if the password is wrong, 429 after too many attempts. Returns the stored hash
 * that it matched, for `lockUser`.
 */
export async function assertPassword(
  app: App,
  userId: UserId,
  { current: password, origin }: PasswordAttempt,
  field = 'current_password',
): Promise<string> {
  const user = await app.db
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (user !== undefined && (await hasJustSignedIn(app, userId, origin.sessionId))) return user.password_hash;
  if (user?.password_hash === noPassword)
    throw invalidFieldsError([{ field, error: 'ERR_INVALID', description: message('problems.signInAgain') }]);
  await countCredentialAttempt(app, { userId, origin });
  const hash = await matchPassword(app, user, password);
  if (hash === undefined) throw wrongPassword(field);
  return hash;
}

async function hasJustSignedIn(app: App, userId: UserId, id: SessionId | undefined): Promise<boolean> {
  if (id === undefined) return false;
  const session = await app.db
    .selectFrom('sessions')
    .select(['issuer', 'created_at as createdAt'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return session !== undefined && isRecentProviderSession(session, app.clock.now());
}

/** A user with the stored hash of the password. */
export interface UserWithHash {
  readonly id: UserId;
  readonly password_hash: string;
}

/**
 * Returns the stored hash of a user if the password matches it, otherwise undefined. Replaces a hash whose parameters are
 * not those of new ones, such as a bcrypt hash from Mastodon, and returns the new one. `options` as in `verifyPassword`.
 */
export async function matchPassword(
  app: App,
  user: UserWithHash | undefined,
  password: string,
  options?: { readonly hidesAlgorithm: boolean },
): Promise<string | undefined> {
  if (!(await verifyPassword(password, user?.password_hash, options)) || user === undefined) return undefined;
  return isOutdatedHash(user.password_hash) ? replaceHash(app, user, password) : user.password_hash;
}

async function replaceHash(app: App, user: UserWithHash, password: string): Promise<string | undefined> {
  const newHash = await hashPassword(password);
  return transaction(app, async ({ db }) => {
    const { password_hash: current } = await db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', user.id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    // Another sign-in replaced it, or the password changed.
    if (current !== user.password_hash) return (await verifyPassword(password, current)) ? current : undefined;
    await writable(db).updateTable('users').set({ password_hash: newHash }).where('id', '=', user.id).execute();
    return newHash;
  });
}

/** The properties of a locked user that a change of password or address needs. */
export interface LockedUser {
  readonly userId: UserId;
  readonly accountId: AccountId;
  readonly email: string;
  readonly isConfirmed: boolean;
}

/**
 * Locks the user until the transaction ends. With `checkedHash`, which `assertPassword` returned before the
 * transaction, throws 422 if the password was changed since.
 */
export async function lockUser({ db }: Transaction, userId: UserId, checkedHash?: string): Promise<LockedUser> {
  const user = await db
    .selectFrom('users')
    .select(['account_id', 'email', 'confirmed_at', 'password_hash'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (checkedHash !== undefined && checkedHash !== user.password_hash) throw wrongPassword('current_password');
  return { userId, accountId: user.account_id, email: user.email, isConfirmed: user.confirmed_at !== null };
}

const wrongPassword = (field: string): HttpError =>
  invalidFieldsError([{ field, error: 'ERR_INVALID', description: message('problems.wrong') }]);

/** Column values that void every link sent to a user and a pending change of address. */
export const noPendingTokens = {
  unconfirmed_email: null,
  confirmation_token_hash: null,
  confirmation_sent_at: null,
  reset_token_hash: null,
  reset_sent_at: null,
} as const;
