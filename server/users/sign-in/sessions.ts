import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { AccessDeniedError } from '../../platform/http/http-errors.ts';
import { newId, type AccountId, type RoleId, type SessionId, type UserId } from '../../platform/ids.ts';
import { storeUserIp } from '../ips/record-user-ip.ts';
import { refusalOf, type AccessState, type Refusal } from '../access/refusal.ts';
import { isAccessDenied, passesIpBlocks } from '../ip-blocks/ip-policy.ts';
import { secondFactorFromSql } from '../second-factor/second-factor-from.ts';
import { sessionStarted } from '../events.ts';
import { endSessions } from '../sessions/end-sessions.ts';
import { recordOrigin, type SignInOrigin } from './origins.ts';
import { maxSessions } from '../sessions/list-sessions.ts';
import { isSessionExpired, recordSessionUse, sessionTtlDays } from '../sessions/session-use.ts';
import { writable } from '../tables.ts';
import { isRecentProviderSession } from './check-password.ts';
import { noPassword } from './passwords.ts';
import { hashSecret, newSecret } from './secrets.ts';

const dayMs = 86_400_000;

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
  /** From when on the user needs a second factor; undefined if never, or if there is one. */
  readonly secondFactorFrom: Date | undefined;
  /** Whether the second factor was lost when the server moved, and there is no new one. */
  readonly lostSecondFactor: boolean;
  /** Whether there is a password; otherwise the user signs in with a provider. */
  readonly hasPassword: boolean;
  /** Of the provider with which the session began. */
  readonly issuer: string | null;
  /** Whether it began so, so recently that changes need no password. */
  readonly confirmsChanges: boolean;
}

/** The provider with which someone signed in. */
export interface ProviderSession {
  readonly issuer: string;
  /** The session there, if the provider names it. */
  readonly sessionId?: string | undefined;
}

/** Where a session starts, and whether its address is blocked. */
export interface CheckedOrigin extends SignInOrigin {
  readonly isBlocked: boolean;
}

/** Finds out whether an address is blocked, before the transaction that creates a session. */
export async function checkOrigin(app: App, origin: SignInOrigin): Promise<CheckedOrigin> {
  const isBlocked = origin.ip !== undefined && (await isAccessDenied(app, origin.ip));
  return { ip: origin.ip, userAgent: origin.userAgent, browser: origin.browser, isBlocked };
}

/**
 * Stores a session and returns the secret for its cookie. Only the hash is stored. Of more than 100 the oldest end. Throws
 * 403 at a blocked address, unless the user passes blocks.
 */
export async function createSession(
  tx: Transaction,
  app: App,
  userId: UserId,
  { provider, ...origin }: CheckedOrigin & { readonly provider?: ProviderSession | undefined },
): Promise<string> {
  if (origin.isBlocked) await assertPassesBlocks(tx, userId);
  const secret = newSecret();
  const now = app.clock.now();
  const id = newId<'session'>(now);
  await writable(tx.db)
    .insertInto('sessions')
    .values({
      id,
      user_id: userId,
      token_hash: hashSecret(secret),
      user_agent: (origin.userAgent ?? '').slice(0, 500),
      ip: origin.ip ?? null,
      created_at: now,
      last_used_at: now,
      issuer: provider?.issuer ?? null,
      issuer_session_id: provider?.sessionId ?? null,
    })
    .execute();
  tx.emit(sessionStarted({ sessionId: id }));
  await deleteOldestSessions(tx, userId);
  if (origin.ip !== undefined) await storeUserIp(tx, app, { userId, ip: origin.ip });
  return secret;
}

async function assertPassesBlocks({ db }: Transaction, userId: UserId): Promise<void> {
  const { role_id: roleId } = await db
    .selectFrom('users')
    .select('role_id')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  if (!passesIpBlocks(roleId)) throw new AccessDeniedError();
}

async function deleteOldestSessions(tx: Transaction, userId: UserId): Promise<void> {
  const oldest = tx.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .offset(maxSessions);
  await endSessions(tx, writable(tx.db).deleteFrom('sessions').where('id', 'in', oldest));
}

