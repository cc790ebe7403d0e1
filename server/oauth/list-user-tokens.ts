import type { App } from '../platform/app.ts';
import type { TokenId, UserId } from '../platform/ids.ts';

/** An access token with which an app acts for a user. The token itself is not stored. */
export interface UserToken {
  readonly id: TokenId;
  /** Null: the app was deleted. */
  readonly app: string | null;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly last_used_ip: string | null;
}

/** Lists the valid tokens of apps for a user, newest first. */
export function listUserTokens({ db }: App, userId: UserId, limit: number): Promise<UserToken[]> {
  return db
    .selectFrom('oauth_tokens')
    .leftJoin('oauth_applications', 'oauth_applications.id', 'oauth_tokens.application_id')
    .select([
      'oauth_tokens.id',
      'oauth_applications.name as app',
      'oauth_tokens.scopes',
      'oauth_tokens.created_at',
      'oauth_tokens.last_used_at',
      'oauth_tokens.last_used_ip',
    ])
    .where('oauth_tokens.user_id', '=', userId)
    .where('oauth_tokens.revoked_at', 'is', null)
    .where('oauth_tokens.session_id', 'is', null)
    .orderBy('oauth_tokens.id', 'desc')
    .limit(limit)
    .execute();
}
