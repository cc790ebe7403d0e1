import type { App } from '../platform/app.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { listingFacts, loadViewerContext, type ViewerContext } from './filter-visible-statuses.ts';
import type { CachedQuote, CachedStatus } from './cached-status.ts';
import { loadCachedStatuses } from './status-cache.ts';
import { quotedVisibility } from './visibility.ts';

/** What statuses quote, and what those quote in turn, with all that decides whether a viewer sees it. */
export interface QuotedStatuses {
  readonly statuses: ReadonlyMap<StatusId, CachedStatus>;
  readonly viewerContext: ViewerContext | undefined;
}

/** How a quote stands for a viewer, and what it quotes if that is shown. */
export interface VisibleQuote {
  readonly state: string;
  readonly quoted: CachedStatus | undefined;
}

const noQuotedStatuses: QuotedStatuses = { statuses: new Map(), viewerContext: undefined };

/** What `bodies` quote; asks nothing when none of them quotes, which is how most pages are. */
export async function loadQuotedStatuses(
  app: App,
  viewerId: AccountId | undefined,
  bodies: ReadonlyMap<StatusId, CachedStatus>,
): Promise<QuotedStatuses> {
  const ids = acceptedQuotedIds(bodies.values());
  if (ids.length === 0) return noQuotedStatuses;
  const quoted = await loadCachedStatuses(app, ids);
  const below = acceptedQuotedIds(quoted.values()).filter((id) => !quoted.has(id));
  const all = below.length === 0 ? quoted : new Map([...quoted, ...(await loadCachedStatuses(app, below))]);
  return { statuses: all, viewerContext: await loadViewerContext(app, viewerId, [...all.values()]) };
}

/** The statuses that are shown whole within one of `bodies`. */
export function listEmbeddedStatuses(bodies: Iterable<CachedStatus>, quoted: QuotedStatuses): CachedStatus[] {
  if (quoted.viewerContext === undefined) return [];
  const shown: CachedStatus[] = [];
  for (const { quote } of bodies) {
    const found = quote === null ? undefined : resolveQuote(quote, quoted).quoted;
    if (found !== undefined) shown.push(found);
  }
  return shown;
}

/** Says what a viewer sees of a quote: its state, else why not what is quoted. */
export function resolveQuote(quote: CachedQuote, { statuses, viewerContext }: QuotedStatuses): VisibleQuote {
  if (quote.state !== 'accepted') return { state: quote.state, quoted: undefined };
  const body = quote.quotedId === null ? undefined : statuses.get(quote.quotedId);
  if (body === undefined || viewerContext === undefined) return { state: 'deleted', quoted: undefined };
  const state = quotedVisibility(listingFacts(body, viewerContext));
  return { state, quoted: state === 'unauthorized' ? undefined : body };
}

function acceptedQuotedIds(bodies: Iterable<CachedStatus>): StatusId[] {
  const ids: StatusId[] = [];
  for (const { quote } of bodies) {
    if (quote !== null && quote.state === 'accepted' && quote.quotedId !== null) ids.push(quote.quotedId);
  }
  return ids;
}
