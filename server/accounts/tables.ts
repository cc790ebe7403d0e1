import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, RowId } from '../platform/ids.ts';
import type { FeatureAudience } from './present/feature-approval.ts';

export type ActorType = 'Person' | 'Service' | 'Group' | 'Application' | 'Organization';

/** A profile field. The value is as typed (local) or safe HTML (remote). */
export interface ProfileField {
  readonly name: string;
  readonly value: string;
  /** ISO time when the page was found to link back (rel=me); null if it was not. */
  readonly verified_at: string | null;
}

export interface AccountTables {
  accounts: {
    id: AccountId;
    username: string;
    /** Null for a local account; otherwise lower case, punycode. */
    domain: string | null;
    uri: string;
    url: string | null;
    actor_type: Generated<ActorType>;
    display_name: Generated<string>;
    /** As typed (local) or safe HTML (remote). */
    note: Generated<string>;
    fields: JSONColumnType<ProfileField[], string | undefined, string>;
    locked: Generated<boolean>;
    /** Null for a remote account that does not define it. */
    discoverable: boolean | null;
    indexable: Generated<boolean>;
    hide_collections: boolean | null;
    show_media: Generated<boolean>;
    show_media_replies: Generated<boolean>;
    show_featured: Generated<boolean>;
    memorial: Generated<boolean>;
    avatar_key: string | null;
    /** Still version of an animated avatar; the same key if it is not animated. */
    avatar_static_key: string | null;
    header_key: string | null;
    header_static_key: string | null;
    avatar_remote_url: string | null;
    header_remote_url: string | null;
    avatar_description: Generated<string>;
    header_description: Generated<string>;
    also_known_as: Generated<string[]>;
    attribution_domains: Generated<string[]>;
    moved_to_account_id: AccountId | null;
    inbox_url: string | null;
    shared_inbox_url: string | null;
    outbox_url: string | null;
    followers_url: string | null;
    following_url: string | null;
    featured_url: string | null;
    featured_tags_url: string | null;
    /** Address of its list of collections; remote accounts. */
    featured_collections_url: string | null;
    /** Feature policy of a remote account; null: none. */
    feature_automatic: FeatureAudience[] | null;
    feature_manual: FeatureAudience[] | null;
    protocol: Generated<'activitypub' | 'ostatus'>;
    silenced_at: Date | null;
    /** Origin of the limit: staff, or the block of its domain. */
    silence_origin: 'local' | 'domain' | null;
    sensitized_at: Date | null;
    suspended_at: Date | null;
    /** Origin of the suspension: staff, its own server, or the block of its domain. */
    suspension_origin: 'local' | 'remote' | 'domain' | null;
    /** Local accounts: false until the user is confirmed and approved. The account is invisible until then. */
    activated: Generated<boolean>;
    created_at: Date;
    updated_at: Date;
    fetched_at: Date | null;
    /** Remote accounts: when the totals, pinned posts and hashtags in its collections were last fetched. */
    collections_fetched_at: Date | null;
    deleted_at: Date | null;
    /** Ranks it among others of a similar name: the logarithm of its followers, less for silent months. See `refreshPopularity`. */
    popularity: Generated<number>;
  };
  /** How far the outbox of a remote account was read. */
  outbox_reads: {
    account_id: AccountId;
    /** Start of the last read of its newest posts. */
    started_at: Date;
    /** Number of reads of older posts since then. */
    older_reads: Generated<number>;
    /** Page where reading goes on; null at the end of the outbox. */
    next_page: string | null;
    /** Number of items of that page that were read. */
    next_offset: Generated<number>;
    /** Times of the newest and the oldest post that were read. There is no gap between them. */
    newest_at: Date | null;
    reached_at: Date | null;
  };
  /** A row exists for every account. */
  account_stats: {
    account_id: AccountId;
    statuses_count: Generated<number>;
    followers_count: Generated<number>;
    following_count: Generated<number>;
    local_followers_count: Generated<number>;
    last_status_at: Date | null;
    /** Incremented by every statement that changes the row (docs/decisions/0028). */
    version: Generated<number>;
  };
  account_keys: {
    id: GeneratedAlways<string>;
    account_id: AccountId;
    key_id: string;
    public_key_pem: string;
    private_key_pem: string | null;
    /** When a key of a remote account expires by its actor document. */
    expires_at: Date | null;
    created_at: Generated<Date>;
  };
  /** Moves of local and remote accounts. */
  account_moves: { id: RowId; account_id: AccountId; target_account_id: AccountId; created_at: Date };
  /** Private notes of accounts about others (ACC-11). */
  account_notes: { account_id: AccountId; target_account_id: AccountId; comment: string };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<AccountTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends AccountTables {}
}
