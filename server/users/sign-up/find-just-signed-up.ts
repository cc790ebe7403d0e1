import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { UserId } from '../../platform/ids.ts';
import { countCredentialAttempt } from '../sign-in/attempts.ts';
import { matchPassword } from '../sign-in/check-password.ts';
import type { SignInOrigin } from '../sign-in/origins.ts';
import { normalizeEmail } from './email-address.ts';

/** A form that is submitted twice arrives again within this time, even on a slow server. */
const repeatMs = 10 * 60_000;

/** What identifies a sign-up. */
export interface SignUpForm {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/**
 * Finds the user that the same form created in the last ten minutes: with this username, address and password, and still
 * without a second factor. Undefined if there is none. Throws 429 after too many attempts at a password.
 */
export async function findJustSignedUp(
  app: App,
  { username, email, password }: SignUpForm,
  origin: SignInOrigin,
): Promise<UserId | undefined> {
  const name = normalizeEmail(email);
  const user = await app.db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.id', 'users.password_hash'])
    .where(sql<boolean>`lower(accounts.username) = ${username.toLowerCase()} and coalesce(accounts.domain, '') = ''`)
    .where('users.email', '=', name)
    .where('users.has_second_factor', '=', false)
    .where('users.created_at', '>', new Date(app.clock.now().getTime() - repeatMs))
    .executeTakeFirst();
  if (user === undefined) return undefined;
  await countCredentialAttempt(app, { userId: user.id, name: name.toLowerCase(), origin });
  return (await matchPassword(app, user, password)) === undefined ? undefined : user.id;
}
