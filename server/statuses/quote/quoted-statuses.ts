import type { App } from '../../platform/app.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { loadViewerContexts } from '../many-viewers/filter-viewers.ts';
import { listingFacts, loadViewerContext, type ViewerContext } from '../read/filter-visible-statuses.ts';
import type { CachedQuote, CachedStatus } from '../read/cached-status.ts';
import { loadCachedStatuses } from '../read/status-cache.ts';
import { quotedVisibility } from '../visibility/visibility.ts';

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
  const all = await loadBothLevels(app, statuses);
  if (all === undefined) return noQuotedStatuses;
  return { statuses: all, viewerContext: await loadViewerContext(app, viewerId, [...all.values()]) };
}

/** Like `loadQuotedStatuses`, for many viewers. Returns undefined if none of the statuses quotes. */
export async function loadQuotedStatusesForMany(
  app: App,
  viewerIds: readonly AccountId[],
  statuses: ReadonlyMap<StatusId, CachedStatus>,
): Promise<((viewerId: AccountId) => QuotedStatuses) | undefined> {
  const all = await loadBothLevels(app, statuses);
  if (all === undefined) return undefined;
  const contextOf = await loadViewerContexts(app, viewerIds, [...all.values()]);
  return (viewerId) => ({ statuses: all, viewerContext: contextOf(viewerId) });
}

/** Returns undefined if none of these statuses quotes. */
async function loadBothLevels(
  app: App,
  statuses: ReadonlyMap<StatusId, CachedStatus>,
): Promise<ReadonlyMap<StatusId, CachedStatus> | undefined> {
  const ids = acceptedQuotedIds(statuses.values());
  if (ids.length === 0) return undefined;
  const quoted = await loadCachedStatuses(app, ids);
  const nestedIds = acceptedQuotedIds(quoted.values()).filter((id) => !quoted.has(id));
  return nestedIds.length === 0 ? quoted : new Map([...quoted, ...(await loadCachedStatuses(app, nestedIds))]);
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
