import { loadCachedAccounts, renderAccountInto, type CachedAccount } from '../../accounts/present/index.ts';
import { renderCardInto } from '../../cards/index.ts';
import { loadFilterMatcher, type FilterMatcher } from '../../filters/index.ts';
import { loadMediaViewer } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import { asciiJson, JsonText } from '../../platform/http/http-response.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { presentPoll, type PollWithEmojis } from '../../polls/read/index.ts';
import { renderQuoteApproval, loadQuoteRelations, type QuoteRelations } from '../../quotes/policy/index.ts';
import { renderReactions } from '../emoji-reactions/cached-reactions.ts';
import { loadOwnReactions, type OwnReactions } from '../emoji-reactions/own-reactions.ts';
import { loadArticles } from './articles.ts';
import type { CachedStatus, StatusContext } from './cached-status.ts';
import {
  loadQuotedStatuses,
  resolveQuote,
  listEmbeddedStatuses,
  type QuotedStatuses,
} from '../quote/quoted-statuses.ts';
import { defaultViewerState, loadViewerStates, type ViewerState } from './viewer-state.ts';
import type { Status } from '../schema.ts';
import { plainVisibility } from '../visibility/visibility.ts';
import { loadCachedStatuses } from './status-cache.ts';
import { loadLinkedCollections } from './tagged-collections.ts';

/** The account that a status is presented to; undefined: anonymous. */
export type Viewer = { readonly accountId: AccountId } | undefined;

interface RenderContext {
  readonly viewerId: AccountId | undefined;
  readonly originals: ReadonlyMap<StatusId, CachedStatus>;
  readonly accounts: ReadonlyMap<AccountId, CachedAccount>;
  readonly viewerStates: ReadonlyMap<StatusId, ViewerState>;
  readonly quoted: QuotedStatuses;
  readonly quoteRelations: QuoteRelations;
  readonly ownReactions: OwnReactions;
  /** Undefined: anonymous. */
  readonly filters: FilterMatcher | undefined;
  /** Fills the slots of the cached JSON. */
  readonly json: StatusContext;
  /** The articles that are shown completely. */
  readonly articles: ReadonlyMap<StatusId, string>;
  /** Decides whether a poll has expired. */
  readonly now: Date;
}

/**
 * Returns the statuses as `viewer` sees them, in the order of `ids`, with a fixed number of queries. Leaves out deleted
 * statuses and their reblogs. Does not check visibility: `requireVisibleStatus` and `filterVisibleStatuses` do.
 */
export async function presentStatuses(app: App, viewer: Viewer, ids: readonly StatusId[]): Promise<JsonText<Status>[]> {
  const statuses = await presentStatusesById(app, viewer, ids);
  return ids.flatMap((id) => statuses.get(id) ?? []);
}

interface PresentOptions {
  /** It is known that the viewer has done nothing with the statuses. */
  readonly hasDefaultState?: boolean;
  /** Shows articles completely. */
  readonly withArticles?: boolean;
}

