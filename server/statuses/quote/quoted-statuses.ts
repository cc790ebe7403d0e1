import type { App } from '../../platform/app.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { listingFacts, loadViewerContext, type ViewerContext } from '../read/filter-visible-statuses.ts';
import type { CachedQuote, CachedStatus } from '../read/cached-status.ts';
import { loadCachedStatuses } from '../read/status-cache.ts';
import { quotedVisibility } from '../read/visibility.ts';

/** Quoted statuses, two levels deep, and the context that decides whether the viewer sees them. */
export interface QuotedStatuses {
  readonly statuses: ReadonlyMap<StatusId, CachedStatus>;
  readonly viewerContext: ViewerContext | undefined;
}

/** The state of a quote for a viewer, and the quoted status if it is shown. */
export interface VisibleQuote {
  readonly state: string;
  readonly quoted: CachedStatus | undefined;
}

const noQuotedStatuses: QuotedStatuses = { statuses: new Map(), viewerContext: undefined };

/** Loads what these statuses quote. No query if none of them quotes. */
export async function loadQuotedStatuses(
  app: App,
  viewerId: AccountId | undefined,
  statuses: ReadonlyMap<StatusId, CachedStatus>,
): Promise<QuotedStatuses> {
  const ids = acceptedQuotedIds(statuses.values());
  if (ids.length === 0) return noQuotedStatuses;
  const quoted = await loadCachedStatuses(app, ids);
  const nestedIds = acceptedQuotedIds(quoted.values()).filter((id) => !quoted.has(id));
  const all = nestedIds.length === 0 ? quoted : new Map([...quoted, ...(await loadCachedStatuses(app, nestedIds))]);
  return { statuses: all, viewerContext: await loadViewerContext(app, viewerId, [...all.values()]) };
}

/** Returns the quoted statuses that are rendered inside one of these statuses. */
export function listEmbeddedStatuses(statuses: Iterable<CachedStatus>, quoted: QuotedStatuses): CachedStatus[] {
  if (quoted.viewerContext === undefined) return [];
  const shown: CachedStatus[] = [];
  for (const { quote } of statuses) {
    const found = quote === null ? undefined : resolveQuote(quote, quoted).quoted;
    if (found !== undefined) shown.push(found);
  }
  return shown;
}

/** Returns what a viewer sees of a quote. */
export function resolveQuote(quote: CachedQuote, { statuses, viewerContext }: QuotedStatuses): VisibleQuote {
  if (quote.state !== 'accepted') return { state: quote.state, quoted: undefined };
  const status = quote.quotedId === null ? undefined : statuses.get(quote.quotedId);
  if (status === undefined || viewerContext === undefined) return { state: 'deleted', quoted: undefined };
  const state = quotedVisibility(listingFacts(status, viewerContext));
  return { state, quoted: state === 'unauthorized' ? undefined : status };
}

function acceptedQuotedIds(statuses: Iterable<CachedStatus>): StatusId[] {
  const ids: StatusId[] = [];
  for (const { quote } of statuses) {
    if (quote !== null && quote.state === 'accepted' && quote.quotedId !== null) ids.push(quote.quotedId);
  }
  return ids;
}
