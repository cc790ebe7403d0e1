import { loadCachedAccounts, renderAccountInto, type CachedAccount } from '../accounts/index.ts';
import { renderCardInto } from '../cards/index.ts';
import { loadMediaViewer } from '../media/index.ts';
import type { App } from '../platform/app.ts';
import { asciiJson, JsonText } from '../platform/http/http-response.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { presentPoll, type PollWithEmojis } from '../polls/index.ts';
import { renderQuoteApproval, loadQuoteRelations, type QuoteRelations } from './quote-approval.ts';
import { loadQuotedStatuses, resolveQuote, listEmbeddedStatuses, type QuotedStatuses } from './quoted-statuses.ts';
import { loadViewerStates, type ViewerState } from './viewer-state.ts';
import type { Status } from './schema.ts';
import { loadCachedStatuses, type CachedStatus, type StatusContext } from './status-cache.ts';
import { loadLinkedCollections } from './tagged-collections.ts';

/** Whoever looks: a `Viewer`, or just its account; undefined for the anonymous. */
export type Viewer = { readonly accountId: AccountId } | undefined;

interface RenderContext {
  readonly viewerId: AccountId | undefined;
  readonly originals: ReadonlyMap<StatusId, CachedStatus>;
  readonly accounts: ReadonlyMap<AccountId, CachedAccount>;
  readonly viewerStates: ReadonlyMap<StatusId, ViewerState>;
  readonly quoted: QuotedStatuses;
  readonly quoteRelations: QuoteRelations;
  readonly json: StatusContext;
  /** Polls end by the clock. */
  readonly now: Date;
}

/**
 * Turns ids into API statuses as `viewer` sees them, in the order given, with a fixed number of queries. Those that are
 * gone, and reblogs of such, are left out. Does not decide who may see them: `requireVisibleStatus` and `keepVisible` do.
 */
export async function presentStatuses(app: App, viewer: Viewer, ids: readonly StatusId[]): Promise<JsonText<Status>[]> {
  const statuses = await presentStatusesById(app, viewer, ids);
  return ids.flatMap((id) => statuses.get(id) ?? []);
}

/** As `presentStatuses`, by id, for those who put them into more than one list. */
export async function presentStatusesById(
  app: App,
  viewer: Viewer,
  ids: readonly StatusId[],
): Promise<Map<StatusId, JsonText<Status>>> {
  const bodies = await loadCachedStatuses(app, ids);
  const originals = await loadOriginals(app, bodies);
  const viewerId = viewer?.accountId;
  const quoted = await loadQuotedStatuses(app, viewerId, originals);
  const whole = [...originals.values(), ...listEmbeddedStatuses(originals.values(), quoted)];
  const authors = new Set<AccountId>();
  for (const body of bodies.values()) authors.add(body.accountId);
  for (const body of whole) authors.add(body.accountId);
  const [accounts, overlays, ties, collections, media] = await Promise.all([
    loadCachedAccounts(app, [...authors]),
    viewerId === undefined ? new Map<StatusId, ViewerState>() : loadViewerStates(app, viewerId, whole),
    loadQuoteRelations(app, viewerId, whole),
    loadLinkedCollections(app, viewer, whole),
    loadMediaViewer(app, viewerId),
  ]);
  const loaded: RenderContext = {
    viewerId,
    originals,
    accounts,
    viewerStates: overlays,
    quoted,
    quoteRelations: ties,
    json: { ...media, collections },
    now: app.clock.now(),
  };
  const statuses = new Map<StatusId, JsonText<Status>>();
  for (const [id, body] of bodies) {
    const pieces = assembleStatus(body, loaded);
    if (pieces !== undefined) statuses.set(id, new JsonText(pieces));
  }
  return statuses;
}

/** One status as `viewer` sees it; 404 when it is gone. Does not decide who may see it. */
export async function presentStatus(app: App, viewer: Viewer, id: StatusId): Promise<JsonText<Status>> {
  const [status] = await presentStatuses(app, viewer, [id]);
  if (status === undefined) throw notFound();
  return status;
}

/** The statuses themselves, and for reblogs what they reblog. */
async function loadOriginals(app: App, bodies: Map<StatusId, CachedStatus>): Promise<Map<StatusId, CachedStatus>> {
  const originals = new Map<StatusId, CachedStatus>();
  const elsewhere: StatusId[] = [];
  for (const body of bodies.values()) {
    if (body.reblogOfId === null) originals.set(body.id, body);
    else if (!bodies.has(body.reblogOfId)) elsewhere.push(body.reblogOfId);
  }
  if (elsewhere.length === 0) return originals;
  for (const [id, body] of await loadCachedStatuses(app, elsewhere)) originals.set(id, body);
  return originals;
}

