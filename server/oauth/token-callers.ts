import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { ReadDatabase } from '../platform/database/read-database.ts';
import type { Caller } from '../platform/http/routes.ts';
import { message } from '../platform/i18n/message.ts';
import type { AccountId, ApplicationId, RoleId, SessionId, TokenId, UserId } from '../platform/ids.ts';
import { everyoneRoleId, refusalOf } from '../users/access/index.ts';
import { secondFactorFromSql } from '../users/second-factor/index.ts';
import { extraFieldsOf } from './client-quirks.ts';
import { parseScopes } from './scopes.ts';

/** A token with its app and user. */
export interface TokenRow {
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
  locale: string | null;
  confirmed_at: Date | null;
  approved: boolean | null;
  disabled: boolean | null;
  suspended_at: Date | null;
  memorial: boolean | null;
  second_factor_from: Date | null;
  deleted_at: Date | null;
  application_name: string | null;
  application_website: string | null;
  session_id: SessionId | null;
  session_used_at: Date | null;
}

const selectTokens = (db: ReadDatabase) =>
  db
    .selectFrom('oauth_tokens as token')
    .leftJoin('oauth_applications as app', 'app.id', 'token.application_id')
    .leftJoin('sessions', 'sessions.id', 'token.session_id')
    .leftJoin('users', 'users.id', 'token.user_id')
    .leftJoin('accounts', 'accounts.id', 'users.account_id')
    .leftJoin('roles', 'roles.id', 'users.role_id')
    .leftJoin('roles as everyone', (join) => join.on('everyone.id', '=', everyoneRoleId))
    .select(['token.id', 'token.application_id', 'token.scopes', 'token.revoked_at', 'token.last_used_at'])
    .select(['token.created_at', 'token.user_id', 'users.account_id', 'users.role_id', 'roles.permissions'])
    .select(['users.confirmed_at', 'users.approved', 'users.disabled', 'users.locale'])
    .select(['accounts.suspended_at', 'accounts.memorial', 'accounts.deleted_at'])
    .select(['token.session_id', 'sessions.last_used_at as session_used_at'])
    .select(['app.name as application_name', 'app.website as application_website'])
    .select(secondFactorFromSql.as('second_factor_from'))
    .select(sql<string>`coalesce(everyone.permissions, 0)`.as('everyone_permissions'));

const tokenByHash = preparedQuery<TokenRow>()((db, { hash }: { hash: Buffer }) =>
  selectTokens(db).where('token.token_hash', '=', hash),
);
const tokenById = preparedQuery<TokenRow>()((db, { id }: { id: TokenId }) =>
  selectTokens(db).where('token.id', '=', id).where('token.revoked_at', 'is', null),
);

/** Finds a token by the hash of its secret, with its user; also a revoked one. */
export async function findTokenByHash(app: App, hash: Buffer): Promise<TokenRow | undefined> {
  const [row] = await tokenByHash(app, { hash });
  return row;
}

/** Returns the caller of a token, for work in its name; undefined if it was revoked. Reads no cache. */
export async function loadTokenCaller(app: App, id: TokenId): Promise<Caller | undefined> {
  const [row] = await tokenById(app, { id });
  return row === undefined || row.deleted_at !== null ? undefined : toCaller(row, app.clock.now());
}

/** Returns the caller of a valid token, as of `now`. */
export function toCaller(row: TokenRow, now: Date): Caller {
  const { user_id: userId, account_id: accountId, role_id: roleId } = row;
  const common = {
    tokenId: row.id,
    applicationId: row.application_id ?? undefined,
    scopes: new Set(parseScopes(row.scopes)),
    ...(row.session_id !== null && { sessionId: row.session_id }),
    extraFields: extraFieldsOf(row.application_name, row.application_website),
  };
  if (userId === null || accountId === null || roleId === null)
    return { ...common, viewer: undefined, deniedReason: undefined, locale: undefined };
  const permissions = BigInt(row.permissions ?? 0) | BigInt(row.everyone_permissions);
  const { confirmed_at, suspended_at, second_factor_from } = row;
  const state = {
    confirmed_at,
    suspended_at,
    second_factor_from,
    approved: row.approved === true,
    disabled: row.disabled === true,
    memorial: row.memorial === true,
  };
  const refusal = refusalOf(state, now);
  return {
    ...common,
    viewer: { userId, accountId, roleId, permissions },
    deniedReason: refusal && message(`users.${refusal}`),
    locale: row.locale ?? undefined,
  };
}
