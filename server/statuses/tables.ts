import type { Generated, JSONColumnType } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type {
  AccountId,
  ApplicationId,
  ConversationId,
  Id,
  MediaId,
  PollId,
  RowId,
  StatusId,
  TagId,
} from '../platform/ids.ts';
import type { PollInput } from '../polls/index.ts';
import type { ContentType } from '../text/format/index.ts';
import type { StatusParams } from './post/status-params.ts';
import type { RemoteArticle, RemoteEvent, RemoteStatus } from './remote/remote-status.ts';
import type { StoredContentType } from './post/content-type.ts';
import type { QuoteId } from '../quotes/index.ts';
import type { QuotePolicy } from '../users/index.ts';

/** A status that is not posted yet. */
export type ScheduledId = Id<'scheduled'>;

/** The visibilities of Mastodon. */
export type PlainVisibility = 'public' | 'unlisted' | 'private' | 'direct';

/**
 * Who may see a status. Those with `local_` are of local-only posts: only the local accounts of the same audience see them.
 * Those with `imported_` are of posts from an archive (docs/imported-posts.md): the same audience here, visitors included.
 * A condition that does not name them leaves such posts out.
 */
export type Visibility =
  | PlainVisibility
  | 'local_public'
  | 'local_unlisted'
  | 'local_private'
  | `imported_${PlainVisibility}`;

/** The parameters of a scheduled status. */
export interface ScheduledParams {
  readonly text?: string;
  readonly contentType?: ContentType;
  readonly spoilerText?: string;
  readonly visibility?: Visibility;
  readonly localOnly?: boolean;
  readonly sensitive?: boolean;
  readonly language?: string;
  readonly mediaIds?: readonly string[];
  readonly poll?: PollInput;
  readonly inReplyToId?: StatusId;
  readonly allowedMentions?: readonly AccountId[];
  readonly applicationId?: ApplicationId;
  readonly quotedStatusId?: StatusId;
  readonly quotePolicy?: QuotePolicy;
  /** As in `statuses.interaction_policy`. */
  readonly interactionPolicy?: number | null;
}

export type HeldPostState = 'pending' | 'approved' | 'rejected';

/** What is published when staff approve a held post. JSON stores dates as text. */
export type HeldParams = { readonly local: StatusParams } | { readonly remote: RemoteStatus };

/** A held post as its author and staff see it. */
export interface HeldPreview {
  /** As typed; empty for a remote post. */
  readonly text: string;
  /** Safe HTML. */
  readonly content: string;
  readonly spoilerText: string;
  readonly visibility: Visibility;
  readonly sensitive: boolean;
  readonly language: string | null;
  readonly inReplyToId: StatusId | null;
  readonly inReplyToAccountId: AccountId | null;
  readonly mentionedIds: readonly AccountId[];
  readonly tags: readonly string[];
  /** Uploads of a local post. */
  readonly mediaIds: readonly string[];
  /** Attachments of a remote post. */
  readonly media: readonly { readonly url: string; readonly description: string | null }[];
  readonly poll: { readonly options: readonly string[]; readonly multiple: boolean } | null;
}

