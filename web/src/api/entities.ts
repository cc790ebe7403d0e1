// The entities of the API, generated from the server's routes: `node bin/run.mjs server/cli/entity-types.ts` writes this file.

export interface Account {
  readonly id: string;
  readonly username: string;
  readonly acct: string;
  readonly url: string;
  readonly uri: string;
  readonly display_name: string;
  /** HTML */
  readonly note: string;
  readonly avatar: string;
  readonly avatar_static: string;
  readonly avatar_description: string;
  readonly header: string;
  readonly header_static: string;
  readonly header_description: string;
  readonly locked: boolean;
  readonly fields: readonly AccountField[];
  readonly emojis: readonly CustomEmoji[];
  readonly bot: boolean;
  readonly group: boolean;
  readonly discoverable: boolean | null;
  readonly indexable: boolean;
  readonly noindex?: boolean;
  readonly memorial?: boolean;
  readonly suspended?: boolean;
  readonly limited?: boolean;
  readonly created_at: string;
  readonly last_status_at: string | null;
  readonly statuses_count: number;
  readonly followers_count: number;
  readonly following_count: number;
  readonly hide_collections: boolean | null;
  readonly show_media: boolean;
  readonly show_media_replies: boolean;
  readonly show_featured: boolean;
  readonly roles?: readonly AccountRole[];
  readonly feature_approval: FeatureApproval;
  /** Only while the server permits e-mail subscriptions */
  readonly email_subscriptions?: boolean;
  readonly moved?: MovedAccount;
}

export interface AccountField {
  readonly name: string;
  /** HTML */
  readonly value: string;
  readonly verified_at: string | null;
}

export interface AccountRole {
  readonly id: string;
  readonly name: string;
  readonly color: string;
}

export interface AccountSecurity {
  readonly email: string;
  /** The address that replaces the other one once it is confirmed */
  readonly unconfirmed_email: string | null;
  /** Whether sign-in asks for a code of an authenticator app */
  readonly has_totp: boolean;
  readonly passkeys_count: number;
  /** When the roles of the user begin to require a second factor, if there is none; null if they do not */
  readonly second_factor_required_from: string | null;
  /** Recovery codes that were not used */
  readonly recovery_codes_count: number;
  /** Whether the role of the user has invites */
  readonly may_invite: boolean;
}

export interface AccountWarning {
  readonly id: string;
  readonly action: 'none' | 'disable' | 'mark_statuses_as_sensitive' | 'delete_statuses' | 'sensitive' | 'silence' | 'suspend';
  readonly text: string;
  readonly status_ids: readonly string[] | null;
  readonly target_account: Account;
  readonly appeal: Appeal | null;
  readonly created_at: string;
}

export interface AdminAccount {
  readonly id: string;
  readonly username: string;
  readonly domain: string | null;
  readonly created_at: string;
  /** Null for a remote account */
  readonly email: string | null;
  /** The most recent of `ips` */
  readonly ip: string | null;
  /** Null for a remote account */
  readonly ips: readonly AdminIp[] | null;
  /** Null for a remote account */
  readonly locale: string | null;
  readonly invite_request: string | null;
  /** Null for a remote account */
  readonly role: Role | null;
  /** Null for a remote account */
  readonly confirmed: boolean | null;
  /** Null for a remote account */
  readonly approved: boolean | null;
  /** Null for a remote account */
  readonly disabled: boolean | null;
  readonly sensitized: boolean;
  readonly silenced: boolean;
  readonly suspended: boolean;
  readonly account: Account;
  /** The address that replaces the other one once it is confirmed */
  readonly unconfirmed_email?: string;
  readonly created_by_application_id?: string;
  readonly invited_by_account_id?: string;
}

export interface AdminAnnouncement {
  readonly id: string;
  /** Safe HTML */
  readonly content: string;
  readonly starts_at: string | null;
  readonly ends_at: string | null;
  readonly all_day: boolean;
  readonly published_at: string | null;
  readonly updated_at: string;
  readonly mentions: readonly ({
    readonly id: string;
    readonly username: string;
    readonly url: string;
    readonly acct: string;
  })[];
  readonly statuses: readonly Status[];
  readonly tags: readonly ({
    readonly name: string;
    readonly url: string;
  })[];
  readonly emojis: readonly CustomEmoji[];
  readonly reactions: readonly ({
    /** A Unicode emoji, or the shortcode of a custom emoji */
    readonly name: string;
    readonly count: number;
    readonly me?: boolean;
    readonly url?: string;
    readonly static_url?: string;
  })[];
  /** As typed */
  readonly text: string;
  /** Whether users see it */
  readonly published: boolean;
  /** Staff have not published it, or withdrew it */
  readonly draft: boolean;
  readonly scheduled_at: string | null;
  readonly created_at: string;
}

export interface AdminCanonicalEmailBlock {
  readonly id: string;
  /** SHA-256 of the canonical address in hexadecimal */
  readonly canonical_email_hash: string;
}

export interface AdminCohort {
  readonly period: string;
  readonly frequency: 'day' | 'month';
  readonly data: readonly ({
    readonly date: string;
    /** From 0 to 1 */
    readonly rate: number;
    readonly value: string;
  })[];
}

export interface AdminDimension {
  readonly key: string;
  readonly data: readonly ({
    readonly key: string;
    readonly human_key: string;
    readonly value: string;
    readonly unit?: string;
    readonly human_value?: string;
  })[];
}

export interface AdminDomainAllow {
  readonly id: string;
  readonly domain: string;
  readonly created_at: string;
}

export interface AdminDomainBlock {
  readonly id: string;
  readonly domain: string;
  /** SHA-256 of the domain, in hexadecimal */
  readonly digest: string;
  readonly created_at: string;
  readonly severity: 'noop' | 'silence' | 'suspend';
  readonly reject_media: boolean;
  readonly reject_reports: boolean;
  readonly private_comment: string | null;
  readonly public_comment: string | null;
  readonly obfuscate: boolean;
}

export interface AdminEmailDomainBlock {
  readonly id: string;
  readonly domain: string;
  readonly created_at: string;
  /** The last seven days, latest first */
  readonly history: readonly ({
    /** Unix time of its begin in UTC, in seconds */
    readonly day: string;
    /** Number of IP addresses */
    readonly accounts: string;
    /** Number of sign-ups that the block caught */
    readonly uses: string;
  })[];
  /** Sign-ups wait for approval instead of being refused */
  readonly allow_with_approval: boolean;
}

export interface AdminIp {
  readonly ip: string;
  readonly used_at: string;
}

export interface AdminIpBlock {
  readonly id: string;
  /** A network, such as 192.0.2.0/24 */
  readonly ip: string;
  /** no_access refuses every request */
  readonly severity: 'sign_up_requires_approval' | 'sign_up_block' | 'no_access';
  readonly comment: string;
  readonly created_at: string;
  readonly expires_at: string | null;
}

export interface AdminMeasure {
  readonly key: string;
  /** bytes, or null for plain numbers */
  readonly unit: string | null;
  /** Of the range, or of all time if there is no previous_total */
  readonly total: string;
  /** The total for people, if it has a unit */
  readonly human_value?: string;
  /** Of the range of the same length before */
  readonly previous_total?: string;
  readonly data: readonly ({
    readonly date: string;
    readonly value: string;
  })[];
}

export interface AdminReport {
  readonly id: string;
  readonly action_taken: boolean;
  readonly action_taken_at: string | null;
  readonly category: 'spam' | 'legal' | 'violation' | 'other';
  readonly comment: string;
  readonly forwarded: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly account: AdminAccount;
  readonly target_account: AdminAccount;
  readonly assigned_account: AdminAccount | null;
  /** Null for the command line */
  readonly action_taken_by_account: AdminAccount | null;
  /** Deleted ones as they were when they were reported */
  readonly statuses: readonly Status[];
  readonly rules: readonly Rule[];
}

export interface AdminTag {
  /** Empty for an unused hashtag */
  readonly id: string;
  /** In its first spelling, without # */
  readonly name: string;
  readonly url: string;
  /** The last seven days, newest first; `day` is the Unix time of its start (UTC) */
  readonly history: readonly ({
    readonly day: string;
    readonly uses: string;
    readonly accounts: string;
  })[];
  readonly following?: boolean;
  readonly featuring?: boolean;
  readonly trendable: boolean;
  readonly usable: boolean;
  /** Shown in search and suggestions */
  readonly listable: boolean;
  /** Staff have not decided yet */
  readonly requires_review: boolean;
}

export interface AdminTrendsLink {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly language: string | null;
  readonly type: 'link' | 'photo' | 'video' | 'rich';
  readonly author_name: string;
  readonly author_url: string;
  readonly provider_name: string;
  readonly provider_url: string;
  readonly html: string;
  readonly width: number;
  readonly height: number;
  readonly image: string | null;
  readonly image_description: string;
  readonly embed_url: string;
  readonly blurhash: string | null;
  readonly published_at: string | null;
  readonly authors: readonly PreviewCardAuthor[];
  readonly missing_attribution?: boolean;
  /** The last seven days, newest first; `day` is the Unix time of its start (UTC) */
  readonly history: readonly ({
    readonly day: string;
    readonly uses: string;
    readonly accounts: string;
  })[];
  readonly id: number;
  /** Staff have not decided yet */
  readonly requires_review: boolean;
}

export interface AdminTrendsLinksPreviewCardProvider {
  readonly id: number;
  readonly domain: string;
  readonly trendable: boolean | null;
  readonly reviewed_at: string | null;
  readonly requested_review_at: string | null;
  /** Staff have not decided yet */
  readonly requires_review: boolean;
}

export interface AdminTrendsStatus {
  readonly id: string;
  readonly uri: string;
  readonly created_at: string;
  readonly account: Account;
  readonly content: string;
  readonly visibility: 'public' | 'unlisted' | 'private' | 'direct';
  readonly sensitive: boolean;
  readonly spoiler_text: string;
  readonly media_attachments: readonly MediaAttachment[];
  readonly application?: {
    readonly name: string;
    readonly website: string | null;
  } | null;
  readonly mentions: readonly StatusMention[];
  readonly tags: readonly ({
    readonly name: string;
    readonly url: string;
  })[];
  readonly emojis: readonly CustomEmoji[];
  readonly reblogs_count: number;
  readonly favourites_count: number;
  readonly quotes_count: number;
  readonly replies_count: number;
  readonly url: string | null;
  readonly in_reply_to_id: string | null;
  readonly in_reply_to_account_id: string | null;
  readonly poll: Poll | null;
  readonly card: PreviewCard | null;
  readonly quote_approval: QuoteApproval;
  readonly interaction_policy?: InteractionPolicy;
  readonly reactions: readonly StatusReaction[];
  readonly tagged_collections: readonly Collection[];
  readonly language: string | null;
  readonly edited_at: string | null;
  readonly favourited?: boolean;
  readonly reblogged?: boolean;
  readonly bookmarked?: boolean;
  readonly muted?: boolean;
  readonly held_for_review?: boolean;
  readonly pinned?: boolean;
  readonly filtered?: readonly FilterResult[];
  readonly quote: Quote | null;
  readonly reblog: RebloggedStatus | null;
  /** Staff have not decided yet */
  readonly requires_review: boolean;
}

export interface Alias {
  readonly uri: string;
  /** Null for an account that is no longer known */
  readonly acct: string | null;
}

export interface Announcement {
  readonly id: string;
  /** Safe HTML */
  readonly content: string;
  readonly starts_at: string | null;
  readonly ends_at: string | null;
  readonly all_day: boolean;
  readonly published_at: string | null;
  readonly updated_at: string;
  readonly mentions: readonly ({
    readonly id: string;
    readonly username: string;
    readonly url: string;
    readonly acct: string;
  })[];
  readonly statuses: readonly Status[];
  readonly tags: readonly ({
    readonly name: string;
    readonly url: string;
  })[];
  readonly emojis: readonly CustomEmoji[];
  readonly reactions: readonly ({
    /** A Unicode emoji, or the shortcode of a custom emoji */
    readonly name: string;
    readonly count: number;
    readonly me?: boolean;
    readonly url?: string;
    readonly static_url?: string;
  })[];
  /** Whether the viewer dismissed it */
  readonly read?: boolean;
}

export interface AnnualReport {
  readonly year: number;
  readonly data: {
    readonly archetype: 'lurker' | 'booster' | 'pollster' | 'replier' | 'oracle';
    readonly time_series: readonly ({
      readonly month: number;
      readonly statuses: number;
      readonly followers: number;
    })[];
    readonly top_hashtags: readonly ({
      readonly name: string;
      readonly count: number;
    })[];
    readonly top_statuses: {
      readonly by_reblogs: string | null;
      readonly by_favourites: string | null;
      readonly by_replies: string | null;
    };
  };
  readonly schema_version: number;
  readonly share_url: string | null;
  readonly account_id: string;
}

export interface Appeal {
  readonly text: string;
  readonly state: 'approved' | 'rejected' | 'pending';
}

export interface Application {
  readonly id: string;
  readonly name: string;
  readonly website: string | null;
  readonly scopes: readonly string[];
  readonly redirect_uris: readonly string[];
  readonly redirect_uri: string;
  readonly vapid_key: string;
}

export interface Archive {
  readonly id: string;
  readonly state: 'waiting' | 'building' | 'ready' | 'failed' | 'expired' | 'deleted';
  /** Posts and boosts that are in the archive so far */
  readonly posts_written: number;
  /** Posts and boosts of the account when the archive was begun; null before */
  readonly posts_total: number | null;
  /** Bytes of the file */
  readonly size: number | null;
  readonly problem: 'failed' | 'suspended' | null;
  readonly requested_at: string;
  readonly finished_at: string | null;
  /** Until when the file can be downloaded */
  readonly expires_at: string | null;
  /** When the next archive can be requested; null if this one does not limit it */
  readonly next_request_at: string | null;
}

export interface AsyncRefresh {
  readonly id: string;
  readonly status: 'running' | 'finished';
  /** Null if not counted */
  readonly result_count: number | null;
}

export interface AuthorizedApplication {
  readonly id: string;
  readonly name: string;
  readonly website: string | null;
  readonly scopes: readonly string[];
  /** When the user first allowed it */
  readonly created_at: string;
  /** To the day */
  readonly last_used_at: string | null;
}

export interface BookmarkFolder {
  readonly id: string;
  readonly name: string;
  /** Place among the folders, from 0 */
  readonly position: number;
}

