import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/database/transaction.ts';
import { tooManyRequests } from '../../platform/http/http-errors.ts';
import type { UserId } from '../../platform/ids.ts';
import { verifyPassword } from './passwords.ts';
import { createSession, type SessionOrigin } from './sessions.ts';

const maxAttemptsPerHour = 25;

/** Credentials of a sign-in, by e-mail address or username. */
export interface Credentials extends SessionOrigin {
  readonly email?: string;
  readonly username?: string;
  readonly password: string;
}

/**
 * Creates a session if the password is right. Returns undefined for a wrong password or an unknown user, in the same
 * time. Throws 429 after 25 attempts an hour for one name. Does not check whether the user may use the server
 * (`refusal`).
 */
export async function signIn(
  app: App,
  credentials: Credentials,
): Promise<{ userId: UserId; secret: string } | undefined> {
  const name = (credentials.email ?? credentials.username ?? '').trim().toLowerCase();
  await countAttempt(app, name);
  const user = await findUserByLogin(app, name);
  if (!(await verifyPassword(credentials.password, user?.password_hash)) || user === undefined) return undefined;
  const secret = await transaction(app, async (tx) => {
    if (!(await isPasswordUnchanged(tx, user))) return undefined;
    return createSession(tx, app, user.id, credentials);
  });
  return secret === undefined ? undefined : { userId: user.id, secret };
}

/** Returns whether the password that was checked is still current: a session must not survive a change of it. */
async function isPasswordUnchanged(
  { db }: Transaction,
  { id, password_hash: checkedHash }: FoundUser,
): Promise<boolean> {
  const user = await db.selectFrom('users').select('password_hash').where('id', '=', id).forShare().executeTakeFirst();
  return user?.password_hash === checkedHash;
}

async function countAttempt(app: App, name: string): Promise<void> {
  if (!app.config.RATE_LIMITS) return;
  const { remaining } = await app.rateLimiter.take(`sign-in-name:${name.slice(0, 320)}`, maxAttemptsPerHour, 3600);
  if (remaining < 0) throw tooManyRequests();
}

interface FoundUser {
  readonly id: UserId;
  readonly password_hash: string;
}

async function findUserByLogin(app: App, name: string): Promise<FoundUser | undefined> {
  const query = app.db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.id', 'users.password_hash'])
    .where('accounts.deleted_at', 'is', null);
  const byEmail = sql<boolean>`lower(users.email) = ${name}`;
  const byUsername = sql<boolean>`lower(accounts.username) = ${name} and coalesce(accounts.domain, '') = ''`;
  return query.where(name.includes('@') ? byEmail : byUsername).executeTakeFirst();
}