/** JSON in pieces, so that a page of it is joined once. */
type JsonFragments = readonly string[];

const nullJson: JsonFragments = ['null'];

function assembleStatus(body: CachedStatus, loaded: RenderContext): JsonFragments | undefined {
  const original = loaded.originals.get(body.reblogOfId ?? body.id);
  if (original === undefined) return undefined;
  const overlay = loaded.viewerStates.get(original.id);
  const parts = { reblog: nullJson, quote: renderQuote(original, loaded), viewerState: overlay };
  if (original === body) return joinStatusJson(body, original, loaded, parts);
  // Never muted on a nested reblog (STA-03).
  const nested = joinStatusJson(original, original, loaded, {
    ...parts,
    viewerState: overlay && { ...overlay, muted: false },
  });
  return nested && joinStatusJson(body, original, loaded, { reblog: nested, quote: nullJson, viewerState: overlay });
}

/** What a status quotes, with its own quote only named. */
function renderQuote({ quote }: CachedStatus, loaded: RenderContext): JsonFragments {
  if (quote === null) return nullJson;
  const { state, quoted } = resolveQuote(quote, loaded.quoted);
  const pieces =
    quoted &&
    joinStatusJson(quoted, quoted, loaded, {
      reblog: nullJson,
      quote: [renderShallowQuote(quoted, loaded)],
      viewerState: loaded.viewerStates.get(quoted.id),
    });
  if (quoted !== undefined && pieces === undefined) return [`{"state":"deleted","quoted_status":null}`];
  return [`{"state":"${state}","quoted_status":`, ...(pieces ?? nullJson), '}'];
}

function renderShallowQuote({ quote }: CachedStatus, loaded: RenderContext): string {
  if (quote === null) return 'null';
  const { state, quoted } = resolveQuote(quote, loaded.quoted);
  return `{"state":"${state}","quoted_status_id":${quoted === undefined ? 'null' : `"${quoted.id}"`}}`;
}

interface StatusParts {
  readonly reblog: JsonFragments;
  readonly quote: JsonFragments;
  readonly viewerState: ViewerState | undefined;
}

/** `original`: the status itself, or what it reblogs. */
function joinStatusJson(
  body: CachedStatus,
  original: CachedStatus,
  { viewerId, accounts, quoteRelations, json, now }: RenderContext,
  { reblog, quote, viewerState }: StatusParts,
): JsonFragments | undefined {
  const account = accounts.get(body.accountId);
  if (account === undefined) return undefined;
  const own = viewerId === body.accountId;
  const pieces: string[] = [];
  body.template.renderInto(pieces, json);
  pieces.push(own ? body.ownership.forAuthor : body.ownership.forOthers, ',', body.counters.text, ',"card":');
  if (body.card === null) pieces.push('null');
  else renderCardInto(pieces, body.card.text, { url: body.card.url, viewerId, context: json });
  pieces.push(',"poll":', body.poll === null ? 'null' : renderPoll(body.poll, viewerId, viewerState, now));
  pieces.push(',"quote":', ...quote, ',"quote_approval":', renderQuoteApproval(original, viewerId, quoteRelations));
  pieces.push(',"account":');
  renderAccountInto(pieces, account, json);
  pieces.push(',"reblog":', ...reblog);
  pieces.push(viewerId === undefined ? '' : renderViewerState(viewerState, own && isPinnable(body)), '}');
  return pieces;
}

function renderPoll(
  poll: PollWithEmojis,
  viewerId: AccountId | undefined,
  overlay: ViewerState | undefined,
  now: Date,
): string {
  const votes = overlay?.pollVotes?.choices ?? [];
  return asciiJson(presentPoll(poll, viewerId && { accountId: viewerId, votes }, now));
}

const isPinnable = ({ reblogOfId, visibility }: CachedStatus): boolean =>
  reblogOfId === null && visibility !== 'direct';

function renderViewerState(overlay: ViewerState | undefined, pinnable: boolean): string {
  if (overlay === undefined) return renderViewerState(defaultViewerState, pinnable);
  const { favourited, reblogged, muted, bookmarked, pinned } = overlay;
  if (!(pinnable || favourited || reblogged || muted || bookmarked)) return defaultViewerStateJson;
  const pin = pinnable ? `,"pinned":${pinned}` : '';
  return `,"favourited":${favourited},"reblogged":${reblogged},"muted":${muted},"bookmarked":${bookmarked}${pin},"filtered":[]`;
}

/** Of nearly all that one reads. */
const defaultViewerStateJson = ',"favourited":false,"reblogged":false,"muted":false,"bookmarked":false,"filtered":[]';
const defaultViewerState: ViewerState = {
  favourited: false,
  reblogged: false,
  bookmarked: false,
  muted: false,
  pinned: false,
};
