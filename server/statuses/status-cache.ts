import type { AccountContext } from '../accounts/index.ts';
import { loadCardJson, type CardJson } from '../cards/index.ts';
import { buildCachedEmojis, localEmojisChanged } from '../emojis/index.ts';
import type { App } from '../platform/app.ts';
import { defineCache, evict, evictAll, patch } from '../platform/caching/define-cache.ts';
import type { JsonTemplate } from '../platform/http/json-template.ts';
import type { AccountId, CollectionId, ConversationId, PollId, StatusId } from '../platform/ids.ts';
import { loadPolls, type PollWithEmojis } from '../polls/index.ts';
import { statusChanged, statusCountersChanged } from './events.ts';
import { loadStatusRows, type StatusRow } from './status-rows.ts';
import type { QuoteId, QuoteState } from '../quotes/index.ts';
import { domainPolicyEvents } from '../site/index.ts';
import { loadStatusAttachments } from './load-attachments.ts';
import { hasNewerCounters, type StatusCounters } from './status-counters.ts';
import { renderCachedStatus } from './render-status.ts';
import type { CollectionsContext } from './tagged-collections.ts';
import type { Visibility } from './tables.ts';

/** What a status quotes, whoever may see that. */
export interface CachedQuote {
  readonly id: QuoteId;
  readonly state: QuoteState;
  /** Null: not known here (yet), or gone for good. */
  readonly quotedId: StatusId | null;
}

/** What the JSON of a cached status depends on. */
export type StatusContext = AccountContext & CollectionsContext;

/** What is the same for every viewer of a status: the facts that decide who sees it, and most of its JSON as text. */
export interface CachedStatus {
  readonly id: StatusId;
  readonly accountId: AccountId;
  readonly uri: string;
  /** Its page for people. */
  readonly url: string | null;
  readonly local: boolean;
  readonly visibility: Visibility;
  readonly reblogOfId: StatusId | null;
  readonly inReplyToId: StatusId | null;
  readonly inReplyToAccountId: AccountId | null;
  /** A reply to somebody else than its author. */
  readonly isReply: boolean;
  readonly conversationId: ConversationId | null;
  /** Everybody addressed, also those not named in the text. */
  readonly mentionedIds: readonly AccountId[];
  /** Those of them whom the text names. */
  readonly namedIds: readonly AccountId[];
  readonly language: string | null;
  readonly createdAt: Date;
  readonly poll: PollWithEmojis | null;
  /** Collections that it links to; what they show depends on the viewer. */
  readonly collectionIds: readonly CollectionId[];
  readonly quote: CachedQuote | null;
  /** Who may quote it, as `storedPolicy` makes it. */
  readonly quotePolicy: number;
  /** What the page says that it links to, and the address as it has it. */
  readonly card: { readonly text: CardJson; readonly url: string } | null;
  readonly counters: StatusCounters;
  /**
   * Its JSON without the closing brace, the counters, `account`, `application`, `card`, `poll`, `quote`,
   * `quote_approval`, `reblog`, `sensitive` and the viewer's state.
   */
  readonly template: JsonTemplate<StatusContext>;
  /** `sensitive` and `application` as members of its JSON, each after a comma. */
  readonly ownership: { readonly forAuthor: string; readonly forOthers: string };
}

const statusCache = defineCache<StatusId, CachedStatus>({
  name: 'statuses.statuses',
  maxSize: 20_000,
  ttlMs: 60_000,
  loadMany: queryCachedStatuses,
  evictOn: [
    evict(statusChanged, ({ statusId }) => [statusId]),
    patch(
      statusCountersChanged,
      ({ id }) => id,
      (body, counters) => (hasNewerCounters(counters, body.counters) ? { ...body, counters } : body),
    ),
    evictAll(localEmojisChanged, ...domainPolicyEvents),
  ],
});

/** Returns cached statuses by id, without visibility checks. Deleted and unknown ones are missing. */
export const loadCachedStatuses = (app: App, ids: readonly StatusId[]): Promise<Map<StatusId, CachedStatus>> =>
  statusCache.getMany(app, ids);

async function queryCachedStatuses(app: App, ids: readonly StatusId[]): Promise<Map<StatusId, CachedStatus>> {
  const rows = await loadStatusRows(app, { ids });
  const cardIds = rows.flatMap(({ card_id }) => card_id ?? []);
  const pollIds = rows.flatMap(({ poll_id }) => poll_id ?? []);
  const [media, cards, polls] = await Promise.all([
    loadStatusAttachments(app, rows),
    loadCardJson(app, cardIds),
    loadPolls(app, pollIds),
  ]);
  const emojis = await buildCachedEmojis(
    app,
    rows.map((row) => ({ domain: row.author_domain, texts: textsWithEmojis(row, polls) })),
  );
  const bodies = rows.map((row, place) => {
    const text = row.card_id === null ? undefined : cards.get(row.card_id);
    const card = text === undefined || row.card_url === null ? null : { text, url: row.card_url };
    const poll = (row.poll_id === null ? undefined : polls.get(row.poll_id)) ?? null;
    return renderCachedStatus(app, row, { media: media.get(row.id) ?? [], emojis: emojis[place] ?? [], card, poll });
  });
  return new Map(bodies.map((body) => [body.id, body]));
}

/** Where emojis may stand. */
function textsWithEmojis(
  { content, spoiler_text, poll_id }: StatusRow,
  polls: ReadonlyMap<PollId, PollWithEmojis>,
): string[] {
  const options = poll_id === null ? undefined : polls.get(poll_id)?.options;
  return [spoiler_text, content, ...(options ?? [])];
}

/** What a reblog reblogs; any other id as it is, also that of a status which is gone. */
export async function resolveOriginalId(app: App, id: StatusId): Promise<StatusId> {
  return (await loadCachedStatuses(app, [id])).get(id)?.reblogOfId ?? id;
}
