import type { AccountContext } from '../../accounts/present/index.ts';
import type { CardJson } from '../../cards/index.ts';
import type { SearchableText } from '../../filters/index.ts';
import type { JsonTemplate } from '../../platform/http/json-template.ts';
import type { AccountId, CollectionId, ConversationId, StatusId } from '../../platform/ids.ts';
import type { PollWithEmojis } from '../../polls/read/index.ts';
import type { QuoteId, QuoteState } from '../../quotes/index.ts';
import type { CachedReaction } from '../emoji-reactions/cached-reactions.ts';
import type { StatusCounters } from './status-counters.ts';
import type { Visibility } from '../tables.ts';
import type { CollectionsContext } from './tagged-collections.ts';

/** A quote before it is decided whether the viewer may see it. */
export interface CachedQuote {
  readonly id: QuoteId;
  readonly state: QuoteState;
  /** Null: unknown (so far) or deleted. */
  readonly quotedId: StatusId | null;
}

/** What the JSON of a cached status depends on. */
export type StatusContext = AccountContext & CollectionsContext;

/** What is the same for every viewer of a status: the facts that decide who sees it, and most of its JSON. */
export interface CachedStatus {
  readonly id: StatusId;
  readonly accountId: AccountId;
  readonly uri: string;
  /** Its web page. */
  readonly url: string | null;
  readonly local: boolean;
  /** As stored; `visibilityToOthers` is what others see of it. */
  readonly visibility: Visibility;
  readonly reblogOfId: StatusId | null;
  readonly inReplyToId: StatusId | null;
  readonly inReplyToAccountId: AccountId | null;
  /** A reply to another account than its author. */
  readonly isReply: boolean;
  readonly conversationId: ConversationId | null;
  /** All recipients, including those that the text does not name. */
  readonly mentionedIds: readonly AccountId[];
  /** The recipients that the text names. */
  readonly namedIds: readonly AccountId[];
  readonly language: string | null;
  readonly hasMedia: boolean;
  /** Staff marked all media of the author as sensitive. */
  readonly isAuthorSensitized: boolean;
  /** Names of its hashtags, normalised. */
  readonly tags: readonly string[];
  readonly createdAt: Date;
  readonly poll: PollWithEmojis | null;
  /** Linked collections. What they show depends on the viewer. */
  readonly collectionIds: readonly CollectionId[];
  readonly quote: CachedQuote | null;
  /** Who may quote it, encoded by `encodeQuotePolicy`. */
  readonly quotePolicy: number;
  /** Who may favourite, reply to and reblog it, encoded by `encodeInteractionPolicy`; null: everyone. */
  readonly interactionPolicy: number | null;
  /** The preview card, and the address as the status has it. */
  readonly card: { readonly text: CardJson; readonly url: string } | null;
  /** `fieldfare` without the closing brace; undefined: no remote article, event or file. */
  readonly article: string | undefined;
  /** Reactions with emojis. If there are none, `template` has the empty list. */
  readonly reactions: readonly CachedReaction[];
  readonly counters: StatusCounters;
  /**
   * Its JSON without the closing brace, the counters, `account`, `card`, `poll`, `quote`, `quote_approval`,
   * `fieldfare`, `reblog` and the viewer's state.
   */
  readonly template: JsonTemplate<StatusContext>;
  /**
   * `visibility`, `sensitive` and `application` as members of its JSON, each after a comma. Undefined: they are in
   * `template`.
   */
  readonly ownership: { readonly forAuthor: string; readonly forOthers: string } | undefined;
  /** What keywords of filters are looked for in. Empty for a reblog. */
  readonly searchableText: SearchableText;
}
