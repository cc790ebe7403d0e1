import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/database/transaction.ts';
import { newId, type AccountId, type RoleId, type SessionId, type UserId } from '../../platform/ids.ts';
import { storeUserIp } from '../ips/record-user-ip.ts';
import { refusalOf, type Refusal } from '../access/refusal.ts';
import { lacksSecondFactorSql } from '../second-factor/lacks-second-factor.ts';
import { sessionStarted } from '../events.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import { recordOrigin, type SignInOrigin } from './origins.ts';
import { maxSessions } from '../sessions/list-sessions.ts';
import { hashSecret, newSecret } from './secrets.ts';

const dayMs = 86_400_000;
/** Days without use after which a session expires. */
export const sessionTtlDays = 60;

/** The session of a signed-in browser. */
export interface Session {
  readonly id: SessionId;
  readonly userId: UserId;
  readonly accountId: AccountId;
  readonly roleId: RoleId;
  readonly username: string;
  readonly email: string;
  readonly unconfirmedEmail: string | null;
  readonly isConfirmed: boolean;
  readonly createdAt: Date;
  /** Language tag of the user. */
  readonly locale: string;
  /** Why the user may not use the server; undefined if they may. */
  readonly refusal: Refusal | undefined;
}

/** Stores a session and returns the secret for its cookie. Only the hash is stored. Of more than 100 the oldest end. */
export async function createSession(tx: Transaction, app: App, userId: UserId, origin: SignInOrigin): Promise<string> {
  const secret = newSecret();
  const now = app.clock.now();
  const id = newId<'session'>(now);
  await tx.db
    .insertInto('sessions')
    .values({
      id,
      user_id: userId,
      token_hash: hashSecret(secret),
      user_agent: (origin.userAgent ?? '').slice(0, 500),
      ip: origin.ip ?? null,
      created_at: now,
      last_used_at: now,
    })
    .execute();
  tx.emit(sessionStarted({ sessionId: id }));
  await deleteOldestSessions(tx, userId);
  if (origin.ip !== undefined) await storeUserIp(tx, app, { userId, ip: origin.ip });
  return secret;
}

async function deleteOldestSessions(tx: Transaction, userId: UserId): Promise<void> {
  const oldest = tx.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .offset(maxSessions);
  await endSessions(tx, tx.db.deleteFrom('sessions').where('id', 'in', oldest));
}

/** Starts a session of a user who has just proved who they are, such as by signing up. Returns the secret for its cookie. */
export function startSession(app: App, userId: UserId, origin: SignInOrigin): Promise<string> {
  return transaction(app, async (tx) => {
    await recordOrigin(tx, app, userId, origin);
    return createSession(tx, app, userId, origin);
  });
}

/** Finds the session of a cookie's secret; undefined if it is unknown, deleted or expired. */
export async function findSession(app: App, secret: string): Promise<Session | undefined> {
  const row = await app.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['sessions.id', 'sessions.created_at', 'sessions.last_used_at', 'users.id as user_id', 'users.account_id'])
    .select(['users.role_id', 'users.email', 'users.unconfirmed_email', 'users.confirmed_at', 'users.approved'])
    .select(['users.disabled', 'users.locale', 'accounts.username', 'accounts.suspended_at', 'accounts.memorial'])
    .select(lacksSecondFactorSql.as('lacks_second_factor'))
    .where('sessions.token_hash', '=', hashSecret(secret))
    .where('accounts.deleted_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const now = app.clock.now();
  if (isSessionExpired(app, row.last_used_at)) return undefined;
  const idle = now.getTime() - row.last_used_at.getTime();
  if (idle > dayMs) await transaction(app, (tx) => recordSessionUse(tx, row.id, now));
  return {
    id: row.id,
    userId: row.user_id,
    accountId: row.account_id,
    roleId: row.role_id,
    username: row.username,
    email: row.email,
    unconfirmedEmail: row.unconfirmed_email,
    isConfirmed: row.confirmed_at !== null,
    createdAt: row.created_at,
    locale: row.locale,
    refusal: refusalOf(row),
  };
}

/** Whether a session that was last used at a time has expired. */
export const isSessionExpired = ({ clock }: App, lastUsedAt: Date): boolean =>
  clock.now().getTime() - lastUsedAt.getTime() > sessionTtlDays * dayMs;

/** Records that a session is in use, which keeps it from expiring. */
export async function recordSessionUse({ db }: Transaction, id: SessionId, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ last_used_at: now }).where('id', '=', id).execute();
}

/** Deletes one session. */
export async function deleteSession(app: App, id: SessionId): Promise<void> {
  await transaction(app, (tx) => endSessions(tx, tx.db.deleteFrom('sessions').where('id', '=', id)));
}

/** Deletes expired sessions. */
export async function cleanUpSessions(app: App): Promise<void> {
  const oldest = new Date(app.clock.now().getTime() - sessionTtlDays * dayMs);
  await transaction(app, (tx) => endSessions(tx, tx.db.deleteFrom('sessions').where('last_used_at', '<', oldest)));
}
