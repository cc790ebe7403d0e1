import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { UserId } from '../../platform/ids.ts';
import { countCredentialAttempt } from './attempts.ts';
import { matchPassword, type UserWithHash } from './check-password.ts';
import { assertPasswordsAllowed } from './password-policy.ts';
import { recordOrigin, type SignInOrigin } from './origins.ts';
import { createPendingSignIn } from '../second-factor/pending-sign-ins.ts';
import { emailSpellings, normalizeEmail } from '../sign-up/email-address.ts';
import { checkOrigin, createSession } from './sessions.ts';

/** Credentials of a sign-in, by e-mail address or username. */
export interface Credentials extends SignInOrigin {
  readonly email?: string;
  readonly username?: string;
  readonly password: string;
}

/** A right password. With a second factor, `secret` is that of the pending sign-in instead of the session. */
export interface SignedIn {
  readonly userId: UserId;
  readonly secret: string;
  readonly needsSecondFactor: boolean;
}

/**
 * Creates a session if the password is right, or a pending sign-in for a user with a second factor. Returns undefined for
 * a wrong password or an unknown user, in the same time. Throws 429 after too many attempts; a right password counts as
 * one too, so that it does not reset the budget for codes; 403 if people sign in only with providers. Does not check whether the user may use the server
 * (`refusal`).
 */
export async function signIn(app: App, credentials: Credentials): Promise<SignedIn | undefined> {
  assertPasswordsAllowed(app);
  const name = normalizeEmail(credentials.email ?? credentials.username ?? '').toLowerCase();
  const [user, hidesAlgorithm] = await Promise.all([findUserByLogin(app, name), hasBcryptHashes(app)]);
  await countCredentialAttempt(app, { userId: user?.id, name, origin: credentials });
  const checkedHash = await matchPassword(app, user, credentials.password, { hidesAlgorithm });
  if (user === undefined || checkedHash === undefined) return undefined;
  const origin = await checkOrigin(app, credentials);
  return transaction(app, async (tx) => {
    const current = await lockUserForSignIn(tx, user.id, checkedHash);
    if (current === undefined) return undefined;
    const { id: userId } = user;
    const { has_second_factor: needsSecondFactor } = current;
    if (needsSecondFactor) return { userId, needsSecondFactor, secret: await createPendingSignIn(tx, app, userId) };
    await recordOrigin(tx, app, userId, origin);
    return { userId, needsSecondFactor, secret: await createSession(tx, app, userId, origin) };
  });
}

/** Locks the user. Undefined if the password changed since it was checked: a session must not survive that. */
async function lockUserForSignIn({ db }: Transaction, id: UserId, checkedHash: string) {
  const user = await db
    .selectFrom('users')
    .select(['password_hash', 'has_second_factor'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  return user?.password_hash === checkedHash ? user : undefined;
}

/** Whether users who were moved from Mastodon have not signed in since. */
async function hasBcryptHashes({ db }: App): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from users where password_hash like '$2%') as found`.execute(db);
  return rows[0]?.found === true;
}

async function findUserByLogin(app: App, name: string): Promise<UserWithHash | undefined> {
  const query = app.db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.id', 'users.password_hash'])
    .where('accounts.deleted_at', 'is', null);
  const byEmail = sql<boolean>`lower(users.email) = any(${emailSpellings(name)}::text[])`;
  const byUsername = sql<boolean>`lower(accounts.username) = ${name} and coalesce(accounts.domain, '') = ''`;
  return query
    .where(name.includes('@') ? byEmail : byUsername)
    .orderBy('users.id')
    .executeTakeFirst();
}