/** Like `presentStatuses`, by id. */
export async function presentStatusesById(
  app: App,
  viewer: Viewer,
  ids: readonly StatusId[],
  { hasDefaultState = false, withArticles = false }: PresentOptions = {},
): Promise<Map<StatusId, JsonText<Status>>> {
  const statuses = await loadCachedStatuses(app, ids);
  const originals = await loadOriginals(app, statuses);
  const viewerId = viewer?.accountId;
  const quoted = await loadQuotedStatuses(app, viewerId, originals);
  const rendered = [...originals.values(), ...listEmbeddedStatuses(originals.values(), quoted)];
  const authorIds = new Set<AccountId>();
  for (const { accountId } of statuses.values()) authorIds.add(accountId);
  for (const { accountId } of rendered) authorIds.add(accountId);
  const [accounts, viewerStates, ownReactions, quoteRelations, filters, collections, media, articles] =
    await Promise.all([
      loadCachedAccounts(app, authorIds),
      viewerId === undefined || hasDefaultState
        ? new Map<StatusId, ViewerState>()
        : loadViewerStates(app, viewerId, rendered),
      loadOwnReactions(app, hasDefaultState ? undefined : viewerId, rendered),
      loadQuoteRelations(app, viewerId, rendered),
      viewerId === undefined ? undefined : loadFilterMatcher(app, viewerId),
      loadLinkedCollections(app, viewer, rendered),
      loadMediaViewer(app, viewerId),
      loadArticles(
        app,
        withArticles ? [...originals.values()].flatMap(({ id, article }) => (article === undefined ? [] : [id])) : [],
      ),
    ]);
  const context: RenderContext = {
    viewerId,
    originals,
    accounts,
    viewerStates,
    quoted,
    quoteRelations,
    ownReactions,
    filters,
    json: { ...media, collections },
    articles,
    now: app.clock.now(),
  };
  const presented = new Map<StatusId, JsonText<Status>>();
  for (const [id, status] of statuses) {
    const fragments = assembleStatus(status, context);
    if (fragments !== undefined) presented.set(id, new JsonText(fragments));
  }
  return presented;
}

/** Like `presentStatuses` for one status. Throws 404 if it was deleted. */
export async function presentStatus(
  app: App,
  viewer: Viewer,
  id: StatusId,
  options?: PresentOptions,
): Promise<JsonText<Status>> {
  const status = (await presentStatusesById(app, viewer, [id], options)).get(id);
  if (status === undefined) throw notFound();
  return status;
}

/** Returns the statuses that are no reblogs, and the originals of the reblogs. */
async function loadOriginals(
  app: App,
  statuses: ReadonlyMap<StatusId, CachedStatus>,
): Promise<Map<StatusId, CachedStatus>> {
  const originals = new Map<StatusId, CachedStatus>();
  const missing: StatusId[] = [];
  for (const status of statuses.values()) {
    if (status.reblogOfId === null) originals.set(status.id, status);
    else if (!statuses.has(status.reblogOfId)) missing.push(status.reblogOfId);
  }
  if (missing.length === 0) return originals;
  for (const [id, status] of await loadCachedStatuses(app, missing)) originals.set(id, status);
  return originals;
}

const noReactions: ReadonlySet<string> = new Set();

/** JSON in fragments, so that a page of statuses is joined only once. */
type JsonFragments = readonly string[];

const nullJson: JsonFragments = ['null'];

function assembleStatus(status: CachedStatus, context: RenderContext): JsonFragments | undefined {
  const original = context.originals.get(status.reblogOfId ?? status.id);
  if (original === undefined) return undefined;
  const viewerState = context.viewerStates.get(original.id);
  // A reblog and its original match the same filters.
  const filtered = context.filters?.matchJson(original, status === original ? undefined : status.id);
  const parts = { reblog: nullJson, quote: renderQuote(original, context), viewerState, filtered };
  if (original === status) return joinStatusJson(status, original, context, parts);
  // A nested reblog is never muted (STA-03).
  const nested = joinStatusJson(original, original, context, {
    ...parts,
    viewerState: viewerState && { ...viewerState, muted: false },
  });
  return nested && joinStatusJson(status, original, context, { ...parts, reblog: nested, quote: nullJson });
}

/** Renders the quote of a status. The quote of the quoted status is shallow. */
function renderQuote({ quote }: CachedStatus, context: RenderContext): JsonFragments {
  if (quote === null) return nullJson;
  const { state, quoted } = resolveQuote(quote, context.quoted);
  const fragments =
    quoted &&
    joinStatusJson(quoted, quoted, context, {
      reblog: nullJson,
      quote: [renderShallowQuote(quoted, context)],
      viewerState: context.viewerStates.get(quoted.id),
      filtered: context.filters?.matchJson(quoted),
    });
  if (quoted !== undefined && fragments === undefined) return [`{"state":"deleted","quoted_status":null}`];
  return [`{"state":"${state}","quoted_status":`, ...(fragments ?? nullJson), '}'];
}

