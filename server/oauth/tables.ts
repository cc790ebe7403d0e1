import type { Generated } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { ApplicationId, SessionId, TokenId, UserId } from '../platform/ids.ts';

export interface OauthTables {
  oauth_applications: {
    id: ApplicationId;
    name: string;
    website: string | null;
    redirect_uris: string[];
    /** Separated by spaces. */
    scopes: string;
    client_id: string;
    client_secret_hash: Buffer;
    created_at: Date;
    /** When a user first authorized it. */
    authorized_at: Generated<Date | null>;
  };
  oauth_grants: {
    code_hash: Buffer;
    application_id: ApplicationId;
    user_id: UserId;
    redirect_uri: string;
    scopes: string;
    code_challenge: string | null;
    expires_at: Date;
    used_at: Date | null;
    token_id: TokenId | null;
  };
  oauth_device_requests: {
    device_code_hash: Buffer;
    /** Without the hyphen. */
    user_code: string;
    application_id: ApplicationId;
    scopes: string;
    /** Who decided; null: nobody yet. */
    user_id: UserId | null;
    approved: boolean | null;
    /** Minimum time between two polls. */
    interval_seconds: number;
    last_polled_at: Date | null;
    expires_at: Date;
  };
  oauth_tokens: {
    id: TokenId;
    token_hash: Buffer;
    application_id: ApplicationId | null;
    /** Null for a token of the client-credentials grant. */
    user_id: UserId | null;
    scopes: string;
    created_at: Date;
    revoked_at: Date | null;
    last_used_at: Date | null;
    last_used_ip: string | null;
    /** The browser session that the token belongs to; null for a token of an app. */
    session_id: Generated<SessionId | null>;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<OauthTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends OauthTables {}
}