export interface StatusTables {
  conversations: { id: ConversationId; uri: string | null; created_at: Date };
  statuses: {
    id: StatusId;
    account_id: AccountId;
    uri: string;
    url: string | null;
    local: boolean;
    /** As typed; empty for remote statuses. */
    text: Generated<string>;
    /** Format of `text`; null: text/plain. */
    content_type: StoredContentType;
    /** Safe HTML. */
    content: Generated<string>;
    spoiler_text: Generated<string>;
    sensitive: Generated<boolean>;
    language: string | null;
    visibility: Visibility;
    in_reply_to_id: StatusId | null;
    /** Stays when the parent is deleted. */
    in_reply_to_account_id: AccountId | null;
    /** A reply to another account: not shown in public timelines. */
    is_reply: Generated<boolean>;
    reblog_of_id: StatusId | null;
    conversation_id: ConversationId | null;
    application_id: ApplicationId | null;
    media_ids: Generated<MediaId[]>;
    has_media: Generated<boolean>;
    poll_id: PollId | null;
    /** Who may quote it, encoded by `encodeQuotePolicy`. */
    quote_policy: Generated<number>;
    /** Who may favourite, reply to and reblog it, encoded by `encodeInteractionPolicy`; null: everyone. */
    interaction_policy: number | null;
    created_at: Date;
    edited_at: Date | null;
    /**
     * Read from a collection of a remote server, not delivered, or imported from an archive: in profiles and threads, but in
     * no feed (docs/decisions/0166).
     */
    backfilled: Generated<boolean>;
    /** Hidden everywhere at once; a schedule deletes the row later. */
    deleted_at: Date | null;
  };
  /** What remote articles, events and files have in addition to their status. */
  status_articles: {
    status_id: StatusId;
    type: RemoteArticle['type'];
    title: string;
    /** Safe HTML, as `content`. */
    summary: string;
    content: string;
    /** Characters of the text of `content`. */
    length: number;
    event: JSONColumnType<RemoteEvent, string, string> | null;
  };
  /** Missing for a status without reactions. */
  status_stats: {
    status_id: StatusId;
    replies_count: Generated<number>;
    reblogs_count: Generated<number>;
    favourites_count: Generated<number>;
    quotes_count: Generated<number>;
    /**
     * Reactions that the server of a remote status counts in addition to those above. Null: it does not tell. Not positive: all
     * are known here. A local reaction, and the end of any, leaves them; a remote reaction that becomes known is subtracted.
     */
    unseen_replies_count: number | null;
    unseen_reblogs_count: number | null;
    unseen_favourites_count: number | null;
    /** When its server was last asked for its counts, or sent them. */
    origin_counted_at: Date | null;
    /** Raised by every statement that changes the row (docs/decisions/0028). */
    version: Generated<number>;
  };
  status_tags: { tag_id: TagId; status_id: StatusId };
  mentions: { id: RowId; status_id: StatusId; account_id: AccountId; silent: Generated<boolean> };
  favourites: {
    id: RowId;
    account_id: AccountId;
    status_id: StatusId;
    created_at: Date;
    /** ActivityPub id of a received Like; null for a local one. */
    uri: Generated<string | null>;
  };
  /** Reactions with emojis. */
  status_reactions: {
    id: RowId;
    status_id: StatusId;
    account_id: AccountId;
    /** A Unicode emoji, or the shortcode of a custom one. */
    name: string;
    /** Of the custom emoji; '': local, or Unicode. */
    domain: string;
    /** ActivityPub id of a remote one. */
    uri: string | null;
    created_at: Date;
  };
  status_reaction_counts: { status_id: StatusId; name: string; domain: string; count: number; created_at: Date };
  bookmarks: { id: RowId; account_id: AccountId; status_id: StatusId; created_at: Date };
  status_pins: { id: RowId; account_id: AccountId; status_id: StatusId; created_at: Date };
  /** All versions of edited statuses, including the first and the current one. */
  status_edits: {
    id: RowId;
    status_id: StatusId;
    /** As in `statuses`, like the next two. */
    text: Generated<string>;
    content_type: StoredContentType;
    content: string;
    spoiler_text: string;
    sensitive: boolean;
    media_ids: MediaId[];
    /** The descriptions of the media at that time. */
    media_descriptions: string[];
    /** Null: no poll. */
    poll_options: string[] | null;
    /** The quote at that time. */
    quote_id: QuoteId | null;
    created_at: Date;
  };
  scheduled_statuses: {
    id: ScheduledId;
    account_id: AccountId;
    scheduled_at: Date;
    params: JSONColumnType<ScheduledParams, string, string>;
    created_at: Date;
  };
  /** Posts that moderation rules hold until staff decide about them. */
  held_posts: {
    id: StatusId;
    account_id: AccountId;
    /** Null: local. */
    domain: string | null;
    /** Of a remote post. */
    uri: string | null;
    /** The first post of the thread that is decided as a whole; null: a single post. */
    thread_id: StatusId | null;
    state: HeldPostState;
    params: JSONColumnType<HeldParams, string, string>;
    preview: JSONColumnType<HeldPreview, string, string>;
    /** The published post. */
    status_id: StatusId | null;
    created_at: Date;
    /** Null: pending. */
    decided_at: Date | null;
    /** When staff were mailed about it. */
    mailed_at: Generated<Date | null>;
  };
  conversation_mutes: { account_id: AccountId; conversation_id: ConversationId };
  idempotency_keys: {
    account_id: AccountId;
    key: string;
    status_id: StatusId;
    /** All posts of a thread in order; null for a single post. */
    thread_ids: StatusId[] | null;
    expires_at: Date;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<StatusTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends StatusTables {}
}
