import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { ApplicationId, UserId } from '../../platform/ids.ts';
import { revokeTokens } from '../revoke-tokens.ts';
import { parseScopes } from '../scopes.ts';

/** An app with tokens of a user. */
export interface AuthorizedApplication {
  readonly id: ApplicationId;
  readonly name: string;
  readonly website: string | null;
  /** Scopes of all its tokens. */
  readonly scopes: readonly string[];
  readonly firstAuthorizedAt: Date;
  /** To the day. */
  readonly lastUsedAt: Date | null;
}

/** Lists the apps with tokens of a user, the most recently used first. */
export async function listAuthorizedApplications(app: App, userId: UserId): Promise<AuthorizedApplication[]> {
  const rows = await app.db
    .selectFrom('oauth_tokens as token')
    .innerJoin('oauth_applications as application', 'application.id', 'token.application_id')
    .select(['application.id', 'application.name', 'application.website'])
    .select(sql<string>`string_agg(token.scopes, ' ')`.as('scopes'))
    .select(sql<Date>`min(token.created_at)`.as('first'))
    .select(sql<Date | null>`max(token.last_used_at)`.as('last'))
    .where('token.user_id', '=', userId)
    .where('token.revoked_at', 'is', null)
    .groupBy('application.id')
    .orderBy(sql`max(coalesce(token.last_used_at, token.created_at))`, 'desc')
    .execute();
  return rows.map(({ id, name, website, scopes, first, last }) => ({
    id,
    name,
    website,
    scopes: parseScopes(scopes),
    firstAuthorizedAt: first,
    lastUsedAt: last,
  }));
}

/** Revokes all tokens of a user for an app. Idempotent. */
export async function revokeApplication(app: App, userId: UserId, applicationId: ApplicationId): Promise<void> {
  await transaction(app, (tx) => revokeTokens(tx, { userId, applicationId }));
}