/** Starts a session of a user who has just proved who they are, such as by signing up. Returns the secret for its cookie. */
export async function startSession(app: App, userId: UserId, from: SignInOrigin): Promise<string> {
  const origin = await checkOrigin(app, from);
  return transaction(app, async (tx) => {
    await recordOrigin(tx, app, userId, origin);
    return createSession(tx, app, userId, origin);
  });
}

/** Finds the session of a cookie's secret; undefined if it is unknown, deleted or expired. */
export const findSession = async (app: App, secret: string): Promise<Session | undefined> =>
  (await findSessions(app, [secret])).get(secret);

/** Finds sessions by the secrets of cookies, in the same order. Unknown, deleted and expired ones are left out. */
export async function findSessions(app: App, secrets: readonly string[]): Promise<ReadonlyMap<string, Session>> {
  const hashes = secrets.map(hashSecret);
  const rows = await app.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['sessions.id', 'sessions.created_at', 'sessions.last_used_at', 'users.id as user_id', 'users.account_id'])
    .select(['users.role_id', 'users.email', 'users.unconfirmed_email', 'users.confirmed_at', 'users.approved'])
    .select([
      'users.disabled',
      'users.lost_second_factor',
      'users.locale',
      'accounts.username',
      'accounts.suspended_at',
      'accounts.memorial',
    ])
    .select(secondFactorFromSql.as('second_factor_from'))
    .select(['sessions.token_hash', 'sessions.issuer', 'users.password_hash'])
    .where(sql<boolean>`sessions.token_hash = any(${hashes}::bytea[])`)
    .where('accounts.deleted_at', 'is', null)
    .execute();
  const valid = rows.filter((row) => !isSessionExpired(app, row.last_used_at));
  await recordUses(app, valid);
  const sessions = new Map(valid.map((row) => [row.token_hash.toString('base64'), toSession(row, app.clock.now())]));
  return new Map(
    secrets.flatMap((secret, index) => {
      const session = sessions.get(hashes[index]?.toString('base64') ?? '');
      return session === undefined ? [] : [[secret, session] as const];
    }),
  );
}

/** Records the use of sessions whose last recorded use is older than a day. */
async function recordUses(app: App, sessions: readonly { id: SessionId; last_used_at: Date }[]): Promise<void> {
  const now = app.clock.now();
  const unrecorded = sessions.filter(({ last_used_at: usedAt }) => now.getTime() - usedAt.getTime() > dayMs);
  if (unrecorded.length === 0) return;
  await transaction(app, (tx) =>
    recordSessionUse(
      tx,
      unrecorded.map(({ id }) => id),
      now,
    ),
  );
}

interface SessionRow extends AccessState {
  readonly id: SessionId;
  readonly user_id: UserId;
  readonly account_id: AccountId;
  readonly role_id: RoleId;
  readonly username: string;
  readonly email: string;
  readonly unconfirmed_email: string | null;
  readonly created_at: Date;
  readonly locale: string;
  readonly lost_second_factor: boolean;
  readonly password_hash: string;
  readonly issuer: string | null;
}

function toSession(row: SessionRow, now: Date): Session {
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
    refusal: refusalOf(row, now),
    secondFactorFrom: row.second_factor_from ?? undefined,
    lostSecondFactor: row.lost_second_factor,
    hasPassword: row.password_hash !== noPassword,
    issuer: row.issuer,
    confirmsChanges: isRecentProviderSession({ issuer: row.issuer, createdAt: row.created_at }, now),
  };
}

/** Deletes sessions. */
export async function deleteSessions(app: App, ids: readonly SessionId[]): Promise<void> {
  if (ids.length === 0) return;
  await transaction(app, (tx) => endSessions(tx, writable(tx.db).deleteFrom('sessions').where('id', 'in', ids)));
}

/** Deletes expired sessions. */
export async function cleanUpSessions(app: App): Promise<void> {
  const oldest = new Date(app.clock.now().getTime() - sessionTtlDays * dayMs);
  await transaction(app, (tx) =>
    endSessions(tx, writable(tx.db).deleteFrom('sessions').where('last_used_at', '<', oldest)),
  );
}