export interface Collection {
  readonly id: string;
  readonly account_id: string;
  readonly uri: string;
  readonly url: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly language: string | null;
  readonly local: boolean;
  readonly sensitive: boolean;
  readonly discoverable: boolean;
  readonly tag: {
    readonly name: string;
    readonly url: string;
  } | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly item_count: number;
  readonly items: readonly CollectionItem[];
}

export interface CollectionItem {
  readonly id: string;
  readonly account_id?: string;
  readonly state: 'pending' | 'accepted' | 'rejected' | 'revoked';
  readonly created_at: string;
}

export interface CollectionWithAccounts {
  readonly accounts: readonly Account[];
  readonly collection: Collection;
}

export interface Collections {
  readonly collections: readonly Collection[];
}

export interface Context {
  readonly ancestors: readonly Status[];
  readonly descendants: readonly Status[];
}

export interface Conversation {
  readonly id: string;
  readonly unread: boolean;
  readonly accounts: readonly Account[];
  readonly last_status: Status | null;
}

export type CredentialAccount = Account & {
  readonly source: {
    readonly note: string;
    readonly fields: readonly ({
      readonly name: string;
      readonly value: string;
      readonly verified_at: string | null;
    })[];
    readonly privacy: string;
    readonly sensitive: boolean;
    readonly language: string | null;
    readonly quote_policy: string;
    /** Content type of posts whose app does not name one */
    readonly status_content_type: string;
    readonly follow_requests_count: number;
    readonly attribution_domains: readonly string[];
    readonly hide_collections: boolean | null;
    readonly discoverable: boolean | null;
    readonly indexable: boolean;
  };
  readonly role: Role;
};

export interface CredentialApplication {
  readonly id: string;
  readonly name: string;
  readonly website: string | null;
  readonly scopes: readonly string[];
  readonly redirect_uris: readonly string[];
  readonly redirect_uri: string;
  readonly vapid_key: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly client_secret_expires_at: number;
}

export interface CredentialWebhook {
  readonly id: string;
  readonly url: string;
  /** failing: the last attempts failed, and more follow. disabled: nothing is sent or stored */
  readonly state: 'active' | 'failing' | 'disabled';
  /** gone: the address answered 410. failures: nothing was accepted for three days */
  readonly disabled_reason: 'owner' | 'failures' | 'gone' | null;
  readonly failing_since: string | null;
  readonly last_delivered_at: string | null;
  /** Events that were lost because 1,000 others were waiting */
  readonly dropped_events: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly events: readonly ('status.created' | 'status.updated' | 'status.deleted' | 'notification.created' | 'follow.created' | 'follower.created')[];
  /** The key of the signatures: `whsec_` and base64 (Standard Webhooks) */
  readonly secret: string;
}

export interface CustomEmoji {
  readonly shortcode: string;
  readonly url: string;
  readonly static_url: string;
  readonly visible_in_picker: boolean;
}

export interface DefaultInteractionPolicies {
  readonly public: InteractionPolicy;
  readonly unlisted: InteractionPolicy;
  readonly private: InteractionPolicy;
  readonly direct: InteractionPolicy;
}

export interface DeletedStatus {
  readonly id: string;
  readonly uri: string;
  readonly created_at: string;
  readonly account: Account;
  readonly visibility: 'public' | 'unlisted' | 'private' | 'direct';
  readonly sensitive: boolean;
  readonly spoiler_text: string;
  readonly media_attachments: readonly MediaAttachment[];
  readonly application?: {
    readonly name: string;
    readonly website: string | null;
  } | null;
  readonly mentions: readonly StatusMention[];
  readonly tags: readonly ({
    readonly name: string;
    readonly url: string;
  })[];
  readonly emojis: readonly CustomEmoji[];
  readonly reblogs_count: number;
  readonly favourites_count: number;
  readonly quotes_count: number;
  readonly replies_count: number;
  readonly url: string | null;
  readonly in_reply_to_id: string | null;
  readonly in_reply_to_account_id: string | null;
  readonly poll: Poll | null;
  readonly card: PreviewCard | null;
  readonly quote_approval: QuoteApproval;
  readonly interaction_policy?: InteractionPolicy;
  readonly reactions: readonly StatusReaction[];
  readonly tagged_collections: readonly Collection[];
  readonly language: string | null;
  readonly edited_at: string | null;
  readonly favourited?: boolean;
  readonly reblogged?: boolean;
  readonly bookmarked?: boolean;
  readonly muted?: boolean;
  readonly held_for_review?: boolean;
  readonly pinned?: boolean;
  readonly filtered?: readonly FilterResult[];
  readonly quote: Quote | null;
  readonly text: string;
  readonly content_type: 'text/plain' | 'text/markdown';
  readonly reblog: RebloggedStatus | null;
}

export interface DeviceAuthorization {
  /** With which the device polls at the token endpoint */
  readonly device_code: string;
  /** Which the user enters at verification_uri */
  readonly user_code: string;
  readonly verification_uri: string;
  /** With the user code, for a QR code */
  readonly verification_uri_complete: string;
  /** Seconds */
  readonly expires_in: number;
  /** Minimum seconds between two polls */
  readonly interval: number;
}

export interface DomainBlock {
  /** May be partly masked */
  readonly domain: string;
  /** SHA-256 of the unmasked domain, in hexadecimal */
  readonly digest: string;
  readonly severity: 'silence' | 'suspend';
  readonly comment: string | null;
}

export interface DomainBlockPreview {
  readonly following_count: number;
  readonly followers_count: number;
}

