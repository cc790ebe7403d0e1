import type { RemoteMedia } from '../../media/remote/index.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import type { RemotePoll } from '../../polls/index.ts';
import type { Visibility } from '../tables.ts';

/** The quote of a remote status, as received. */
export interface RemoteQuote {
  /** The ActivityPub id of the quoted post. */
  readonly uri: string;
  /** The id of the quoted post, if it is known. */
  readonly quotedId: StatusId | undefined;
  /** The id of the QuoteAuthorization that the quote refers to. */
  readonly approvalUri: string | undefined;
  /** Written in a format without approval. */
  readonly legacy: boolean;
  /** The quoted post was deleted. */
  readonly quotedDeleted: boolean;
  /** Length of the chain of quotes that led to the quoting post. */
  readonly depth?: number | undefined;
}

/** A remote article, event or file. The text of its status has only title, summary and link. */
export interface RemoteArticle {
  readonly type: 'Article' | 'Page' | 'Event' | 'Video' | 'Audio' | 'Image';
  /** Plain text; may be empty. */
  readonly title: string;
  /** Safe HTML; may be empty. */
  readonly summary: string;
  /** Safe HTML of `sanitizeArticle`; may be empty. */
  readonly content: string;
  readonly event: RemoteEvent | null;
}

/** When and where an event takes place. */
export interface RemoteEvent {
  /** ISO 8601. */
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly place: string | null;
  readonly cancelled: boolean;
}

/** How the author of its parent consents to a reply. */
export interface ReplyApproval {
  readonly state: 'pending' | 'accepted';
  /** Id of the request that a remote server sent for it. */
  readonly requestUri?: string | undefined;
  /** The verified authorization by a remote author. */
  readonly authorizationUri?: string | undefined;
}

/** How often a remote status was replied to, reblogged and favourited, as its server counts. Undefined: it does not tell. */
export type OriginCounts = Readonly<Record<'replies' | 'reblogs' | 'favourites', number | undefined>>;

/** A received status. The caller has verified that `accountId` owns `uri`. */
export interface RemoteStatus {
  readonly uri: string;
  /** Its web page. */
  readonly url?: string | null | undefined;
  readonly accountId: AccountId;
  /** HTML, not yet sanitised. */
  readonly content: string;
  readonly article?: RemoteArticle | undefined;
  /** Plain text. */
  readonly spoilerText?: string | null | undefined;
  readonly sensitive?: boolean | undefined;
  readonly language?: string | null | undefined;
  readonly visibility: Visibility;
  readonly inReplyToId?: StatusId | null | undefined;
  /** Used if `inReplyToId` is missing. A status with an unknown parent is a reply to another account. */
  readonly inReplyToUri?: string | null | undefined;
  readonly conversationUri?: string | null | undefined;
  /** Known accounts; silent ones are recipients that the text does not name. */
  readonly mentions?: readonly { readonly accountId: AccountId; readonly silent?: boolean }[] | undefined;
  /** With or without `#`. */
  readonly tags?: readonly string[] | undefined;
  /** ActivityPub ids of collections that it names in addition to the links in its content. */
  readonly collectionUris?: readonly string[] | undefined;
  readonly attachments?: readonly RemoteMedia[] | undefined;
  readonly poll?: RemotePoll | undefined;
  readonly quote?: RemoteQuote | undefined;
  /** Who may quote it, encoded by `encodeQuotePolicy`; missing: only the author. */
  readonly quotePolicy?: number | undefined;
  /** Who may favourite, reply to and reblog it, encoded by `encodeInteractionPolicy`; missing or null: everyone. */
  readonly interactionPolicy?: number | null | undefined;
  /** How the author of its parent consents to it. */
  readonly approval?: ReplyApproval | undefined;
  readonly counts?: OriginCounts | undefined;
  /** Time of the last edit. */
  readonly updatedAt?: Date | undefined;
  /** Read from the outbox of its author, not delivered: no news. */
  readonly backfilled?: boolean | undefined;
  /** A time in the future counts as now. */
  readonly publishedAt: Date;
}
