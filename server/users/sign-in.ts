import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/database/transaction.ts';
import { tooManyRequests } from '../platform/http/http-errors.ts';
import type { UserId } from '../platform/ids.ts';
import { verifyPassword } from './passwords.ts';
import { createSession, type SessionOrigin } from './sessions.ts';

const maxAttemptsPerHour = 25;

/** Who wants to sign in, by e-mail address or username. */
export interface Credentials extends SessionOrigin {
  readonly email?: string;
  readonly username?: string;
  readonly password: string;
}

/**
 * Starts a session when the password is right; undefined when it is not, or nobody is called so: both take the same
 * time. 429 after 25 tries an hour for one name. Whether the user may use the server is another matter (`refusal`).
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

/** A session must not outlive a change of the password that committed after it was checked. */
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
