import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { write, type Write } from '../platform/database/write.ts';
import { tooManyRequests } from '../platform/http/problems.ts';
import type { UserId } from '../platform/ids.ts';
import { isPassword } from './passwords.ts';
import { startSession, type SessionOrigin } from './sessions.ts';

const attemptsPerHour = 25;

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
  const user = await findByName(app, name);
  if (!(await isPassword(credentials.password, user?.password_hash)) || user === undefined) return undefined;
  const secret = await write(app, async (write) => {
    if (!(await isStillPassword(write, user))) return undefined;
    return startSession(write, app, user.id, credentials);
  });
  return secret === undefined ? undefined : { userId: user.id, secret };
}

/** A session must not outlive a change of the password that committed after it was checked. */
async function isStillPassword({ db }: Write, { id, password_hash: checkedHash }: FoundUser): Promise<boolean> {
  const user = await db.selectFrom('users').select('password_hash').where('id', '=', id).forShare().executeTakeFirst();
  return user?.password_hash === checkedHash;
}

async function countAttempt(app: App, name: string): Promise<void> {
  if (!app.config.RATE_LIMITS) return;
  const { remaining } = await app.rateLimiter.take(`sign-in-name:${name.slice(0, 320)}`, attemptsPerHour, 3600);
  if (remaining < 0) throw tooManyRequests();
}

interface FoundUser {
  readonly id: UserId;
  readonly password_hash: string;
}

async function findByName(app: App, name: string): Promise<FoundUser | undefined> {
  const query = app.db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.id', 'users.password_hash'])
    .where('accounts.deleted_at', 'is', null);
  const byEmail = sql<boolean>`lower(users.email) = ${name}`;
  const byUsername = sql<boolean>`lower(accounts.username) = ${name} and coalesce(accounts.domain, '') = ''`;
  return query.where(name.includes('@') ? byEmail : byUsername).executeTakeFirst();
}
