import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { LoadingCache } from '../platform/caching/cache.ts';
import { evictWhere } from '../platform/caching/cache-reactions.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { transaction } from '../platform/write/transaction.ts';
import { unauthorized } from '../platform/http/http-errors.ts';
import type { Caller } from '../platform/http/routes.ts';
import { message } from '../platform/i18n/message.ts';
import type { RoleId, TokenId } from '../platform/ids.ts';
import { reportTemporaryFailure } from '../platform/temporary-failures.ts';
import { accountDeleted, accountSuspended, accountUnsuspended } from '../accounts/index.ts';
import { everyoneRoleId, refusalOf, type AccessState } from '../users/access/index.ts';
import { recordUserIp } from '../users/ips/index.ts';
import { secondFactorFromSql } from '../users/second-factor/index.ts';
import { isSessionExpired, recordSessionUse } from '../users/sessions/index.ts';
import { hashSecret } from '../users/sign-in/index.ts';
import { userSettingsChanged } from '../users/settings/index.ts';
import { roleChanged, sessionsEnded, touchUser, userAccessChanged } from '../users/index.ts';
import { tokensRevoked } from './events.ts';
import { writable } from './tables.ts';
import { findTokenByHash, toCaller } from './token-callers.ts';

const dayMs = 86_400_000;

interface CachedCaller {
  /** As of the time when it was loaded. */
  readonly caller: Caller;
  /** From when on its user, who has no second factor, needs one. */
  readonly secondFactorFrom: Date | null;
  /** When the use of the token was last recorded, in milliseconds since the epoch. */
  usedAt: number;
  /** When the use of its session was last recorded; undefined for a token of an app. */
  sessionUsedAt: Date | undefined;
  /** The address of the last request. */
  ip: string | undefined;
}

/**
 * Callers by token. The key is the token itself, because hashing it costs a sixth of a small request. A revocation, a
 * suspension or a new role acts on the next request of every process; the expiry only covers lost messages.
 */
export const callerCache = new LoadingCache<string, CachedCaller, CachedCaller | undefined>({
  name: 'oauth.callers',
  maxSize: 20_000,
  ttlMs: 30_000,
  load: loadCaller,
  evictOn: [
    evictWhere(tokensRevoked, ({ caller }, { tokenId, applicationId, userId }) =>
      matchesAll([
        [tokenId, caller.tokenId],
        [applicationId, caller.applicationId],
        [userId, caller.viewer?.userId],
      ]),
    ),
    evictWhere(sessionsEnded, ({ caller: { sessionId } }, { sessionIds }) =>
      sessionId === undefined ? false : sessionIds.includes(sessionId),
    ),
    evictWhere(userSettingsChanged, ({ caller }, { accountId }) => caller.viewer?.accountId === accountId),
    evictWhere(userAccessChanged, ({ caller }, { userId }) => caller.viewer?.userId === userId),
    evictWhere(roleChanged, ({ caller }, { roleId }) => roleId === everyoneRoleId || caller.viewer?.roleId === roleId),
    evictWhere(accountSuspended, ({ caller }, { accountId }) => caller.viewer?.accountId === accountId),
    evictWhere(accountUnsuspended, ({ caller }, { accountId }) => caller.viewer?.accountId === accountId),
    evictWhere(accountDeleted, ({ caller }, { accountId }) => caller.viewer?.accountId === accountId),
  ],
});

/** Returns true if each id of a filter is undefined or equals the id of the caller. */
const matchesAll = (pairs: readonly (readonly [wanted: string | undefined, actual: string | undefined])[]): boolean =>
  pairs.every(([wanted, actual]) => wanted === undefined || wanted === actual);

/**
 * Returns the caller of a bearer token, at once if it is cached; undefined if the token is unknown, such as the secret of
 * a session. Throws 401 if it was revoked. Records the address for staff.
 */
export function authenticate(app: App, token: string, ip?: string): Caller | undefined | Promise<Caller | undefined> {
  const cached = callerCache.peek(app, token);
  if (cached !== undefined) return callerOfToken(app, cached, ip);
  return callerCache.get(app, token).then((loaded) => callerOfToken(app, loaded, ip));
}

function callerOfToken(app: App, cached: CachedCaller | undefined, ip: string | undefined): Caller | undefined {
  return cached === undefined || cached.caller.sessionId !== undefined ? undefined : recordUse(app, cached, ip);
}

/**
 * Returns the caller of a browser session by the secret of its cookie, at once if it is cached; undefined if it is unknown
 * or expired, or is a bearer token. Records the address for staff.
 */