export interface Draft {
  readonly id: string;
  /** Raised by each change */
  readonly version: number;
  readonly posts: readonly DraftPost[];
  readonly in_reply_to_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface DraftPost {
  readonly text?: string;
  readonly content_type?: 'text/plain' | 'text/markdown';
  readonly spoiler_text?: string;
  readonly visibility?: 'public' | 'unlisted' | 'private' | 'direct';
  readonly sensitive?: boolean;
  readonly language?: string;
  /** Without files that were deleted or posted meanwhile */
  readonly media_ids: readonly string[];
  readonly poll?: PollInput;
  /** The status to quote */
  readonly quoted_status_id?: string;
  readonly quote_approval_policy?: 'public' | 'followers' | 'nobody';
  readonly interaction_policy?: {
    readonly can_favourite?: {
      readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `automatic_approval` */
      readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `manual_approval` */
      readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
    };
    readonly can_reply?: {
      readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `automatic_approval` */
      readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `manual_approval` */
      readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
    };
    readonly can_reblog?: {
      readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `automatic_approval` */
      readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `manual_approval` */
      readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
    };
  };
  readonly allowed_mentions?: readonly string[];
  readonly media_attachments: readonly MediaAttachment[];
}

export interface ErrorBody {
  /** In English; clients show it unchanged */
  readonly error: string;
  /** The errors of each field */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface ExportCounts {
  readonly following: number;
  readonly followers: number;
  readonly lists: number;
  readonly blocks: number;
  readonly mutes: number;
  readonly domain_blocks: number;
  readonly bookmarks: number;
}

export interface ExportedFilter {
  readonly title: string;
  readonly context: readonly ('home' | 'notifications' | 'public' | 'thread' | 'account')[];
  readonly filter_action?: 'warn' | 'hide' | 'blur';
  readonly expires_at?: string | null;
  readonly keywords?: readonly ({
    readonly keyword: string;
    readonly whole_word?: boolean;
  })[];
  /** URIs of single posts */
  readonly statuses?: readonly string[];
}

export interface ExtendedDescription {
  readonly updated_at: string | null;
  readonly content: string;
}

export interface FamiliarFollowers {
  readonly id: string;
  readonly accounts: readonly Account[];
}

export interface FeatureApproval {
  readonly automatic: readonly ('public' | 'followers' | 'following' | 'unsupported_policy')[];
  readonly manual: readonly ('public' | 'followers' | 'following' | 'unsupported_policy')[];
  readonly current_user: 'automatic' | 'manual' | 'denied' | 'unknown' | 'missing';
}

export interface FeaturedTag {
  readonly id: string;
  readonly name: string;
  /** The page of the posts of this account with the hashtag */
  readonly url: string;
  readonly statuses_count: string;
  readonly last_status_at: string | null;
}

export interface FeedAccess {
  readonly local: 'public' | 'authenticated' | 'disabled';
  readonly remote: 'public' | 'authenticated' | 'disabled';
}

export interface FieldfareAdminAccountNote {
  readonly id: string;
  readonly content: string;
  readonly created_at: string;
  /** Null for the command line, and after the account of the author was deleted */
  readonly staff_account_id: string | null;
}

export interface FieldfareAdminAppeal {
  readonly id: string;
  readonly state: 'pending' | 'approved' | 'rejected';
  readonly text: string;
  readonly created_at: string;
  readonly decided_at: string | null;
  readonly strike: AccountWarning;
}

export interface FieldfareAdminCredentialWebhook {
  readonly id: string;
  readonly url: string;
  /** failing: the last attempts failed, and more follow. disabled: nothing is sent or stored */
  readonly state: 'active' | 'failing' | 'disabled';
  /** gone: the address answered 410. failures: nothing was accepted for three days */
  readonly disabled_reason: 'owner' | 'failures' | 'gone' | null;
  readonly failing_since: string | null;
  readonly last_delivered_at: string | null;
  /** Events that were lost because 1,000 others were waiting */
  readonly dropped_events: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly events: readonly ('account.approved' | 'account.created' | 'account.updated' | 'held_post.created' | 'report.created' | 'report.updated' | 'status.created' | 'status.updated')[];
  /** The body, with variables such as {{object.id}}; null: the whole Admin::WebhookEvent */
  readonly template: string | null;
  /** The key of the signatures in X-Hub-Signature */
  readonly secret: string;
}

export interface FieldfareAdminCustomEmoji {
  readonly id: string;
  readonly shortcode: string;
  readonly url: string;
  readonly static_url: string;
  readonly visible_in_picker: boolean;
  /** null: local */
  readonly domain: string | null;
  readonly category: string | null;
  /** Texts show its shortcode */
  readonly disabled: boolean;
  /** The local emoji with the same shortcode */
  readonly local_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface FieldfareAdminCustomEmojiBatch {
  /** The given emojis that still exist, in the given order */
  readonly emojis: readonly FieldfareAdminCustomEmoji[];
  /** The emojis that were not changed */
  readonly errors: readonly ({
    readonly id: string;
    /** Why it was not changed, in the language of the account */
    readonly error: string;
  })[];
}

export interface FieldfareAdminFederationQueue {
  readonly direction: 'deliveries' | 'received';
  readonly state: 'waiting' | 'retrying' | 'paused' | 'exhausted';
  readonly activities: number;
  /** When the first of them is due, or was */
  readonly first_due_at: string | null;
}

export interface FieldfareAdminHost {
  /** With its port if that is not the usual one */
  readonly domain: string;
  readonly software: string | null;
  /** Failed deliveries since the last success */
  readonly failures: number;
  /** When deliveries began to fail; null: they do not */
  readonly failing_since: string | null;
  /** Of a delivery */
  readonly last_success_at: string | null;
  /** Of a delivery */
  readonly last_failure_at: string | null;
  /** Until when deliveries wait; null: nothing holds them back */
  readonly next_attempt_at: string | null;
  /** When staff stopped deliveries to it; null: they did not */
  readonly paused_at: string | null;
  /** Deliveries failed for a week: it is sent nothing new until it sends something */
  readonly dead: boolean;
  /** Activities that wait to be delivered to it, counted up to 10,000 */
  readonly deliveries: number;
  /** Of the waiting delivery that was attempted last */
  readonly last_error: string | null;
  /** Activities from it that could not be processed */
  readonly failed_received: number;
}

export interface FieldfareAdminInvite {
  readonly id: string;
  readonly code: string;
  readonly url: string;
  /** The user who invites */
  readonly account_id: string;
  readonly username: string;
  /** null: any number */
  readonly max_uses: number | null;
  readonly uses: number;
  readonly expires_at: string | null;
  /** Neither used up nor expired, and its user may use the server */
  readonly usable: boolean;
  /** Whether its sign-ups need no approval by staff */
  readonly bypasses_approval: boolean;
  /** Note for staff */
  readonly comment: string | null;
  readonly created_at: string;
}

export interface FieldfareAdminJob {
  readonly id: string;
  readonly queue: string;
  /** Such as media.process; or of the event to which reactions are left */
  readonly name: string;
  /** Those to an event that did not run yet */
  readonly reactions: readonly string[] | null;
  readonly state: 'waiting' | 'running' | 'retrying' | 'exhausted';
  /** The server with which it deals */
  readonly host: string | null;
  readonly attempts: number;
  /** When it is due */
  readonly run_at: string;
  readonly last_error: string | null;
}

export interface FieldfareAdminJobCount {
  readonly queue: string;
  readonly state: 'waiting' | 'running' | 'retrying' | 'exhausted';
  readonly jobs: number;
  readonly first_due_at: string;
}

export interface FieldfareAdminRole {
  readonly id: string;
  /** Empty for the role of every user */
  readonly name: string;
  /** Hexadecimal with #, or empty */
  readonly color: string;
  /** Staff act on users and roles below their own position */
  readonly position: number;
  /** Names, without those of the role of every user */
  readonly permissions: readonly string[];
  /** Whether profiles show it as a badge */
  readonly highlighted: boolean;
  readonly collection_limit: number;
  readonly require_two_factor: boolean;
  /** The day from whose start, in UTC, a second factor is required; null: it is already */
  readonly require_two_factor_from: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface FieldfareAdminRule {
  readonly id: string;
  readonly text: string;
  readonly hint: string;
  readonly translations: Readonly<Record<string, {
    readonly text: string;
    readonly hint: string;
  }>>;
  /** Rules are listed by position, then by age */
  readonly position: number;
}

export interface FieldfareAdminSetting {
  readonly name: string;
  /** html is sanitized. list: texts in their order */
  readonly type: 'text' | 'html' | 'css' | 'choice' | 'boolean' | 'list';
  /** The values of a choice */
  readonly choices: readonly string[] | null;
  /** Characters of a text, items of a list */
  readonly max_length: number | null;
  readonly default: boolean | readonly string[] | string;
  readonly value: boolean | readonly string[] | string;
}

export interface FieldfareAdminSiteImage {
  readonly name: 'thumbnail' | 'icon';
  /** Whether it is the image that comes with Fieldfare */
  readonly bundled: boolean;
  /** Alternative text */
  readonly description: string | null;
  /** URLs by size or pixel density */
  readonly versions: Readonly<Record<string, string>>;
}

export interface FieldfareAdminTermsOfService {
  readonly effective_date: string;
  /** Safe HTML */
  readonly content: string;
  /** What changed, as plain text; may be empty */
  readonly changelog: string;
  /** Whether its day has come */
  readonly effective: boolean;
  /** Day from which the next version applies */
  readonly succeeded_by: string | null;
  /** Whether users were notified of it by mail */
  readonly announced: boolean;
}

export interface FieldfareAdminTermsOfServiceDraft {
  /** Safe HTML */
  readonly content: string;
  /** What changed, as plain text; may be empty */
  readonly changelog: string;
  /** null: the day of its publication */
  readonly effective_date: string | null;
}

export interface FieldfareAdminWarningPreset {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface FieldfareAdminWebhook {
  readonly id: string;
  readonly url: string;
  /** failing: the last attempts failed, and more follow. disabled: nothing is sent or stored */
  readonly state: 'active' | 'failing' | 'disabled';
  /** gone: the address answered 410. failures: nothing was accepted for three days */
  readonly disabled_reason: 'owner' | 'failures' | 'gone' | null;
  readonly failing_since: string | null;
  readonly last_delivered_at: string | null;
  /** Events that were lost because 1,000 others were waiting */
  readonly dropped_events: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly events: readonly ('account.approved' | 'account.created' | 'account.updated' | 'held_post.created' | 'report.created' | 'report.updated' | 'status.created' | 'status.updated')[];
  /** The body, with variables such as {{object.id}}; null: the whole Admin::WebhookEvent */
  readonly template: string | null;
}

export interface FieldfareAdminWebhookDelivery {
  readonly id: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly response_status: number | null;
  /** Why there was no response: timeout, unreachable, refused for a private address, or internal for an error of this server */
  readonly error: string | null;
  readonly created_at: string;
  readonly last_attempt_at: string | null;
  readonly event: 'account.approved' | 'account.created' | 'account.updated' | 'held_post.created' | 'report.created' | 'report.updated' | 'status.created' | 'status.updated';
}

export interface FieldfareAuditEntry {
  readonly id: string;
  readonly created_at: string;
  /** Null for the command line. The id is null after the account was deleted */
  readonly staff: {
    readonly id: string | null;
    readonly username: string;
  } | null;
  /** Kind of target and verb, such as domain_block.create */
  readonly action: string;
  readonly target: {
    readonly type: string;
    readonly id: string | null;
    /** What people call the target, such as name@domain */
    readonly label: string;
  };
  /** The properties that changed, before. Null if the target is new, or the account was deleted since */
  readonly before: Readonly<Record<string, unknown>> | null;
  /** The same properties after. Null if the target was deleted, or the account was deleted since */
  readonly after: Readonly<Record<string, unknown>> | null;
}

export interface FieldfareDomainAllowImport {
  /** Number of domains that were allowed; 0 in a preview */
  readonly applied: number;
  readonly domains: readonly ({
    readonly domain: string;
    readonly change: 'create' | 'none';
  })[];
  readonly rejected: readonly ({
    readonly line: number;
    readonly domain: string;
    readonly error: string;
  })[];
}

export interface FieldfareDomainBlockImport {
  /** Number of blocks that were created or changed; 0 in a preview */
  readonly applied: number;
  readonly blocks: readonly FieldfareListedBlock[];
  readonly rejected: readonly ({
    readonly line: number;
    readonly domain: string;
    readonly error: string;
  })[];
}

export interface FieldfareDomainList {
  readonly id: string;
  readonly url: string;
  /** Whether changes of the list are applied without staff */
  readonly automatic: boolean;
  readonly created_at: string;
  readonly fetched_at: string | null;
  readonly next_fetch_at: string;
  /** Why the last version could not be fetched, was not applied, or lacks lines */
  readonly last_error: string | null;
}

export interface FieldfareDomainListChange {
  readonly domain: string;
  readonly change: 'create' | 'update' | 'remove' | 'keep' | 'except';
  /** Null: no longer in the list */
  readonly listed: {
    readonly severity: 'noop' | 'silence' | 'suspend';
    readonly reject_media: boolean;
    readonly reject_reports: boolean;
  } | null;
  readonly existing: {
    readonly severity: 'noop' | 'silence' | 'suspend';
    readonly reject_media: boolean;
    readonly reject_reports: boolean;
  } | null;
}

export interface FieldfareListedBlock {
  readonly domain: string;
  readonly change: 'create' | 'strengthen' | 'weaken' | 'none';
  readonly listed: {
    readonly severity: 'noop' | 'silence' | 'suspend';
    readonly reject_media: boolean;
    readonly reject_reports: boolean;
    readonly obfuscate: boolean;
    readonly public_comment: string | null;
  };
  readonly existing: {
    readonly severity: 'noop' | 'silence' | 'suspend';
    readonly reject_media: boolean;
    readonly reject_reports: boolean;
    readonly obfuscate: boolean;
    readonly public_comment: string | null;
  } | null;
  /** Follows of local accounts that the change would cut, at most 10000 */
  readonly lost_following: number;
  /** Followers of local accounts that the change would cut, at most 10000 */
  readonly lost_followers: number;
}

export interface FieldfareRelay {
  readonly id: string;
  /** The inbox of a relay of the kind mastodon, the actor of one of the kind litepub */
  readonly url: string;
  readonly kind: 'mastodon' | 'litepub';
  readonly state: 'idle' | 'pending' | 'accepted' | 'rejected';
  readonly created_at: string;
  readonly updated_at: string;
}

export interface FieldfareReportNote {
  readonly id: string;
  readonly content: string;
  readonly created_at: string;
  /** Null for the command line, or a deleted account */
  readonly author: {
    readonly id: string;
    readonly username: string;
  } | null;
}

export interface FieldfareReportedStatus {
  readonly id: string;
  readonly uri: string;
  readonly url: string | null;
  /** Safe HTML */
  readonly content: string;
  readonly spoiler_text: string;
  readonly sensitive: boolean;
  readonly visibility: 'public' | 'unlisted' | 'private' | 'direct';
  readonly media_descriptions: readonly string[];
  readonly poll_options: readonly string[];
  readonly created_at: string;
  readonly edited_at: string | null;
  /** The post was deleted since */
  readonly deleted: boolean;
}

export interface Filter {
  readonly id: string;
  readonly title: string;
  readonly context: readonly ('home' | 'notifications' | 'public' | 'thread' | 'account')[];
  readonly expires_at: string | null;
  readonly filter_action: 'warn' | 'hide' | 'blur';
  readonly keywords: readonly FilterKeyword[];
  readonly statuses: readonly FilterStatus[];
}

export interface FilterExport {
  readonly filters: readonly ExportedFilter[];
}

export interface FilterKeyword {
  readonly id: string;
  readonly keyword: string;
  readonly whole_word: boolean;
}

export interface FilterResult {
  readonly filter: MatchedFilter;
  readonly keyword_matches: readonly string[] | null;
  readonly status_matches: readonly string[] | null;
}

export interface FilterStatus {
  readonly id: string;
  readonly status_id: string;
}

export interface GroupedNotificationsResults {
  readonly accounts: readonly Account[];
  readonly partial_accounts?: readonly PartialAccountWithAvatar[];
  readonly statuses: readonly Status[];
  readonly notification_groups: readonly NotificationGroup[];
}

export interface HeldPost {
  readonly id: string;
  readonly state: 'pending' | 'approved' | 'rejected';
  /** The first post of the thread that is decided as a whole; null for a single post */
  readonly thread_id: string | null;
  /** The published post */
  readonly status_id: string | null;
  readonly created_at: string;
  readonly decided_at: string | null;
  readonly account: Account;
  /** Of a remote post */
  readonly uri: string | null;
  /** As typed; empty for a remote post */
  readonly text: string;
  /** Safe HTML */
  readonly content: string;
  readonly spoiler_text: string;
  readonly sensitive: boolean;
  readonly visibility: 'public' | 'unlisted' | 'private' | 'direct';
  readonly language: string | null;
  readonly in_reply_to_id: string | null;
  /** Of a local post */
  readonly media_attachments: readonly MediaAttachment[];
  readonly remote_media: readonly ({
    readonly url: string;
    readonly description: string | null;
  })[];
  readonly poll_options: readonly string[];
}

export interface Import {
  readonly id: string;
  readonly type: 'following' | 'blocks' | 'mutes' | 'domain_blocks' | 'lists' | 'bookmarks';
  readonly mode: 'merge' | 'overwrite';
  readonly state: 'unconfirmed' | 'removing' | 'adding' | 'finished';
  /** Lines of the file, without repetitions */
  readonly total_count: number;
  readonly imported_count: number;
  readonly failed_count: number;
  /** Entries that the file does not list and that were removed */
  readonly removed_count: number;
  /** Entries that would be removed, while an import that overwrites is not confirmed */
  readonly to_remove_count: number | null;
  /** The first 100 lines that could not be imported */
  readonly failures: readonly ({
    readonly line: number;
    readonly target: string;
    readonly problem: 'invalid' | 'not_found' | 'unreachable' | 'refused' | 'failed';
  })[];
  readonly created_at: string;
  readonly finished_at: string | null;
}

export interface Instance {
  readonly domain: string;
  readonly title: string;
  readonly version: string;
  readonly source_url: string;
  readonly description: string;
  readonly wrapstodon: number | null;
  readonly usage: {
    readonly users: {
      readonly active_month: number;
    };
  };
  readonly thumbnail: {
    readonly url: string;
    readonly blurhash: string;
    readonly versions: Readonly<Record<string, string>>;
    readonly description: string | null;
  };
  readonly icon: readonly ({
    readonly src: string;
    readonly size: string;
  })[];
  readonly languages: readonly string[];
  readonly configuration: {
    readonly urls: {
      readonly streaming: string;
      readonly status: string | null;
      readonly about: string;
      readonly privacy_policy: string;
      readonly terms_of_service: string | null;
    };
    readonly vapid: {
      readonly public_key: string;
    };
    readonly accounts: {
      readonly max_display_name_length: number;
      readonly max_note_length: number;
      readonly max_avatar_description_length: number;
      readonly max_header_description_length: number;
      readonly max_featured_tags: number;
      readonly max_pinned_statuses: number;
      readonly max_profile_fields: number;
      readonly profile_field_name_limit: number;
      readonly profile_field_value_limit: number;
    };
    readonly statuses: StatusLimits;
    readonly media_attachments: {
      readonly supported_mime_types: readonly string[];
      readonly image_size_limit: number;
      readonly image_matrix_limit: number;
      readonly video_size_limit: number;
      readonly video_frame_rate_limit: number;
      readonly video_matrix_limit: number;
      readonly description_limit: number;
    };
    readonly reactions: {
      readonly max_reactions: number;
    };
    readonly polls: PollLimits;
    readonly translation: {
      readonly enabled: boolean;
    };
    readonly timelines_access: {
      readonly live_feeds: FeedAccess;
      readonly hashtag_feeds: FeedAccess;
      readonly trending_link_feeds: FeedAccess;
    };
    readonly limited_federation: boolean;
  };
  readonly registrations: {
    readonly enabled: boolean;
    readonly approval_required: boolean;
    readonly reason_required: boolean;
    readonly message: string | null;
    readonly min_age: number | null;
    readonly url: string | null;
  };
  readonly api_versions: {
    readonly mastodon: number;
    readonly fieldfare: number;
  };
  readonly contact: {
    readonly email: string;
    readonly account: Account | null;
  };
  readonly rules: readonly Rule[];
}

export interface InstanceActivity {
  readonly week: string;
  readonly statuses: string;
  readonly logins: string;
  readonly registrations: string;
}

export interface InteractionPolicy {
  readonly can_favourite: InteractionPolicyRules;
  readonly can_reply: InteractionPolicyRules;
  readonly can_reblog: InteractionPolicyRules;
}

export interface InteractionPolicyRules {
  readonly automatic_approval: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
  readonly manual_approval: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
  readonly always: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
  readonly with_approval: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
}

export interface InteractionRequest {
  readonly id: string;
  readonly type: 'favourite' | 'reply' | 'reblog';
  readonly created_at: string;
  readonly account: Account;
  readonly status: Status;
  readonly reply?: Status;
  readonly accepted_at?: string;
  readonly rejected_at?: string;
  readonly revoked_at?: string;
}

export interface Language {
  readonly code: string;
  readonly name: string;
}

export interface List {
  readonly id: string;
  readonly title: string;
  readonly replies_policy: 'followed' | 'list' | 'none';
  readonly exclusive: boolean;
}

export interface ListedEmoji {
  readonly shortcode: string;
  readonly url: string;
  readonly static_url: string;
  readonly visible_in_picker: boolean;
  readonly category?: string;
  readonly featured?: boolean;
}

export interface Marker {
  readonly last_read_id: string;
  readonly version: number;
  readonly updated_at: string;
}

export interface MarkersByTimeline {
  readonly home?: Marker;
  readonly notifications?: Marker;
}

export interface MatchedFilter {
  readonly id: string;
  readonly title: string;
  readonly context: readonly ('home' | 'notifications' | 'public' | 'thread' | 'account')[];
  readonly expires_at: string | null;
  readonly filter_action: 'warn' | 'hide' | 'blur';
}

export interface MediaAttachment {
  readonly id: string;
  readonly type: 'unknown' | 'image' | 'gifv' | 'video' | 'audio';
  readonly url: string | null;
  readonly preview_url: string | null;
  readonly remote_url: string | null;
  readonly preview_remote_url: string | null;
  readonly text_url: string | null;
  readonly meta: MediaMeta | null;
  readonly description: string | null;
  readonly blurhash: string | null;
}

export interface MediaMeta {
  readonly original?: MediaSize;
  readonly small?: MediaSize;
  readonly focus?: {
    readonly x: number;
    readonly y: number;
  };
  readonly colors?: {
    readonly background: string;
    readonly foreground: string;
    readonly accent: string;
  };
}

export interface MediaSize {
  readonly width?: number;
  readonly height?: number;
  readonly size?: string;
  readonly aspect?: number;
  readonly frame_rate?: string;
  readonly duration?: number;
  readonly bitrate?: number;
}

export interface ModerationRule {
  readonly id: string;
  readonly title: string;
  readonly enabled: boolean;
  /** What the rule is compared with */
  readonly subject: 'post' | 'sign_up' | 'follow';
  /** Whether its author is local */
  readonly origin: 'local' | 'remote' | 'any';
  /** All given conditions must hold; at least one is needed */
  readonly conditions: {
    readonly text?: {
      /** One of these is in the text */
      readonly keywords: readonly string[];
      /** Only between word boundaries */
      readonly whole_word?: boolean;
    };
    readonly links?: {
      /** One link leads to one of these domains or a subdomain */
      readonly domains?: readonly string[];
      /** Number of links that are no mentions or hashtags */
      readonly at_least?: number;
    };
    /** Hours since this server first knew the account */
    readonly account_younger_than?: number;
    /** Number of mentioned accounts that do not follow the author, without the one that is answered */
    readonly strangers_at_least?: number;
    /** An attached file has one of these BlurHashes */
    readonly media_hashes?: readonly string[];
    /** The account, or the e-mail address of a sign-up, is of one of these domains or a subdomain */
    readonly domains?: readonly string[];
    /** The language of the post, or of the browser of a sign-up, is one of these */
    readonly languages?: readonly string[];
    readonly rate?: {
      /** Number of earlier ones by the same account, or sign-ups from the same IP address */
      readonly more_than: number;
      /** In this period before */
      readonly seconds: number;
    };
  };
  readonly actions: readonly ('reject' | 'hold' | 'silence' | 'sensitive' | 'report')[];
  /** An action is taken if the scores of all matching rules that have it are at least 100 together */
  readonly score: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface ModerationRuleMatch {
  readonly id: string;
  readonly rule_id: string;
  readonly account_id: string | null;
  /** follow: target_id is the followed account */
  readonly target_type: 'status' | 'held_post' | 'user' | 'follow';
  /** Null: it was refused, so nothing was stored */
  readonly target_id: string | null;
  readonly uri: string | null;
  /** The actions that were taken */
  readonly actions: readonly ('reject' | 'hold' | 'silence' | 'sensitive' | 'report')[];
  /** Beginning of the text */
  readonly excerpt: string;
  /** What undoing the rule restores */
  readonly effects: {
    /** It was marked as sensitive, and was not before */
    readonly sensitive?: boolean;
    /** The sign-up or follow waits for approval because of the rule */
    readonly held?: boolean;
    /** Whether the account was limited before */
    readonly was_silenced?: boolean;
    readonly report_id?: string;
  };
  readonly undone_at: string | null;
  readonly created_at: string;
}

export interface ModerationRuleTrial {
  readonly id: string;
  readonly rule_id: string;
  /** Whether its author is local */
  readonly origin: 'local' | 'remote' | 'any';
  /** All given conditions must hold; at least one is needed */
  readonly conditions: {
    readonly text?: {
      /** One of these is in the text */
      readonly keywords: readonly string[];
      /** Only between word boundaries */
      readonly whole_word?: boolean;
    };
    readonly links?: {
      /** One link leads to one of these domains or a subdomain */
      readonly domains?: readonly string[];
      /** Number of links that are no mentions or hashtags */
      readonly at_least?: number;
    };
    /** Hours since this server first knew the account */
    readonly account_younger_than?: number;
    /** Number of mentioned accounts that do not follow the author, without the one that is answered */
    readonly strangers_at_least?: number;
    /** An attached file has one of these BlurHashes */
    readonly media_hashes?: readonly string[];
    /** The account, or the e-mail address of a sign-up, is of one of these domains or a subdomain */
    readonly domains?: readonly string[];
    /** The language of the post, or of the browser of a sign-up, is one of these */
    readonly languages?: readonly string[];
    readonly rate?: {
      /** Number of earlier ones by the same account, or sign-ups from the same IP address */
      readonly more_than: number;
      /** In this period before */
      readonly seconds: number;
    };
  };
  readonly since: string;
  /** Posts that were compared so far; at most about 50,000 */
  readonly examined: number;
  readonly matched: number;
  /** The first 20 posts that match */
  readonly samples: readonly ({
    readonly status_id: string;
    readonly account_id: string;
    readonly excerpt: string;
  })[];
  readonly created_at: string;
  /** Null: it is running */
  readonly finished_at: string | null;
}

export interface MovedAccount {
  readonly id: string;
  readonly username: string;
  readonly acct: string;
  readonly url: string;
  readonly uri: string;
  readonly display_name: string;
  /** HTML */
  readonly note: string;
  readonly avatar: string;
  readonly avatar_static: string;
  readonly avatar_description: string;
  readonly header: string;
  readonly header_static: string;
  readonly header_description: string;
  readonly locked: boolean;
  readonly fields: readonly AccountField[];
  readonly emojis: readonly CustomEmoji[];
  readonly bot: boolean;
  readonly group: boolean;
  readonly discoverable: boolean | null;
  readonly indexable: boolean;
  readonly noindex?: boolean;
  readonly memorial?: boolean;
  readonly suspended?: boolean;
  readonly limited?: boolean;
  readonly created_at: string;
  readonly last_status_at: string | null;
  readonly statuses_count: number;
  readonly followers_count: number;
  readonly following_count: number;
  readonly hide_collections: boolean | null;
  readonly show_media: boolean;
  readonly show_media_replies: boolean;
  readonly show_featured: boolean;
  readonly roles?: readonly AccountRole[];
  readonly feature_approval: FeatureApproval;
  /** Only while the server permits e-mail subscriptions */
  readonly email_subscriptions?: boolean;
}

export type MutedAccount = Account & {
  readonly mute_expires_at: string | null;
};

export interface Notification {
  readonly id: string;
  readonly type: string;
  readonly group_key: string;
  readonly created_at: string;
  readonly account: Account;
  readonly status?: Status;
  readonly collection?: Collection;
  readonly report?: Report;
  readonly event?: RelationshipSeveranceEvent;
  readonly moderation_warning?: AccountWarning;
  readonly filtered?: boolean;
  readonly fallback?: NotificationFallback;
}

export interface NotificationFallback {
  readonly title: string | null;
  readonly summary: string | null;
  readonly description: null;
}

export interface NotificationGroup {
  readonly group_key: string;
  readonly notifications_count: number;
  readonly type: string;
  readonly most_recent_notification_id: number;
  readonly page_min_id?: string;
  readonly page_max_id?: string;
  readonly latest_page_notification_at?: string;
  readonly sample_account_ids: readonly string[];
  readonly status_id?: string;
  readonly collection?: Collection;
  readonly report?: Report;
  readonly event?: RelationshipSeveranceEvent;
  readonly moderation_warning?: AccountWarning;
  readonly fallback?: NotificationFallback;
}

export interface NotificationPolicy {
  readonly for_not_following: 'accept' | 'filter' | 'drop';
  readonly for_not_followers: 'accept' | 'filter' | 'drop';
  readonly for_new_accounts: 'accept' | 'filter' | 'drop';
  readonly for_private_mentions: 'accept' | 'filter' | 'drop';
  readonly for_limited_accounts: 'accept' | 'filter' | 'drop';
  readonly for_bots: 'accept' | 'filter' | 'drop';
  readonly summary: {
    readonly pending_requests_count: number;
    readonly pending_notifications_count: number;
  };
}

export interface NotificationRequest {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly notifications_count: string;
  readonly account: Account;
  readonly last_status: Status | null;
}

export interface OAuthError {
  /** A code of RFC 6749, such as `invalid_grant` */
  readonly error: string;
  readonly error_description: string;
}

export interface OAuthServerMetadata {
  readonly issuer: string;
  readonly service_documentation: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly device_authorization_endpoint: string;
  readonly app_registration_endpoint: string;
  readonly revocation_endpoint: string;
  readonly userinfo_endpoint: string;
  readonly scopes_supported: readonly string[];
  readonly response_types_supported: readonly string[];
  readonly response_modes_supported: readonly string[];
  readonly grant_types_supported: readonly string[];
  readonly code_challenge_methods_supported: readonly string[];
  readonly token_endpoint_auth_methods_supported: readonly string[];
}

export interface OAuthUserinfo {
  readonly iss: string;
  readonly sub: string;
  readonly name: string;
  readonly preferred_username: string;
  readonly profile: string;
  readonly picture: string;
}

export interface OEmbed {
  readonly type: 'rich';
  readonly version: '1.0';
  readonly title?: string;
  readonly author_name: string;
  readonly author_url: string;
  readonly provider_name: string;
  readonly provider_url: string;
  readonly cache_age: number;
  readonly html: string;
  readonly width: number;
  readonly height: number | null;
}

export interface PartialAccountWithAvatar {
  readonly id: string;
  readonly acct: string;
  readonly url: string;
  readonly avatar: string;
  readonly avatar_static: string;
  readonly avatar_description: string;
  readonly locked: boolean;
  readonly bot: boolean;
}

export interface PatchAccountsUpdateCredentialsInput {
  readonly display_name?: string;
  readonly note?: string;
  /** A part of a multipart body; in any other body a base64 `data:` URI. */
  readonly avatar?: string;
  readonly avatar_description?: string;
  /** A part of a multipart body; in any other body a base64 `data:` URI. */
  readonly header?: string;
  readonly header_description?: string;
  readonly locked?: boolean;
  readonly bot?: boolean;
  readonly discoverable?: boolean;
  readonly hide_collections?: boolean;
  readonly indexable?: boolean;
  readonly attribution_domains?: readonly string[];
  readonly fields_attributes?: readonly ({
    readonly name?: string;
    readonly value?: string;
  })[];
  readonly source?: {
    readonly privacy?: string;
    readonly sensitive?: boolean;
    readonly language?: string;
    readonly quote_policy?: string;
    readonly status_content_type?: string;
  } | readonly unknown[];
}

export interface PatchCollectionsByIdInput {
  readonly name?: string;
  readonly description?: string;
  readonly language?: string;
  readonly tag_name?: string;
  readonly sensitive?: boolean;
  readonly discoverable?: boolean;
}

export interface PatchCollectionsByIdV1AlphaInput {
  readonly name?: string;
  readonly description?: string;
  readonly language?: string;
  readonly tag_name?: string;
  readonly sensitive?: boolean;
  readonly discoverable?: boolean;
}

export interface PatchFieldfareAdminSettingsInput {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly extended_description?: string | null;
  readonly privacy_policy?: string | null;
  readonly contact_email?: string | null;
  readonly contact_username?: string | null;
  readonly registrations?: 'open' | 'approval' | 'closed' | null;
  readonly registrations_message?: string | null;
  readonly languages?: readonly string[] | null;
  readonly default_language?: 'en' | 'ar' | 'de' | 'es' | 'fr' | 'ja' | 'pt' | null;
  readonly suggested_accounts?: readonly string[] | null;
  readonly show_trends?: boolean | null;
  readonly annual_reports?: boolean | null;
  readonly email_subscriptions?: boolean | null;
  readonly show_peers?: boolean | null;
  readonly show_activity?: boolean | null;
  readonly show_domain_blocks?: 'disabled' | 'users' | 'all' | null;
  readonly show_domain_block_reasons?: 'disabled' | 'users' | 'all' | null;
  readonly local_live_feed_access?: 'public' | 'authenticated' | 'disabled' | null;
  readonly remote_live_feed_access?: 'public' | 'authenticated' | 'disabled' | null;
  readonly local_topic_feed_access?: 'public' | 'authenticated' | null;
  readonly remote_topic_feed_access?: 'public' | 'authenticated' | 'disabled' | null;
  readonly custom_css?: string | null;
  readonly source_url?: string | null;
}

export interface PatchFieldfarePreferencesInput {
  /** The nearest of en, ar, de, es, fr, ja, pt counts */
  readonly locale?: string;
  /** default: sensitive media stay hidden until they are opened */
  readonly expand_media?: 'default' | 'show_all' | 'hide_all';
  readonly expand_spoilers?: boolean;
  readonly autoplay_gifs?: boolean;
  readonly show_application?: boolean;
}

export interface PatchInteractionPoliciesDefaultsInput {
  readonly public?: {
    readonly can_favourite?: {
      readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `automatic_approval` */
      readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `manual_approval` */
      readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
    };
    readonly can_reply?: {
      readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `automatic_approval` */
      readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `manual_approval` */
      readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
    };
    readonly can_reblog?: {
      readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `automatic_approval` */
      readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `manual_approval` */
      readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
    };
  } | null;
  readonly unlisted?: {
    readonly can_favourite?: {
      readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `automatic_approval` */
      readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `manual_approval` */
      readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
    };
    readonly can_reply?: {
      readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `automatic_approval` */
      readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `manual_approval` */
      readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
    };
    readonly can_reblog?: {
      readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `automatic_approval` */
      readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `manual_approval` */
      readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
    };
  } | null;
  readonly private?: {
    readonly can_favourite?: {
      readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `automatic_approval` */
      readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `manual_approval` */
      readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
    };
    readonly can_reply?: {
      readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `automatic_approval` */
      readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `manual_approval` */
      readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
    };
    readonly can_reblog?: {
      readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `automatic_approval` */
      readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `manual_approval` */
      readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
    };
  } | null;
  readonly direct?: {
    readonly can_favourite?: {
      readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `automatic_approval` */
      readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `manual_approval` */
      readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
    };
    readonly can_reply?: {
      readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `automatic_approval` */
      readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `manual_approval` */
      readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
    };
    readonly can_reblog?: {
      readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `automatic_approval` */
      readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `manual_approval` */
      readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
    };
  } | null;
}

export interface PatchNotificationsPolicyV2Input {
  readonly for_not_following?: 'accept' | 'filter' | 'drop';
  readonly for_not_followers?: 'accept' | 'filter' | 'drop';
  readonly for_new_accounts?: 'accept' | 'filter' | 'drop';
  readonly for_private_mentions?: 'accept' | 'filter' | 'drop';
  readonly for_limited_accounts?: 'accept' | 'filter' | 'drop';
  readonly for_bots?: 'accept' | 'filter' | 'drop';
}

export interface PatchProfileInput {
  readonly display_name?: string;
  readonly note?: string;
  /** A part of a multipart body; in any other body a base64 `data:` URI. */
  readonly avatar?: string;
  readonly avatar_description?: string;
  /** A part of a multipart body; in any other body a base64 `data:` URI. */
  readonly header?: string;
  readonly header_description?: string;
  readonly locked?: boolean;
  readonly bot?: boolean;
  readonly discoverable?: boolean;
  readonly hide_collections?: boolean;
  readonly indexable?: boolean;
  readonly attribution_domains?: readonly string[];
  readonly fields_attributes?: readonly ({
    readonly name?: string;
    readonly value?: string;
  })[];
  readonly show_media?: boolean;
  readonly show_media_replies?: boolean;
  readonly show_featured?: boolean;
}

export interface Poll {
  readonly id: string;
  readonly expires_at: string | null;
  readonly expired: boolean;
  readonly multiple: boolean;
  readonly votes_count: number;
  readonly voters_count: number | null;
  readonly options: readonly ({
    readonly title: string;
    readonly votes_count: number | null;
  })[];
  readonly emojis: readonly CustomEmoji[];
  readonly voted?: boolean;
  readonly own_votes?: readonly number[];
}

export interface PollInput {
  /** Two to four options of at most 50 characters */
  readonly options?: readonly string[];
  /** Seconds from now, five minutes to a month. An edit without it keeps the end, and the votes, of a poll */
  readonly expires_in?: number;
  /** More than one option may be chosen */
  readonly multiple?: boolean;
  /** Hides the votes until the poll ends. An edit without it leaves that as it is */
  readonly hide_totals?: boolean;
}

export interface PollLimits {
  readonly max_options: number;
  readonly max_characters_per_option: number;
  readonly min_expiration: number;
  readonly max_expiration: number;
}

export interface PostAccountsByIdEmailSubscriptionsInput {
  readonly email?: string;
}

export interface PostAccountsByIdFollowInput {
  readonly reblogs?: boolean;
  readonly notify?: boolean;
  readonly languages?: readonly string[];
}

export interface PostAccountsByIdMuteInput {
  readonly notifications?: boolean;
  readonly duration?: number;
}

export interface PostAccountsByIdNoteInput {
  readonly comment?: string;
}

export interface PostAccountsInput {
  readonly username?: string;
  readonly email?: string;
  readonly password?: string;
  /** Whether the user accepts the rules and the privacy policy; must be true */
  readonly agreement?: boolean;
  /** Language tag; by default, or if it is unknown, that of Accept-Language */
  readonly locale?: string;
  /** Required if staff approve each sign-up */
  readonly reason?: string;
  readonly time_zone?: string;
  /** Of an invite, which lets people sign up while registrations are closed */
  readonly invite_code?: string;
  readonly date_of_birth?: string;
}

export interface PostAdminAccountsByIdActionInput {
  readonly type: 'none' | 'sensitive' | 'disable' | 'silence' | 'suspend';
  readonly report_id?: string;
  readonly warning_preset_id?: string;
  /** Message to the user, at most 5000 characters */
  readonly text?: string;
  /** Whether the user is notified; true by default */
  readonly send_email_notification?: boolean;
}

export interface PostAdminCanonicalEmailBlocksInput {
  /** Counts if both are given */
  readonly email?: string;
  /** SHA-256 of the canonical address in hexadecimal */
  readonly canonical_email_hash?: string;
}

export interface PostAdminCanonicalEmailBlocksTestInput {
  readonly email?: string;
}

export interface PostAdminDimensionsInput {
  /** Unknown ones are ignored */
  readonly keys: readonly string[];
  /** A time or a day; the whole day counts (UTC) */
  readonly start_at?: string;
  /** A time or a day; the whole day counts (UTC) */
  readonly end_at?: string;
  /** 20 when not given, at most 100 */
  readonly limit?: number;
  readonly tag_servers?: {
    /** Of a hashtag */
    readonly id?: string;
  };
  readonly tag_languages?: {
    /** Of a hashtag */
    readonly id?: string;
  };
  readonly instance_accounts?: {
    readonly domain?: string;
  };
  readonly instance_languages?: {
    readonly domain?: string;
  };
}

export interface PostAdminDomainAllowsInput {
  readonly domain: string;
}

export interface PostAdminDomainBlocksInput {
  readonly domain: string;
  readonly severity?: 'noop' | 'silence' | 'suspend';
  readonly reject_media?: boolean;
  readonly reject_reports?: boolean;
  readonly private_comment?: string;
  readonly public_comment?: string;
  readonly obfuscate?: boolean;
}

export interface PostAdminEmailDomainBlocksInput {
  /** Of addresses, or of their mail servers */
  readonly domain?: string;
  /** Sign-ups wait for approval instead of being refused */
  readonly allow_with_approval?: boolean;
}

export interface PostAdminIpBlocksInput {
  /** An address, or a network such as 192.0.2.0/24. With no_access at most a /8, or a /19 of IPv6, without your own address */
  readonly ip?: string;
  /** no_access refuses every request */
  readonly severity?: 'sign_up_requires_approval' | 'sign_up_block' | 'no_access';
  /** Note for staff */
  readonly comment?: string;
  /** Seconds from now; blank or null: never */
  readonly expires_in?: string | number | null;
}

export interface PostAdminMeasuresInput {
  /** Unknown ones are ignored */
  readonly keys: readonly string[];
  /** A time or a day; the whole day counts (UTC) */
  readonly start_at: string;
  /** A time or a day; the whole day counts (UTC) */
  readonly end_at: string;
  readonly tag_accounts?: {
    /** Of a hashtag */
    readonly id?: string;
  };
  readonly tag_uses?: {
    /** Of a hashtag */
    readonly id?: string;
  };
  readonly tag_servers?: {
    /** Of a hashtag */
    readonly id?: string;
  };
  readonly instance_accounts?: {
    readonly domain?: string;
  };
  readonly instance_media_attachments?: {
    readonly domain?: string;
  };
  readonly instance_reports?: {
    readonly domain?: string;
  };
  readonly instance_statuses?: {
    readonly domain?: string;
  };
  readonly instance_follows?: {
    readonly domain?: string;
  };
  readonly instance_followers?: {
    readonly domain?: string;
  };
}

export interface PostAdminRetentionInput {
  /** A time or a day; the whole day counts (UTC) */
  readonly start_at: string;
  /** Up to 92 days later for days, two years for months */
  readonly end_at: string;
  readonly frequency: 'day' | 'month';
}

export interface PostAppsInput {
  readonly client_name?: string;
  /** A list, or a text with one address per line */
  readonly redirect_uris?: readonly string[];
  /** Separated by spaces; default read */
  readonly scopes?: string;
  readonly website?: string;
}

export interface PostCollectionsByCollectionIdItemsInput {
  readonly account_id?: string;
}

export interface PostCollectionsByCollectionIdItemsV1AlphaInput {
  readonly account_id?: string;
}

export interface PostCollectionsInput {
  readonly name?: string;
  readonly description?: string;
  readonly language?: string;
  readonly tag_name?: string;
  readonly sensitive?: boolean;
  readonly discoverable?: boolean;
  readonly account_ids?: readonly string[];
}

export interface PostCollectionsV1AlphaInput {
  readonly name?: string;
  readonly description?: string;
  readonly language?: string;
  readonly tag_name?: string;
  readonly sensitive?: boolean;
  readonly discoverable?: boolean;
  readonly account_ids?: readonly string[];
}

export interface PostDomainBlocksInput {
  readonly domain: string;
}

export interface PostEmailsConfirmationsInput {
  readonly email?: string;
}

export interface PostFeaturedTagsInput {
  readonly name: string;
}

export interface PostFieldfareAdminAccountsByIdEmailInput {
  readonly email: string;
  /** No link is sent: the address counts at once */
  readonly confirmed?: boolean;
}

export interface PostFieldfareAdminAccountsByIdNotesInput {
  /** At most 2000 characters */
  readonly content: string;
}

export interface PostFieldfareAdminAccountsByIdRoleInput {
  readonly role_id: string;
}

export interface PostFieldfareAdminAnnouncementsInput {
  readonly text?: string;
  /** Not visible before. ISO 8601, in UTC unless it has an offset; empty for none */
  readonly starts_at?: string;
  /** Expires then. ISO 8601, in UTC unless it has an offset; empty for none */
  readonly ends_at?: string;
  /** The times are days. Needs a start and an end */
  readonly all_day?: boolean;
  /** Published then, at the earliest. ISO 8601, in UTC unless it has an offset; empty for none */
  readonly scheduled_at?: string;
  /** False keeps it as a draft; true by default */
  readonly published?: boolean;
}

export interface PostFieldfareAdminCustomEmojisBatchInput {
  /** At most 200 */
  readonly ids: readonly string[];
  /** `update` sets the given properties; `copy` copies remote emojis in the background */
  readonly action: 'update' | 'enable' | 'disable' | 'delete' | 'copy';
  /** Category in the picker; blank for none */
  readonly category?: string;
  /** Whether the picker shows it */
  readonly visible_in_picker?: boolean;
}

export interface PostFieldfareAdminCustomEmojisByIdCopyInput {
  /** Category in the picker; blank for none */
  readonly category?: string;
}

export interface PostFieldfareAdminCustomEmojisInput {
  readonly shortcode: string;
  /** A part of a multipart body; in any other body a base64 `data:` URI. */
  readonly image: string;
  /** Category in the picker; blank for none */
  readonly category?: string;
  /** Whether the picker shows it */
  readonly visible_in_picker?: boolean;
}

export interface PostFieldfareAdminDomainAllowsImportInput {
  /** The text of the file, in the format of the export */
  readonly csv: string;
  /** Changes nothing, and returns what would change */
  readonly dry_run?: boolean;
}

export interface PostFieldfareAdminDomainBlocksImportInput {
  /** The text of the file, in the format of the export */
  readonly csv: string;
  /** Changes nothing, and returns what would change */
  readonly dry_run?: boolean;
  /** Also weakens blocks that are stricter than the list */
  readonly weaken?: boolean;
}

export interface PostFieldfareAdminDomainListsByIdExceptionsInput {
  readonly domain: string;
}

export interface PostFieldfareAdminDomainListsInput {
  readonly url: string;
  readonly automatic?: boolean;
}

export interface PostFieldfareAdminHeldPostsByIdRejectInput {
  /** For the author */
  readonly text?: string;
}

export interface PostFieldfareAdminInvitesExpireAllInput {
  readonly account_id?: string;
}

export interface PostFieldfareAdminInvitesInput {
  /** The local user who invites */
  readonly username?: string;
  /** Absent: any number */
  readonly max_uses?: number;
  /** Seconds, at most a year; absent: never */
  readonly expires_in?: number;
  /** Note for staff */
  readonly comment?: string;
}

export interface PostFieldfareAdminJobsRetryInput {
  /** Such as mail */
  readonly queue?: string;
  /** Of a job, an event or a reaction */
  readonly name?: string;
  readonly state?: 'waiting' | 'running' | 'retrying' | 'exhausted';
}

export interface PostFieldfareAdminModerationRulesByIdTrialsInput {
  /** 1 to 30; 7 by default */
  readonly days?: number;
}

export interface PostFieldfareAdminModerationRulesInput {
  /** For staff */
  readonly title?: string;
  /** False by default */
  readonly enabled?: boolean;
  /** What the rule is compared with */
  readonly subject?: 'post' | 'sign_up' | 'follow';
  /** Whether its author is local */
  readonly origin?: 'local' | 'remote' | 'any';
  /** As in the entity ModerationRule */
  readonly conditions?: Readonly<Record<string, unknown>>;
  readonly actions?: readonly ('reject' | 'hold' | 'silence' | 'sensitive' | 'report')[];
  /** 1 to 100; 100 by default */
  readonly score?: number;
}

export interface PostFieldfareAdminRelaysInput {
  readonly url: string;
  readonly kind?: 'mastodon' | 'litepub';
}

export interface PostFieldfareAdminReportsByIdNotesInput {
  /** At most 2000 characters */
  readonly content?: string;
}

export interface PostFieldfareAdminReportsByIdStatusActionInput {
  readonly type: 'delete_statuses' | 'mark_statuses_as_sensitive';
  /** Posts of the report; all by default */
  readonly status_ids?: readonly string[];
  /** Message to the user, at most 5000 characters */
  readonly text?: string;
  readonly warning_preset_id?: string;
  /** Whether the user is notified; true by default */
  readonly send_email_notification?: boolean;
}

export interface PostFieldfareAdminRolesInput {
  readonly name: string;
  /** Hexadecimal; empty for none */
  readonly color?: string;
  /** At least 0, below that of your own role */
  readonly position?: number;
  /** administrator, view_devops, view_audit_log, view_dashboard, manage_reports, manage_federation, manage_settings, manage_blocks, manage_taxonomies, manage_appeals, manage_users, manage_invites, manage_rules, manage_announcements, manage_custom_emojis, manage_webhooks, invite_users, manage_roles, manage_user_access, delete_user_data, view_feeds, invite_bypass_approval, manage_email_subscriptions */
  readonly permissions?: readonly string[];
  readonly highlighted?: boolean;
  /** How many collections a user may have, at most 1000 */
  readonly collection_limit?: number;
  /** For every user: only administrators, and with require_two_factor_from */
  readonly require_two_factor?: boolean;
  /** A day after today, such as 2026-12-31; until then users are only told. Blank or null: at once */
  readonly require_two_factor_from?: string | null;
}

export interface PostFieldfareAdminRulesByIdMoveInput {
  readonly place: number;
}

export interface PostFieldfareAdminRulesInput {
  readonly text: string;
  readonly hint?: string;
  readonly position?: number;
}

export interface PostFieldfareAdminTermsOfServiceDraftPublishInput {
  /** A day in UTC, such as 2026-12-31 */
  readonly effective_date?: string;
}

export interface PostFieldfareAdminWarningPresetsInput {
  readonly title: string;
  readonly text: string;
}

export interface PostFieldfareAdminWebhooksInput {
  /** https, on a public host and the usual port */
  readonly url?: string;
  readonly events?: readonly ('account.approved' | 'account.created' | 'account.updated' | 'held_post.created' | 'report.created' | 'report.updated' | 'status.created' | 'status.updated')[];
  /** Blank: the whole event */
  readonly template?: string;
}

export interface PostFieldfareBookmarkFoldersByIdStatusesInput {
  /** Bookmarked posts, at most 40 */
  readonly status_ids?: readonly string[];
}

export interface PostFieldfareBookmarkFoldersInput {
  /** At most 100 characters, unlike the other folders */
  readonly name?: string;
}

export interface PostFieldfareDraftsByIdPublishInput {
  /** Answers 409 if the draft has another version by now */
  readonly version?: number;
  /** Not supported: schedule single posts with POST /api/v1/statuses */
  readonly scheduled_at?: string;
}

export interface PostFieldfareDraftsInput {
  /** One post, or a thread of at most 20 */
  readonly posts: readonly ({
    readonly status?: string;
    /** Used without `status`, so that apps can send a draft as they read it */
    readonly text?: string;
    readonly content_type?: 'text/plain' | 'text/markdown';
    readonly spoiler_text?: string;
    readonly visibility?: 'public' | 'unlisted' | 'private' | 'direct';
    readonly sensitive?: boolean;
    readonly language?: string;
    readonly media_ids?: readonly string[];
    readonly poll?: PollInput;
    /** The status to quote */
    readonly quoted_status_id?: string;
    readonly quote_approval_policy?: 'public' | 'followers' | 'nobody';
    readonly interaction_policy?: {
      readonly can_favourite?: {
        readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        /** The former name of `automatic_approval` */
        readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        /** The former name of `manual_approval` */
        readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      };
      readonly can_reply?: {
        readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        /** The former name of `automatic_approval` */
        readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        /** The former name of `manual_approval` */
        readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      };
      readonly can_reblog?: {
        readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        /** The former name of `automatic_approval` */
        readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        /** The former name of `manual_approval` */
        readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      };
    };
    readonly allowed_mentions?: readonly string[];
  })[];
  /** What the first post replies to */
  readonly in_reply_to_id?: string;
}

export interface PostFieldfareFiltersImportInput {
  readonly filters: readonly ExportedFilter[];
  /** Default merge */
  readonly mode?: 'merge' | 'replace';
}

export interface PostFieldfareImportsInput {
  readonly type: 'following' | 'blocks' | 'mutes' | 'domain_blocks' | 'lists' | 'bookmarks';
  /** The text of the file, in the format of Mastodon's exports */
  readonly csv: string;
  /** merge (the default) adds to what you have; overwrite also removes what the file does not list */
  readonly mode?: 'merge' | 'overwrite';
}

export interface PostFieldfareStatusesPreviewInput {
  readonly status?: string;
  readonly spoiler_text?: string;
  readonly content_type?: 'text/plain' | 'text/markdown';
}

export interface PostFieldfareStrikesByIdAppealInput {
  /** At most 2000 characters */
  readonly text: string;
}

export interface PostFieldfareThreadsInput {
  /** In order, at most 20 */
  readonly posts: readonly ({
    readonly status?: string;
    /** Used without `status`, so that apps can send a draft as they read it */
    readonly text?: string;
    readonly content_type?: 'text/plain' | 'text/markdown';
    readonly spoiler_text?: string;
    readonly visibility?: 'public' | 'unlisted' | 'private' | 'direct';
    readonly sensitive?: boolean;
    readonly language?: string;
    readonly media_ids?: readonly string[];
    readonly poll?: PollInput;
    /** The status to quote */
    readonly quoted_status_id?: string;
    readonly quote_approval_policy?: 'public' | 'followers' | 'nobody';
    readonly interaction_policy?: {
      readonly can_favourite?: {
        readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        /** The former name of `automatic_approval` */
        readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        /** The former name of `manual_approval` */
        readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      };
      readonly can_reply?: {
        readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        /** The former name of `automatic_approval` */
        readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        /** The former name of `manual_approval` */
        readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      };
      readonly can_reblog?: {
        readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        /** The former name of `automatic_approval` */
        readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        /** The former name of `manual_approval` */
        readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      };
    };
    readonly allowed_mentions?: readonly string[];
  })[];
  /** What the first post replies to */
  readonly in_reply_to_id?: string;
  /** Not supported: schedule single posts with POST /api/v1/statuses */
  readonly scheduled_at?: string;
}

export interface PostFieldfareWebhooksInput {
  /** https, on a public host and the usual port */
  readonly url?: string;
  readonly events?: readonly ('status.created' | 'status.updated' | 'status.deleted' | 'notification.created' | 'follow.created' | 'follower.created')[];
}

export interface PostFiltersByFilterIdKeywordsV2Input {
  readonly keyword?: string;
  /** Default true */
  readonly whole_word?: boolean;
}

export interface PostFiltersByFilterIdStatusesV2Input {
  readonly status_id?: string;
}

export interface PostFiltersInput {
  readonly phrase?: string;
  readonly context?: readonly ('home' | 'notifications' | 'public' | 'thread' | 'account')[];
  /** Hide posts rather than warn */
  readonly irreversible?: boolean;
  /** Default true */
  readonly whole_word?: boolean;
  /** Seconds from now; blank or null: never */
  readonly expires_in?: string | number | null;
}

export interface PostFiltersV2Input {
  readonly title?: string;
  readonly context?: readonly ('home' | 'notifications' | 'public' | 'thread' | 'account')[];
  readonly filter_action?: 'warn' | 'hide' | 'blur';
  /** Seconds from now; blank or null: never */
  readonly expires_in?: string | number | null;
  readonly keywords_attributes?: readonly ({
    readonly id?: string;
    readonly keyword?: string;
    readonly whole_word?: boolean;
    /** Deletes the keyword with this id */
    readonly _destroy?: boolean;
  })[];
}

export interface PostFollowsInput {
  /** user@domain */
  readonly uri: string;
  readonly reblogs?: boolean;
  readonly notify?: boolean;
  readonly languages?: readonly string[];
}

export interface PostListsByIdAccountsInput {
  readonly account_ids?: readonly string[];
}

export interface PostListsInput {
  readonly title?: string;
  readonly replies_policy?: 'followed' | 'list' | 'none';
  readonly exclusive?: boolean;
}

export interface PostMarkersInput {
  readonly home?: {
    readonly last_read_id?: string;
  };
  readonly notifications?: {
    readonly last_read_id?: string;
  };
}

export interface PostMediaInput {
  /** A part of a multipart body; in any other body a base64 `data:` URI. */
  readonly file?: string;
  /** A part of a multipart body; in any other body a base64 `data:` URI. */
  readonly thumbnail?: string;
  readonly description?: string;
  readonly focus?: string;
}

export interface PostMediaV2Input {
  /** A part of a multipart body; in any other body a base64 `data:` URI. */
  readonly file?: string;
  /** A part of a multipart body; in any other body a base64 `data:` URI. */
  readonly thumbnail?: string;
  readonly description?: string;
  readonly focus?: string;
}

export interface PostNotificationsRequestsAcceptInput {
  /** Ids of requests; unknown ones are ignored */
  readonly id?: readonly string[];
}

export interface PostNotificationsRequestsDismissInput {
  /** Ids of requests; unknown ones are ignored */
  readonly id?: readonly string[];
}

export interface PostOauthAuthorizeInput {
  readonly response_type?: string;
  readonly client_id?: string;
  readonly redirect_uri?: string;
  readonly scope?: string;
  readonly state?: string;
  readonly code_challenge?: string;
  readonly code_challenge_method?: string;
  readonly decision?: string;
  readonly authenticity_token?: string;
}

export interface PostOauthDeviceAuthorizationInput {
  readonly client_id?: string;
  readonly client_secret?: string;
  /** Separated by spaces; default read */
  readonly scope?: string;
}

export interface PostOauthRevokeInput {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly token?: string;
}

export interface PostOauthTokenInput {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly grant_type?: string;
  readonly code?: string;
  readonly redirect_uri?: string;
  readonly code_verifier?: string;
  readonly device_code?: string;
  readonly scope?: string;
}

export interface PostPollsByIdVotesInput {
  readonly choices: readonly number[];
}

export interface PostProfileAliasesInput {
  /** Handle of a local or remote account */
  readonly acct: string;
}

export interface PostProfileDeleteInput {
  /** Password of the user of the token */
  readonly password: string;
}

export interface PostProfileMoveInput {
  /** Handle of a local or remote account */
  readonly acct: string;
  /** Password of the user of the token */
  readonly password: string;
}

export interface PostPushSubscriptionInput {
  readonly subscription: {
    readonly endpoint?: string;
    readonly keys?: {
      readonly p256dh?: string;
      readonly auth?: string;
    };
    readonly standard?: boolean;
  };
  readonly data?: {
    readonly alerts?: {
      readonly mention?: boolean;
      readonly status?: boolean;
      readonly reblog?: boolean;
      readonly follow?: boolean;
      readonly follow_request?: boolean;
      readonly favourite?: boolean;
      readonly poll?: boolean;
      readonly update?: boolean;
      readonly quote?: boolean;
      readonly quoted_update?: boolean;
      readonly 'admin.sign_up'?: boolean;
      readonly 'admin.report'?: boolean;
      readonly severed_relationships?: boolean;
      readonly moderation_warning?: boolean;
      readonly annual_report?: boolean;
      readonly added_to_collection?: boolean;
      readonly collection_update?: boolean;
    };
    readonly policy?: 'all' | 'followed' | 'follower' | 'none';
    /** The same as subscription[standard] */
    readonly standard?: boolean;
  };
  readonly policy?: 'all' | 'followed' | 'follower' | 'none';
}

export interface PostReportsInput {
  readonly account_id?: string;
  /** Posts of the account */
  readonly status_ids?: readonly string[];
  /** Collections of the account */
  readonly collection_ids?: readonly string[];
  /** At most 1000 characters */
  readonly comment?: string;
  readonly category?: 'spam' | 'legal' | 'violation' | 'other';
  /** The broken rules; they make the category `violation` */
  readonly rule_ids?: readonly string[];
  /** Sends a copy to other servers, without the name of the reporter */
  readonly forward?: boolean;
  /** Servers that receive the copy: that of the account, or of accounts that the posts reply to */
  readonly forward_to_domains?: readonly string[];
}

export interface PostStatusesByIdReblogInput {
  readonly visibility?: 'public' | 'unlisted' | 'private';
}

export interface PostStatusesByIdTranslateInput {
  /** Default: the language of the user */
  readonly lang?: string;
}

export interface PostStatusesInput {
  readonly status?: string;
  readonly content_type?: 'text/plain' | 'text/markdown';
  readonly spoiler_text?: string;
  readonly visibility?: 'public' | 'unlisted' | 'private' | 'direct';
  readonly sensitive?: boolean;
  readonly language?: string;
  readonly in_reply_to_id?: string;
  readonly media_ids?: readonly string[];
  readonly poll?: PollInput;
  readonly allowed_mentions?: readonly string[];
  /** ISO 8601, at least five minutes ahead */
  readonly scheduled_at?: string;
  /** The status to quote */
  readonly quoted_status_id?: string;
  readonly quote_approval_policy?: 'public' | 'followers' | 'nobody';
  readonly interaction_policy?: {
    readonly can_favourite?: {
      readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `automatic_approval` */
      readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `manual_approval` */
      readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
    };
    readonly can_reply?: {
      readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `automatic_approval` */
      readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `manual_approval` */
      readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
    };
    readonly can_reblog?: {
      readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `automatic_approval` */
      readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `manual_approval` */
      readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
    };
  };
}

export interface PostWebPushSubscriptionsInput {
  readonly subscription: {
    readonly endpoint?: string;
    readonly keys?: {
      readonly p256dh?: string;
      readonly auth?: string;
    };
    readonly standard?: boolean;
  };
  readonly data?: {
    readonly alerts?: {
      readonly mention?: boolean;
      readonly status?: boolean;
      readonly reblog?: boolean;
      readonly follow?: boolean;
      readonly follow_request?: boolean;
      readonly favourite?: boolean;
      readonly poll?: boolean;
      readonly update?: boolean;
      readonly quote?: boolean;
      readonly quoted_update?: boolean;
      readonly 'admin.sign_up'?: boolean;
      readonly 'admin.report'?: boolean;
      readonly severed_relationships?: boolean;
      readonly moderation_warning?: boolean;
      readonly annual_report?: boolean;
      readonly added_to_collection?: boolean;
      readonly collection_update?: boolean;
    };
    readonly policy?: 'all' | 'followed' | 'follower' | 'none';
    /** The same as subscription[standard] */
    readonly standard?: boolean;
  };
  readonly policy?: 'all' | 'followed' | 'follower' | 'none';
  readonly authenticity_token?: string;
}

export interface PostWebSessionSignOutInput {
  readonly account_id?: string;
  readonly authenticity_token?: string;
}

export interface PostWebSessionSwitchInput {
  readonly account_id: string;
  readonly authenticity_token?: string;
}

export interface Preferences {
  readonly 'posting:default:visibility': string;
  readonly 'posting:default:sensitive': boolean;
  readonly 'posting:default:language': string;
  readonly 'posting:default:quote_policy': string;
  readonly 'reading:expand:media': string;
  readonly 'reading:expand:spoilers': boolean;
  readonly 'reading:autoplay:gifs': boolean;
}

export interface PreviewCard {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly language: string | null;
  readonly type: 'link' | 'photo' | 'video' | 'rich';
  readonly author_name: string;
  readonly author_url: string;
  readonly provider_name: string;
  readonly provider_url: string;
  readonly html: string;
  readonly width: number;
  readonly height: number;
  readonly image: string | null;
  readonly image_description: string;
  readonly embed_url: string;
  readonly blurhash: string | null;
  readonly published_at: string | null;
  readonly authors: readonly PreviewCardAuthor[];
  readonly missing_attribution?: boolean;
}

export interface PreviewCardAuthor {
  readonly name: string;
  readonly url: string;
  readonly account: Account | null;
}

export interface PrivacyPolicy {
  readonly updated_at: string;
  readonly content: string;
}

export interface Profile {
  readonly id: string;
  readonly display_name: string;
  /** As typed */
  readonly note: string;
  /** As typed */
  readonly fields: readonly AccountField[];
  readonly avatar: string | null;
  readonly avatar_static: string | null;
  readonly avatar_description: string;
  readonly header: string | null;
  readonly header_static: string | null;
  readonly header_description: string;
  readonly locked: boolean;
  readonly bot: boolean;
  readonly hide_collections: boolean | null;
  readonly discoverable: boolean | null;
  readonly indexable: boolean;
  readonly show_media: boolean;
  readonly show_media_replies: boolean;
  readonly show_featured: boolean;
  readonly attribution_domains: readonly string[];
  /** HTML */
  readonly formatted_note: string;
  /** HTML */
  readonly formatted_fields: readonly AccountField[];
  readonly featured_tags: readonly FeaturedTag[];
}

export interface PutAdminDomainBlocksByIdInput {
  readonly severity?: 'noop' | 'silence' | 'suspend';
  readonly reject_media?: boolean;
  readonly reject_reports?: boolean;
  readonly private_comment?: string;
  readonly public_comment?: string;
  readonly obfuscate?: boolean;
}

export interface PutAdminIpBlocksByIdInput {
  /** An address, or a network such as 192.0.2.0/24. With no_access at most a /8, or a /19 of IPv6, without your own address */
  readonly ip?: string;
  /** no_access refuses every request */
  readonly severity?: 'sign_up_requires_approval' | 'sign_up_block' | 'no_access';
  /** Note for staff */
  readonly comment?: string;
  /** Seconds from now; blank or null: never */
  readonly expires_in?: string | number | null;
}

export interface PutAdminReportsByIdInput {
  readonly category?: 'spam' | 'legal' | 'violation' | 'other';
  /** The broken rules; only with the category violation */
  readonly rule_ids?: readonly string[];
}

export interface PutAdminTagsByIdInput {
  /** May differ in upper and lower case only */
  readonly display_name?: string;
  /** Shown in search and suggestions */
  readonly listable?: boolean;
  readonly trendable?: boolean;
  readonly usable?: boolean;
}

export interface PutFieldfareAdminAnnouncementsByIdInput {
  readonly text?: string;
  /** Not visible before. ISO 8601, in UTC unless it has an offset; empty for none */
  readonly starts_at?: string;
  /** Expires then. ISO 8601, in UTC unless it has an offset; empty for none */
  readonly ends_at?: string;
  /** The times are days. Needs a start and an end */
  readonly all_day?: boolean;
  /** Published then, at the earliest. ISO 8601, in UTC unless it has an offset; empty for none */
  readonly scheduled_at?: string;
  /** False keeps it as a draft; true by default */
  readonly published?: boolean;
}

export interface PutFieldfareAdminCustomEmojisByIdInput {
  /** A part of a multipart body; in any other body a base64 `data:` URI. */
  readonly image?: string;
  /** Category in the picker; blank for none */
  readonly category?: string;
  /** Whether the picker shows it */
  readonly visible_in_picker?: boolean;
}

export interface PutFieldfareAdminDomainListsByIdInput {
  readonly automatic: boolean;
}

export interface PutFieldfareAdminModerationRulesByIdInput {
  /** For staff */
  readonly title?: string;
  /** False by default */
  readonly enabled?: boolean;
  /** What the rule is compared with */
  readonly subject?: 'post' | 'sign_up' | 'follow';
  /** Whether its author is local */
  readonly origin?: 'local' | 'remote' | 'any';
  /** As in the entity ModerationRule */
  readonly conditions?: Readonly<Record<string, unknown>>;
  readonly actions?: readonly ('reject' | 'hold' | 'silence' | 'sensitive' | 'report')[];
  /** 1 to 100; 100 by default */
  readonly score?: number;
}

export interface PutFieldfareAdminRolesByIdInput {
  readonly name?: string;
  /** Hexadecimal; empty for none */
  readonly color?: string;
  /** At least 0, below that of your own role */
  readonly position?: number;
  /** administrator, view_devops, view_audit_log, view_dashboard, manage_reports, manage_federation, manage_settings, manage_blocks, manage_taxonomies, manage_appeals, manage_users, manage_invites, manage_rules, manage_announcements, manage_custom_emojis, manage_webhooks, invite_users, manage_roles, manage_user_access, delete_user_data, view_feeds, invite_bypass_approval, manage_email_subscriptions */
  readonly permissions?: readonly string[];
  readonly highlighted?: boolean;
  /** How many collections a user may have, at most 1000 */
  readonly collection_limit?: number;
  /** For every user: only administrators, and with require_two_factor_from */
  readonly require_two_factor?: boolean;
  /** A day after today, such as 2026-12-31; until then users are only told. Blank or null: at once */
  readonly require_two_factor_from?: string | null;
}

export interface PutFieldfareAdminRulesByIdInput {
  readonly text?: string;
  readonly hint?: string;
  readonly position?: number;
}

export interface PutFieldfareAdminRulesByIdTranslationsByLanguageInput {
  readonly text: string;
  readonly hint?: string;
}

export interface PutFieldfareAdminSiteImagesByNameInput {
  /** A part of a multipart body; in any other body a base64 `data:` URI. */
  readonly image: string;
  readonly description?: string;
}

export interface PutFieldfareAdminTermsOfServiceDraftInput {
  readonly content: string;
  readonly changelog?: string;
  /** A day in UTC, such as 2026-12-31 */
  readonly effective_date?: string;
}

export interface PutFieldfareAdminWarningPresetsByIdInput {
  readonly title?: string;
  readonly text?: string;
}

export interface PutFieldfareAdminWebhooksByIdInput {
  /** https, on a public host and the usual port */
  readonly url?: string;
  readonly events?: readonly ('account.approved' | 'account.created' | 'account.updated' | 'held_post.created' | 'report.created' | 'report.updated' | 'status.created' | 'status.updated')[];
  /** Blank: the whole event */
  readonly template?: string;
}

export interface PutFieldfareBookmarkFoldersByIdInput {
  /** At most 100 characters, unlike the other folders */
  readonly name?: string;
  /** The new place among the folders, from 0 */
  readonly position?: number;
}

export interface PutFieldfareDraftsByIdInput {
  /** One post, or a thread of at most 20 */
  readonly posts: readonly ({
    readonly status?: string;
    /** Used without `status`, so that apps can send a draft as they read it */
    readonly text?: string;
    readonly content_type?: 'text/plain' | 'text/markdown';
    readonly spoiler_text?: string;
    readonly visibility?: 'public' | 'unlisted' | 'private' | 'direct';
    readonly sensitive?: boolean;
    readonly language?: string;
    readonly media_ids?: readonly string[];
    readonly poll?: PollInput;
    /** The status to quote */
    readonly quoted_status_id?: string;
    readonly quote_approval_policy?: 'public' | 'followers' | 'nobody';
    readonly interaction_policy?: {
      readonly can_favourite?: {
        readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        /** The former name of `automatic_approval` */
        readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        /** The former name of `manual_approval` */
        readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      };
      readonly can_reply?: {
        readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        /** The former name of `automatic_approval` */
        readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        /** The former name of `manual_approval` */
        readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      };
      readonly can_reblog?: {
        readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        /** The former name of `automatic_approval` */
        readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
        /** The former name of `manual_approval` */
        readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      };
    };
    readonly allowed_mentions?: readonly string[];
  })[];
  /** What the first post replies to */
  readonly in_reply_to_id?: string;
  /** The version that is replaced */
  readonly version: number;
}

export interface PutFieldfareWebhooksByIdInput {
  /** https, on a public host and the usual port */
  readonly url?: string;
  readonly events?: readonly ('status.created' | 'status.updated' | 'status.deleted' | 'notification.created' | 'follow.created' | 'follower.created')[];
  readonly enabled?: boolean;
}

export interface PutFilterKeywordsByIdV2Input {
  readonly keyword?: string;
  /** Default true */
  readonly whole_word?: boolean;
}

export interface PutFiltersByIdInput {
  readonly phrase?: string;
  readonly context?: readonly ('home' | 'notifications' | 'public' | 'thread' | 'account')[];
  /** Hide posts rather than warn */
  readonly irreversible?: boolean;
  /** Default true */
  readonly whole_word?: boolean;
  /** Seconds from now; blank or null: never */
  readonly expires_in?: string | number | null;
}

export interface PutFiltersByIdV2Input {
  readonly title?: string;
  readonly context?: readonly ('home' | 'notifications' | 'public' | 'thread' | 'account')[];
  readonly filter_action?: 'warn' | 'hide' | 'blur';
  /** Seconds from now; blank or null: never */
  readonly expires_in?: string | number | null;
  readonly keywords_attributes?: readonly ({
    readonly id?: string;
    readonly keyword?: string;
    readonly whole_word?: boolean;
    /** Deletes the keyword with this id */
    readonly _destroy?: boolean;
  })[];
}

export interface PutFiltersKeywordsByIdInput {
  readonly keyword?: string;
  /** Default true */
  readonly whole_word?: boolean;
}

export interface PutFiltersKeywordsByIdV2Input {
  readonly keyword?: string;
  /** Default true */
  readonly whole_word?: boolean;
}

export interface PutListsByIdInput {
  readonly title?: string;
  readonly replies_policy?: 'followed' | 'list' | 'none';
  readonly exclusive?: boolean;
}

export interface PutMediaByIdInput {
  /** A part of a multipart body; in any other body a base64 `data:` URI. */
  readonly thumbnail?: string;
  readonly description?: string;
  readonly focus?: string;
}

export interface PutNotificationsPolicyInput {
  readonly filter_not_following?: boolean;
  readonly filter_not_followers?: boolean;
  readonly filter_new_accounts?: boolean;
  readonly filter_private_mentions?: boolean;
  readonly filter_bots?: boolean;
}

export interface PutPushSubscriptionInput {
  readonly data?: {
    readonly alerts?: {
      readonly mention?: boolean;
      readonly status?: boolean;
      readonly reblog?: boolean;
      readonly follow?: boolean;
      readonly follow_request?: boolean;
      readonly favourite?: boolean;
      readonly poll?: boolean;
      readonly update?: boolean;
      readonly quote?: boolean;
      readonly quoted_update?: boolean;
      readonly 'admin.sign_up'?: boolean;
      readonly 'admin.report'?: boolean;
      readonly severed_relationships?: boolean;
      readonly moderation_warning?: boolean;
      readonly annual_report?: boolean;
      readonly added_to_collection?: boolean;
      readonly collection_update?: boolean;
    };
    readonly policy?: 'all' | 'followed' | 'follower' | 'none';
    /** The same as subscription[standard] */
    readonly standard?: boolean;
  };
  readonly policy?: 'all' | 'followed' | 'follower' | 'none';
}

export interface PutScheduledStatusesByIdInput {
  readonly scheduled_at?: string;
}

export interface PutStatusesByIdInput {
  readonly status?: string;
  readonly content_type?: 'text/plain' | 'text/markdown';
  readonly spoiler_text?: string;
  readonly sensitive?: boolean;
  readonly language?: string;
  readonly media_ids?: readonly string[];
  /** Changed descriptions, focal points and thumbnails of attachments */
  readonly media_attributes?: readonly ({
    readonly id: string;
    readonly description?: string;
    readonly focus?: string;
    /** A part of a multipart body; in any other body a base64 `data:` URI. */
    readonly thumbnail?: string;
  })[];
  readonly poll?: PollInput;
  readonly quote_approval_policy?: 'public' | 'followers' | 'nobody';
}

export interface PutStatusesByIdInteractionPolicyInput {
  readonly quote_approval_policy?: 'public' | 'followers' | 'nobody';
  readonly interaction_policy?: {
    readonly can_favourite?: {
      readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `automatic_approval` */
      readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `manual_approval` */
      readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
    };
    readonly can_reply?: {
      readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `automatic_approval` */
      readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `manual_approval` */
      readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
    };
    readonly can_reblog?: {
      readonly automatic_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      readonly manual_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `automatic_approval` */
      readonly always?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
      /** The former name of `manual_approval` */
      readonly with_approval?: readonly ('public' | 'followers' | 'following' | 'mutuals' | 'mentioned' | 'author' | 'me')[];
    };
  };
}

export interface PutWebPushSubscriptionsByIdInput {
  readonly data?: {
    readonly alerts?: {
      readonly mention?: boolean;
      readonly status?: boolean;
      readonly reblog?: boolean;
      readonly follow?: boolean;
      readonly follow_request?: boolean;
      readonly favourite?: boolean;
      readonly poll?: boolean;
      readonly update?: boolean;
      readonly quote?: boolean;
      readonly quoted_update?: boolean;
      readonly 'admin.sign_up'?: boolean;
      readonly 'admin.report'?: boolean;
      readonly severed_relationships?: boolean;
      readonly moderation_warning?: boolean;
      readonly annual_report?: boolean;
      readonly added_to_collection?: boolean;
      readonly collection_update?: boolean;
    };
    readonly policy?: 'all' | 'followed' | 'follower' | 'none';
    /** The same as subscription[standard] */
    readonly standard?: boolean;
  };
  readonly policy?: 'all' | 'followed' | 'follower' | 'none';
  readonly authenticity_token?: string;
}

export interface PutWebSettingsInput {
  /** Any JSON object; the server does not read it */
  readonly data: Readonly<Record<string, unknown>>;
  readonly authenticity_token?: string;
}

export interface Quote {
  readonly state: 'pending' | 'accepted' | 'rejected' | 'revoked' | 'deleted' | 'unauthorized' | 'blocked_account' | 'blocked_domain' | 'muted_account';
  readonly quoted_status: QuotedStatus | null;
}

export interface QuoteApproval {
  readonly automatic: readonly ('public' | 'followers' | 'following' | 'unsupported_policy')[];
  readonly manual: readonly ('public' | 'followers' | 'following' | 'unsupported_policy')[];
  readonly current_user: 'automatic' | 'manual' | 'denied' | 'unknown';
}

export interface QuotedStatus {
  readonly id: string;
  readonly uri: string;
  readonly created_at: string;
  readonly account: Account;
  readonly content: string;
  readonly visibility: 'public' | 'unlisted' | 'private' | 'direct';
  readonly sensitive: boolean;
  readonly spoiler_text: string;
  readonly media_attachments: readonly MediaAttachment[];
  readonly application?: {
    readonly name: string;
    readonly website: string | null;
  } | null;
  readonly mentions: readonly StatusMention[];
  readonly tags: readonly ({
    readonly name: string;
    readonly url: string;
  })[];
  readonly emojis: readonly CustomEmoji[];
  readonly reblogs_count: number;
  readonly favourites_count: number;
  readonly quotes_count: number;
  readonly replies_count: number;
  readonly url: string | null;
  readonly in_reply_to_id: string | null;
  readonly in_reply_to_account_id: string | null;
  readonly poll: Poll | null;
  readonly card: PreviewCard | null;
  readonly quote_approval: QuoteApproval;
  readonly interaction_policy?: InteractionPolicy;
  readonly reactions: readonly StatusReaction[];
  readonly tagged_collections: readonly Collection[];
  readonly language: string | null;
  readonly edited_at: string | null;
  readonly favourited?: boolean;
  readonly reblogged?: boolean;
  readonly bookmarked?: boolean;
  readonly muted?: boolean;
  readonly held_for_review?: boolean;
  readonly pinned?: boolean;
  readonly filtered?: readonly FilterResult[];
  readonly quote: ShallowQuote | null;
  readonly reblog: null;
}

export interface RebloggedStatus {
  readonly id: string;
  readonly uri: string;
  readonly created_at: string;
  readonly account: Account;
  readonly content: string;
  readonly visibility: 'public' | 'unlisted' | 'private' | 'direct';
  readonly sensitive: boolean;
  readonly spoiler_text: string;
  readonly media_attachments: readonly MediaAttachment[];
  readonly application?: {
    readonly name: string;
    readonly website: string | null;
  } | null;
  readonly mentions: readonly StatusMention[];
  readonly tags: readonly ({
    readonly name: string;
    readonly url: string;
  })[];
  readonly emojis: readonly CustomEmoji[];
  readonly reblogs_count: number;
  readonly favourites_count: number;
  readonly quotes_count: number;
  readonly replies_count: number;
  readonly url: string | null;
  readonly in_reply_to_id: string | null;
  readonly in_reply_to_account_id: string | null;
  readonly poll: Poll | null;
  readonly card: PreviewCard | null;
  readonly quote_approval: QuoteApproval;
  readonly interaction_policy?: InteractionPolicy;
  readonly reactions: readonly StatusReaction[];
  readonly tagged_collections: readonly Collection[];
  readonly language: string | null;
  readonly edited_at: string | null;
  readonly favourited?: boolean;
  readonly reblogged?: boolean;
  readonly bookmarked?: boolean;
  readonly muted?: boolean;
  readonly held_for_review?: boolean;
  readonly pinned?: boolean;
  readonly filtered?: readonly FilterResult[];
  readonly quote: Quote | null;
  readonly reblog: null;
}

export interface Relationship {
  readonly id: string;
  readonly following: boolean;
  readonly showing_reblogs: boolean;
  readonly notifying: boolean;
  readonly languages: readonly string[] | null;
  readonly followed_by: boolean;
  readonly blocking: boolean;
  readonly muting: boolean;
  readonly muting_notifications: boolean;
  readonly muting_expires_at: string | null;
  readonly requested: boolean;
  readonly requested_by: boolean;
  readonly domain_blocking: boolean;
  readonly endorsed: boolean;
  readonly note: string;
}

export interface RelationshipSeveranceEvent {
  readonly id: string;
  readonly type: 'domain_block' | 'user_domain_block' | 'account_suspension';
  readonly purged: boolean;
  readonly target_name: string;
  readonly followers_count: number;
  readonly following_count: number;
  readonly created_at: string;
}

export interface Report {
  readonly id: string;
  readonly action_taken: boolean;
  readonly action_taken_at: string | null;
  readonly category: 'spam' | 'legal' | 'violation' | 'other';
  readonly comment: string;
  /** Whether the server of the account receives a copy */
  readonly forwarded: boolean;
  readonly created_at: string;
  readonly status_ids: readonly string[];
  readonly collection_ids: readonly string[];
  readonly rule_ids: readonly string[] | null;
  readonly target_account: Account;
}

export interface Role {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly permissions: string;
  readonly highlighted: boolean;
  readonly collection_limit: number;
}

export interface Rule {
  readonly id: string;
  readonly text: string;
  readonly hint: string;
  readonly translations: Readonly<Record<string, {
    readonly text: string;
    readonly hint: string;
  }>>;
}

export interface ScheduledStatus {
  readonly id: string;
  readonly scheduled_at: string;
  readonly in_reply_to_id: string | null;
  readonly params: {
    readonly text: string;
    readonly content_type: 'text/plain' | 'text/markdown' | null;
    readonly poll: {
      readonly options: readonly string[];
      readonly expires_in: number;
      readonly multiple: boolean;
      readonly hide_totals: boolean;
    } | null;
    readonly media_ids: readonly string[] | null;
    readonly sensitive: boolean | null;
    readonly spoiler_text: string | null;
    readonly visibility: 'public' | 'unlisted' | 'private' | 'direct' | null;
    readonly in_reply_to_id: number | null;
    readonly language: string | null;
    readonly application_id: number | null;
    readonly allowed_mentions: readonly string[] | null;
    readonly scheduled_at: null;
    readonly idempotency: null;
    readonly with_rate_limit: boolean;
    readonly quoted_status_id: string | null;
    readonly quote_approval_policy: 'public' | 'followers' | 'nobody';
    readonly interaction_policy?: InteractionPolicy;
  };
  readonly media_attachments: readonly MediaAttachment[];
}

export interface Search {
  readonly accounts: readonly Account[];
  readonly statuses: readonly Status[];
  readonly hashtags: readonly Tag[];
  /** The collection at the address in the query */
  readonly collections: readonly Collection[];
  /** The host of the address or handle, if `resolve` was set and it did not answer: the results are what is stored here */
  readonly unreachable_host?: string;
}

export interface Session {
  readonly id: string;
  readonly user_agent: string;
  readonly ip: string | null;
  readonly created_at: string;
  readonly last_used_at: string;
}

export interface ShallowQuote {
  readonly state: 'pending' | 'accepted' | 'rejected' | 'revoked' | 'deleted' | 'unauthorized' | 'blocked_account' | 'blocked_domain' | 'muted_account';
  readonly quoted_status_id: string | null;
}

export interface Status {
  readonly id: string;
  readonly uri: string;
  readonly created_at: string;
  readonly account: Account;
  readonly content: string;
  readonly visibility: 'public' | 'unlisted' | 'private' | 'direct';
  readonly sensitive: boolean;
  readonly spoiler_text: string;
  readonly media_attachments: readonly MediaAttachment[];
  readonly application?: {
    readonly name: string;
    readonly website: string | null;
  } | null;
  readonly mentions: readonly StatusMention[];
  readonly tags: readonly ({
    readonly name: string;
    readonly url: string;
  })[];
  readonly emojis: readonly CustomEmoji[];
  readonly reblogs_count: number;
  readonly favourites_count: number;
  readonly quotes_count: number;
  readonly replies_count: number;
  readonly url: string | null;
  readonly in_reply_to_id: string | null;
  readonly in_reply_to_account_id: string | null;
  readonly poll: Poll | null;
  readonly card: PreviewCard | null;
  readonly quote_approval: QuoteApproval;
  readonly interaction_policy?: InteractionPolicy;
  readonly reactions: readonly StatusReaction[];
  readonly tagged_collections: readonly Collection[];
  readonly language: string | null;
  readonly edited_at: string | null;
  readonly favourited?: boolean;
  readonly reblogged?: boolean;
  readonly bookmarked?: boolean;
  readonly muted?: boolean;
  readonly held_for_review?: boolean;
  readonly pinned?: boolean;
  readonly filtered?: readonly FilterResult[];
  readonly quote: Quote | null;
  readonly reblog: RebloggedStatus | null;
}

export interface StatusEdit {
  readonly content: string;
  readonly spoiler_text: string;
  readonly sensitive: boolean;
  readonly created_at: string;
  readonly account: Account;
  readonly media_attachments: readonly MediaAttachment[];
  readonly emojis: readonly CustomEmoji[];
  readonly quote?: Quote | null;
  readonly poll?: {
    readonly options: readonly ({
      readonly title: string;
    })[];
  };
}

export interface StatusLimits {
  readonly max_characters: number;
  readonly max_media_attachments: number;
  readonly characters_reserved_per_url: number;
  readonly supported_mime_types: readonly string[];
}

export interface StatusMention {
  readonly id: string;
  readonly username: string;
  readonly url: string;
  readonly acct: string;
}

export interface StatusPreview {
  readonly content: string;
  readonly spoiler_text: string;
  readonly mentions: readonly StatusMention[];
  readonly tags: readonly ({
    readonly name: string;
    readonly url: string;
  })[];
  readonly emojis: readonly CustomEmoji[];
}

export interface StatusReaction {
  readonly name: string;
  readonly count: number;
  readonly me?: boolean;
  readonly url?: string;
  readonly static_url?: string;
}

export interface StatusSource {
  readonly id: string;
  readonly text: string;
  readonly spoiler_text: string;
  readonly content_type: 'text/plain' | 'text/markdown';
}

export interface Suggestion {
  readonly source: 'staff' | 'past_interactions' | 'global';
  /** The most important one first */
  readonly sources: readonly ('featured' | 'most_followed' | 'most_interactions' | 'similar_to_recently_followed' | 'friends_of_friends')[];
  readonly account: Account;
}

export interface Tag {
  /** Empty for an unused hashtag */
  readonly id: string;
  /** In its first spelling, without # */
  readonly name: string;
  readonly url: string;
  /** The last seven days, newest first; `day` is the Unix time of its start (UTC) */
  readonly history: readonly ({
    readonly day: string;
    readonly uses: string;
    readonly accounts: string;
  })[];
  readonly following?: boolean;
  readonly featuring?: boolean;
}

export interface TermsOfService {
  readonly effective_date: string;
  readonly effective: boolean;
  readonly content: string;
  readonly succeeded_by: string | null;
}

export interface Token {
  readonly access_token: string;
  readonly token_type: string;
  readonly scope: string;
  readonly created_at: number;
}

export interface Translation {
  readonly content: string;
  readonly spoiler_text: string;
  readonly language: string;
  readonly poll: {
    readonly id: string;
    readonly options: readonly ({
      readonly title: string;
    })[];
  } | null;
  readonly media_attachments: readonly ({
    readonly id: string;
    readonly description: string | null;
  })[];
  readonly detected_source_language: string;
  readonly provider: string;
}

export interface TrendsLink {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly language: string | null;
  readonly type: 'link' | 'photo' | 'video' | 'rich';
  readonly author_name: string;
  readonly author_url: string;
  readonly provider_name: string;
  readonly provider_url: string;
  readonly html: string;
  readonly width: number;
  readonly height: number;
  readonly image: string | null;
  readonly image_description: string;
  readonly embed_url: string;
  readonly blurhash: string | null;
  readonly published_at: string | null;
  readonly authors: readonly PreviewCardAuthor[];
  readonly missing_attribution?: boolean;
  /** The last seven days, newest first; `day` is the Unix time of its start (UTC) */
  readonly history: readonly ({
    readonly day: string;
    readonly uses: string;
    readonly accounts: string;
  })[];
}

export interface UserPreferences {
  /** Language of errors, mails, pages and push messages */
  readonly locale: string;
  readonly available_locales: readonly string[];
  /** default: sensitive media stay hidden until they are opened */
  readonly expand_media: 'default' | 'show_all' | 'hide_all';
  readonly expand_spoilers: boolean;
  readonly autoplay_gifs: boolean;
  /** Whether posts name the app that created them */
  readonly show_application: boolean;
}

export interface V1Filter {
  readonly id: string;
  readonly phrase: string;
  readonly context: readonly ('home' | 'notifications' | 'public' | 'thread' | 'account')[];
  readonly expires_at: string | null;
  readonly irreversible: boolean;
  readonly whole_word: boolean;
}

export interface V1Instance {
  /** A domain */
  readonly uri: string;
  readonly title: string;
  readonly short_description: string;
  readonly description: string;
  readonly email: string;
  readonly version: string;
  readonly urls: {
    readonly streaming_api: string;
  };
  readonly stats: {
    readonly user_count: number;
    readonly status_count: number;
    readonly domain_count: number;
  };
  readonly thumbnail: string;
  readonly languages: readonly string[];
  readonly registrations: boolean;
  readonly approval_required: boolean;
  readonly invites_enabled: boolean;
  readonly configuration: {
    readonly accounts: {
      readonly max_featured_tags: number;
    };
    readonly statuses: StatusLimits;
    readonly media_attachments: {
      readonly supported_mime_types: readonly string[];
      readonly image_size_limit: number;
      readonly image_matrix_limit: number;
      readonly video_size_limit: number;
      readonly video_frame_rate_limit: number;
      readonly video_matrix_limit: number;
    };
    readonly reactions: {
      readonly max_reactions: number;
    };
    readonly polls: PollLimits;
  };
  readonly contact_account: Account | null;
  readonly rules: readonly Rule[];
}

export interface V1NotificationPolicy {
  readonly filter_not_following: boolean;
  readonly filter_not_followers: boolean;
  readonly filter_new_accounts: boolean;
  readonly filter_private_mentions: boolean;
  readonly filter_bots: boolean;
  readonly summary: {
    readonly pending_requests_count: number;
    readonly pending_notifications_count: number;
  };
}

export interface WebPushSubscription {
  readonly id: number;
  readonly endpoint: string;
  readonly standard: boolean;
  readonly server_key: string;
  readonly alerts: {
    readonly mention?: boolean;
    readonly status?: boolean;
    readonly reblog?: boolean;
    readonly follow?: boolean;
    readonly follow_request?: boolean;
    readonly favourite?: boolean;
    readonly poll?: boolean;
    readonly update?: boolean;
    readonly quote?: boolean;
    readonly quoted_update?: boolean;
    readonly 'admin.sign_up'?: boolean;
    readonly 'admin.report'?: boolean;
    readonly severed_relationships?: boolean;
    readonly moderation_warning?: boolean;
    readonly annual_report?: boolean;
    readonly added_to_collection?: boolean;
    readonly collection_update?: boolean;
  };
  readonly policy: 'all' | 'followed' | 'follower' | 'none';
}

export interface Webhook {
  readonly id: string;
  readonly url: string;
  /** failing: the last attempts failed, and more follow. disabled: nothing is sent or stored */
  readonly state: 'active' | 'failing' | 'disabled';
  /** gone: the address answered 410. failures: nothing was accepted for three days */
  readonly disabled_reason: 'owner' | 'failures' | 'gone' | null;
  readonly failing_since: string | null;
  readonly last_delivered_at: string | null;
  /** Events that were lost because 1,000 others were waiting */
  readonly dropped_events: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly events: readonly ('status.created' | 'status.updated' | 'status.deleted' | 'notification.created' | 'follow.created' | 'follower.created')[];
}

export interface WebhookDelivery {
  readonly id: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly response_status: number | null;
  /** Why there was no response: timeout, unreachable, refused for a private address, or internal for an error of this server */
  readonly error: string | null;
  readonly created_at: string;
  readonly last_attempt_at: string | null;
  readonly event: 'status.created' | 'status.updated' | 'status.deleted' | 'notification.created' | 'follow.created' | 'follower.created' | 'webhook.ping';
}

export interface WrappedAnnualReports {
  readonly annual_reports: readonly AnnualReport[];
  readonly accounts: readonly Account[];
  readonly statuses: readonly Status[];
}

export interface WrappedCollection {
  readonly collection: Collection;
}

export interface WrappedCollectionItem {
  readonly collection_item: CollectionItem;
}