function renderShallowQuote({ quote }: CachedStatus, context: RenderContext): string {
  if (quote === null) return 'null';
  const { state, quoted } = resolveQuote(quote, context.quoted);
  return `{"state":"${state}","quoted_status_id":${quoted === undefined ? 'null' : `"${quoted.id}"`}}`;
}

interface StatusParts {
  readonly reblog: JsonFragments;
  readonly quote: JsonFragments;
  readonly viewerState: ViewerState | undefined;
  /** JSON of the viewer's filters that match; undefined: anonymous. */
  readonly filtered: string | undefined;
}

/** Renders a status. `original`: the status itself, or the original of a reblog. */
function joinStatusJson(
  status: CachedStatus,
  original: CachedStatus,
  { viewerId, accounts, quoteRelations, ownReactions, json, articles, now }: RenderContext,
  { reblog, quote, viewerState, filtered }: StatusParts,
): JsonFragments | undefined {
  const account = accounts.get(status.accountId);
  if (account === undefined) return undefined;
  const isAuthor = viewerId === status.accountId;
  const fragments: string[] = [];
  status.template.renderInto(fragments, json);
  const { ownership, counters, card, poll } = status;
  if (ownership !== undefined) fragments.push(isAuthor ? ownership.forAuthor : ownership.forOthers);
  fragments.push(counters.jsonMembers);
  if (status.reactions.length > 0) {
    const own = viewerId === undefined ? undefined : (ownReactions.get(status.id) ?? noReactions);
    fragments.push(',"reactions":', renderReactions(status.reactions, own, json));
  }
  if (card === null && poll === null && quote === nullJson) fragments.push(',"card":null,"poll":null,"quote":null');
  else {
    fragments.push(',"card":');
    if (card === null) fragments.push('null');
    else renderCardInto(fragments, card.text, { url: card.url, viewerId, context: json });
    fragments.push(',"poll":', poll === null ? 'null' : renderPoll(poll, viewerId, viewerState, now));
    fragments.push(',"quote":', ...quote);
  }
  fragments.push(',"quote_approval":', renderQuoteApproval(original, viewerId, quoteRelations), ',"account":');
  renderAccountInto(fragments, account, json);
  if (status.article !== undefined) fragments.push(',"fieldfare":', status.article, articles.get(status.id) ?? '', '}');
  if (reblog === nullJson) fragments.push(',"reblog":null');
  else fragments.push(',"reblog":', ...reblog);
  fragments.push(
    filtered === undefined
      ? '}'
      : renderViewerState(viewerState ?? defaultViewerState, { hasPin: isAuthor && isPinnable(status), filtered }),
  );
  return fragments;
}

function renderPoll(
  poll: PollWithEmojis,
  viewerId: AccountId | undefined,
  viewerState: ViewerState | undefined,
  now: Date,
): string {
  const votes = viewerState?.pollVotes;
  const choices = votes?.pollId === poll.id && votes.round === poll.round ? votes.choices : [];
  return asciiJson(presentPoll(poll, viewerId && { accountId: viewerId, votes: choices }, now));
}

const isPinnable = ({ reblogOfId, visibility }: CachedStatus): boolean =>
  reblogOfId === null && plainVisibility(visibility) !== 'direct';

/** Returns the viewer's state as the last members of a status, with its closing brace. */
function renderViewerState(
  state: ViewerState,
  { hasPin, filtered }: { readonly hasPin: boolean; readonly filtered: string },
): string {
  const { favourited, reblogged, muted, bookmarked, pinned } = state;
  if (!(hasPin || favourited || reblogged || muted || bookmarked || filtered !== '[]')) return defaultViewerStateJson;
  const pin = hasPin ? `,"pinned":${pinned}` : '';
  return `,"favourited":${favourited},"reblogged":${reblogged},"muted":${muted},"bookmarked":${bookmarked}${pin},"filtered":${filtered}}`;
}

/** The state of nearly every status that a viewer reads. */
const defaultViewerStateJson = ',"favourited":false,"reblogged":false,"muted":false,"bookmarked":false,"filtered":[]}';