export function authenticateSession(
  app: App,
  secret: string,
  ip?: string,
): Caller | undefined | Promise<Caller | undefined> {
  const cached = callerCache.peek(app, secret);
  if (cached !== undefined) return callerOfSession(app, cached, ip);
  return callerCache.get(app, secret).then((loaded) => callerOfSession(app, loaded, ip));
}

function callerOfSession(app: App, cached: CachedCaller | undefined, ip: string | undefined): Caller | undefined {
  if (cached?.sessionUsedAt === undefined || isSessionExpired(app, cached.sessionUsedAt)) return undefined;
  return recordUse(app, cached, ip);
}

function recordUse(app: App, cached: CachedCaller, ip: string | undefined): Caller {
  recordTokenUse(app, cached);
  if (ip !== undefined) recordAddress(app, cached, ip);
  return currentCaller(app, cached);
}

/** Returns a cached caller as of now: a second factor may have become necessary since it was loaded. */
function currentCaller({ clock }: App, { caller, secondFactorFrom: from }: CachedCaller): Caller {
  if (from === null || caller.viewer === undefined || caller.deniedReason !== undefined) return caller;
  return from > clock.now() ? caller : { ...caller, deniedReason: message('users.lacksSecondFactor') };
}

async function loadCaller(app: App, token: string): Promise<CachedCaller | undefined> {
  const row = await findTokenByHash(app, hashSecret(token));
  if (row === undefined || row.deleted_at !== null) return undefined;
  if (row.revoked_at !== null) throw unauthorized('oauth.tokenRevoked');
  const usedAt = (row.last_used_at ?? new Date(0)).getTime();
  return {
    caller: toCaller(row, app.clock.now()),
    secondFactorFrom: row.second_factor_from,
    usedAt,
    sessionUsedAt: row.session_used_at ?? undefined,
    ip: undefined,
  };
}

/** Records in the background that a token is in use, once a day (UTC): the first use of a day counts its user as active. */
function recordTokenUse(app: App, cached: CachedCaller): void {
  const now = app.clock.now();
  if (Math.floor(now.getTime() / dayMs) === Math.floor(cached.usedAt / dayMs)) return;
  cached.usedAt = now.getTime();
  cached.sessionUsedAt &&= now;
  const { tokenId, sessionId, viewer } = cached.caller;
  if (viewer !== undefined) touchUser(app, viewer);
  transaction(app, async (tx) => {
    if (sessionId !== undefined) await recordSessionUse(tx, [sessionId], now);
    await writable(tx.db).updateTable('oauth_tokens').set({ last_used_at: now }).where('id', '=', tokenId).execute();
  }).catch((error: unknown) => {
    if (!reportTemporaryFailure(app, error)) app.log.warn({ err: error }, 'could not record the use of a token');
  });
}

/** Records the address of a user. Only a request from another address than the last one costs more than a comparison. */
function recordAddress(app: App, cached: CachedCaller, ip: string): void {
  if (cached.ip === ip) return;
  cached.ip = ip;
  const { viewer } = cached.caller;
  if (viewer !== undefined) recordUserIp(app, { userId: viewer.userId, ip });
}

const activeTokenRows = preparedQuery<AccessRow>()((db, { ids }: { ids: readonly TokenId[] }) =>
  db
    .selectFrom('oauth_tokens as token')
    .innerJoin('users', 'users.id', 'token.user_id')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select([
      'token.id',
      'users.confirmed_at',
      'users.approved',
      'users.disabled',
      'users.role_id',
      'roles.permissions',
    ])
    .select(['accounts.suspended_at', 'accounts.memorial', secondFactorFromSql.as('second_factor_from')])
    .where('token.revoked_at', 'is', null)
    .where('accounts.deleted_at', 'is', null)
    .where(sql<boolean>`token.id = any(${ids}::bigint[])`),
);

interface AccessRow extends AccessState {
  readonly id: TokenId;
  readonly role_id: RoleId;
  readonly permissions: string;
}

/** The role that the user of a token has now. */
interface CurrentRole {
  readonly roleId: RoleId;
  /** Without those of every user. */
  readonly permissions: bigint;
}

/** Returns those tokens with which a user may use the API now, with the user's role. Reads the database, not the cache. */
export async function listActiveTokens(app: App, ids: readonly TokenId[]): Promise<ReadonlyMap<TokenId, CurrentRole>> {
  const rows = await activeTokenRows(app, { ids });
  return new Map(
    rows
      .filter((row) => refusalOf(row, app.clock.now()) === undefined)
      .map(({ id, role_id: roleId, permissions }) => [id, { roleId, permissions: BigInt(permissions) }]),
  );
}
