import type { Generated, JSONColumnType, Selectable } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, AnyId, Id, RowId } from '../platform/ids.ts';
import type { CallError, PrivacyPolicy } from './schema.ts';

export type ProviderId = Id<'provider'>;
type CallbackId = Id<'provider-callback'>;
export type SubscriptionId = Id<'provider-subscription'>;
export type BackfillId = Id<'provider-backfill'>;
/** What happened to a post or an account. */
export type AnnouncementType = 'new' | 'update' | 'delete';

export interface ProviderTables {
  service_providers: {
    id: ProviderId;
    /** As the provider registered itself. */
    name: string;
    base_url: string;
    /** How the provider names this server: the key id of our signatures. */
    server_id: string;
    /** Raw Ed25519 key. */
    public_key: Buffer;
    private_key_pem: string;
    /** Null: staff have not compared the fingerprint yet. Nothing is exchanged before. */
    confirmed_at: Date | null;
    privacy_policies: JSONColumnType<PrivacyPolicy[], string | undefined, string>;
    sign_in_url: string | null;
    contact_email: string | null;
    fediverse_account: string | null;
    info_fetched_at: Date | null;
    /** Failed calls in a row. */
    failures: Generated<number>;
    failing_since: Date | null;
    last_error: CallError | null;
    last_status: number | null;
    /** Nothing is sent before. */
    retry_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  service_provider_capabilities: {
    provider_id: ProviderId;
    name: string;
    version: string;
    enabled: Generated<boolean>;
    /** What the provider knows of `enabled`. */
    announced: Generated<boolean>;
  };
  /** Signatures of requests by providers that were accepted: each counts once. */
  service_provider_signatures: { provider_id: ProviderId; signature: Buffer; received_at: Date };
  /** The last answers to test calls that staff made. */
  service_provider_callbacks: {
    id: CallbackId;
    provider_id: ProviderId;
    ip: string;
    body: string;
    created_at: Date;
  };
  /** Accounts that providers found for a search. */
  service_provider_results: {
    provider_id: ProviderId;
    search_key: string;
    account_id: AccountId;
    /** As the provider ranks it. */
    place: number;
    found_at: Date;
  };
  /** Accounts that providers recommend to a local account. */
  service_provider_recommendations: {
    provider_id: ProviderId;
    account_id: AccountId;
    target_account_id: AccountId;
    place: number;
    found_at: Date;
  };
  /** What providers want to be notified of. */
  service_provider_subscriptions: {
    id: SubscriptionId;
    provider_id: ProviderId;
    category: 'content' | 'account';
    max_batch_size: number;
    created_at: Date;
  };
  /** Events that wait to be sent. */
  service_provider_announcements: {
    id: RowId;
    subscription_id: SubscriptionId;
    event_type: AnnouncementType;
    /** A status or an account, by the category of the subscription. */
    subject_id: AnyId;
    created_at: Date;
  };
  /** Requests of providers for older posts and accounts. */
  service_provider_backfills: {
    id: BackfillId;
    provider_id: ProviderId;
    category: 'content' | 'account';
    max_count: number;
    /** The ids below it were not sent yet. */
    cursor: AnyId;
    /** `running`: objects are to be sent; `waiting`: for the provider to ask for more; `done`: there are no more. */
    state: 'running' | 'waiting' | 'done';
    created_at: Date;
  };
  /** When providers were asked for recommendations last. */
  service_provider_requests: { account_id: AccountId; requested_at: Date };
}

export type ProviderRow = Selectable<ProviderTables['service_providers']>;
export type CapabilityRow = Selectable<ProviderTables['service_provider_capabilities']>;
export type SubscriptionRow = Selectable<ProviderTables['service_provider_subscriptions']>;
export type AnnouncementRow = Selectable<ProviderTables['service_provider_announcements']>;
export type BackfillRow = Selectable<ProviderTables['service_provider_backfills']>;
export type CallbackRow = Selectable<ProviderTables['service_provider_callbacks']>;

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<ProviderTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends ProviderTables {}
}
