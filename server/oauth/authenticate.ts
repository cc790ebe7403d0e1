import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { transaction } from '../platform/database/transaction.ts';
import { unauthorized } from '../platform/http/http-errors.ts';
import type { Caller } from '../platform/http/routes.ts';
import type { AccountId, ApplicationId, RoleId, TokenId, UserId } from '../platform/ids.ts';
import { reportTemporaryFailure } from '../platform/temporary-failures.ts';
import { everyoneRoleId, hashSecret, refusalOf, touchUser } from '../users/index.ts';
import { callerCache, type CachedCaller } from './caller-cache.ts';
import { parseScopes } from './scopes.ts';

const dayMs = 86_400_000;

interface TokenRow {
  id: TokenId;
  application_id: ApplicationId | null;
  scopes: string;
  revoked_at: Date | null;
  last_used_at: Date | null;
  created_at: Date;
  user_id: UserId | null;
  account_id: AccountId | null;
  role_id: RoleId | null;
  permissions: string | null;
  everyone_permissions: string;
  confirmed_at: Date | null;
  approved: boolean | null;
  disabled: boolean | null;
  suspended_at: Date | null;
  memorial: boolean | null;
  deleted_at: Date | null;
}

const selectTokenByHash = preparedQuery<TokenRow>()((db, { hash }: { hash: Buffer }) =>
  db
    .selectFrom('oauth_tokens as token')
    .leftJoin('users', 'users.id', 'token.user_id')
    .leftJoin('accounts', 'accounts.id', 'users.account_id')
    .leftJoin('roles', 'roles.id', 'users.role_id')
    .leftJoin('roles as everyone', (join) => join.on('everyone.id', '=', everyoneRoleId))
    .select(['token.id', 'token.application_id', 'token.scopes', 'token.revoked_at', 'token.last_used_at'])
    .select(['token.created_at', 'token.user_id', 'users.account_id', 'users.role_id', 'roles.permissions'])
    .select(['users.confirmed_at', 'users.approved', 'users.disabled'])
    .select(['accounts.suspended_at', 'accounts.memorial', 'accounts.deleted_at'])
    .select(sql<string>`coalesce(everyone.permissions, 0)`.as('everyone_permissions'))
    .where('token.token_hash', '=', hash),
);

/**
 * Tells who a bearer token belongs to; undefined when nobody, a 401 with its own text when it was revoked. What it knows
 * is dropped in every process when a token, its user or the user's role changes (`dropCallers`).
 */
export async function authenticate(app: App, token: string): Promise<Caller | undefined> {
  const cached = await callerCache(app).get(token, () => loadCaller(app, hashSecret(token)));
  if (cached === undefined) return undefined;
  recordTokenUse(app, cached);
  return cached.caller;
}

async function loadCaller(app: App, hash: Buffer): Promise<CachedCaller | undefined> {
  const [row] = await selectTokenByHash(app, { hash });
  if (row === undefined || row.deleted_at !== null) return undefined;
  if (row.revoked_at !== null) throw unauthorized('The access token was revoked');
  const usedAt = (row.last_used_at ?? new Date(0)).getTime();
  return { caller: toCaller(row), usedAt };
}

function toCaller(row: TokenRow): Caller {
  const { user_id: userId, account_id: accountId, role_id: roleId } = row;
  const common = {
    tokenId: row.id,
    applicationId: row.application_id ?? undefined,
    scopes: new Set(parseScopes(row.scopes)),
  };
  if (userId === null || accountId === null || roleId === null)
    return { ...common, viewer: undefined, deniedReason: undefined };
  const permissions = BigInt(row.permissions ?? 0) | BigInt(row.everyone_permissions);
  const { confirmed_at, suspended_at } = row;
  const refusal = refusalOf({
    confirmed_at,
    suspended_at,
    approved: row.approved === true,
    disabled: row.disabled === true,
    memorial: row.memorial === true,
  });
  return { ...common, viewer: { userId, accountId, roleId, permissions }, deniedReason: refusal };
}

/** Writes down that a token is in use, at most once a day, without the request waiting for it. */
function recordTokenUse(app: App, cached: CachedCaller): void {
  const now = app.clock.now();
  if (now.getTime() - cached.usedAt < dayMs) return;
  cached.usedAt = now.getTime();
  const { tokenId, viewer } = cached.caller;
  if (viewer !== undefined) touchUser(app, viewer);
  transaction(app, async ({ db }) => {
    await db.updateTable('oauth_tokens').set({ last_used_at: now }).where('id', '=', tokenId).execute();
  }).catch((error: unknown) => {
    if (!reportTemporaryFailure(app, error)) app.log.warn({ err: error }, 'could not note the use of a token');
  });
}
