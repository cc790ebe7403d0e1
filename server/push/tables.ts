import type { GeneratedAlways, JSONColumnType } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, PushSubscriptionId, SessionId, TokenId } from '../platform/ids.ts';
import type { PushAlerts, PushPolicy } from './schema.ts';

export interface PushTables {
  push_subscriptions: {
    id: GeneratedAlways<PushSubscriptionId>;
    /** Exactly one of the two: an app with an access token, or a browser with a session. */
    token_id: TokenId | null;
    session_id: SessionId | null;
    account_id: AccountId;
    /** Where the push service of the client receives messages. */
    endpoint: string;
    /** Public key of the client: an uncompressed point on P-256. */
    p256dh: Buffer;
    /** Authentication secret of the client, 16 bytes. */
    auth: Buffer;
    /** Messages are encoded as aes128gcm (RFC 8291); false: as aesgcm, its predecessor. */
    standard: boolean;
    alerts: JSONColumnType<PushAlerts, string, string>;
    policy: PushPolicy;
    /** The access token, encrypted by `sealToken`; null if it is not known, and for a browser. */
    sealed_token: Buffer | null;
    /** Since when no message has been accepted; null after a success. */
    failing_since: Date | null;
    created_at: Date;
    updated_at: Date;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<PushTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends PushTables {}
}
