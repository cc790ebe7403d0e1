import type { Tag } from '../hashtags/index.ts';
import type { App } from '../platform/app.ts';
import { type HttpResponse, joinJsonList, type JsonText } from '../platform/http/http-response.ts';
import { clampLimit, clampOffset, paginatedByOffset, type PageLimits } from '../platform/http/pages.ts';
import type { CurrentUser, RequestContext } from '../platform/http/routes.ts';
import { siteSettings } from '../site/index.ts';
import { filterVisibleStatuses } from '../statuses/read/index.ts';
import { findApprovedTrends, findTrends, type Trend } from './find-trends.ts';
import { preferredLanguages } from './preferred-languages.ts';
import {
  presentLinks,
  presentReviewedLinks,
  presentReviewedStatuses,
  presentReviewedTags,
  presentTrendingStatuses,
  presentTrendingTags,
} from './present-trends.ts';
import type { TrendKind } from './tables.ts';

/** A request for a page of trends. */
export interface TrendsRequest<Viewer> {
  readonly app: App;
  readonly viewer: Viewer;
  readonly input: { readonly limit?: number; readonly offset?: number };
  readonly request: RequestContext;
}

export const pageLimits: Readonly<Record<TrendKind, PageLimits>> = {
  tag: { defaultLimit: 10, maxLimit: 20 },
  status: { defaultLimit: 20, maxLimit: 40 },
  link: { defaultLimit: 10, maxLimit: 20 },
};

/** Returns a page of approved trends, those in the viewer's languages first. Empty if the site shows no trends. */
export async function listApprovedTrends(
  { app, viewer, input, request }: TrendsRequest<CurrentUser | undefined>,
  kind: TrendKind,
): Promise<HttpResponse> {
  const visible = await findVisibleTrends({ app, viewer, request }, kind);
  return respond({ app, viewer, input, request }, kind, visible, (trends) =>
    presentApproved(app, viewer, kind, trends),
  );
}

/** Returns all approved trends that a viewer sees, those in the viewer's languages first. Empty if the site shows none. */
export async function findVisibleTrends(
  { app, viewer, request }: Omit<TrendsRequest<CurrentUser | undefined>, 'input'>,
  kind: TrendKind,
): Promise<readonly Trend[]> {
  const [{ showTrends }, languages] = await Promise.all([siteSettings(app), preferredLanguages(app, viewer, request)]);
  const approved = showTrends ? await findApprovedTrends(app, kind, languages) : [];
  return kind === 'status' ? filterVisible(app, viewer, approved) : approved;
}

/** Returns a page of all trends for staff, highest score first. */
export async function listReviewedTrends(query: TrendsRequest<CurrentUser>, kind: TrendKind): Promise<HttpResponse> {
  const { app, viewer } = query;
  return respond(query, kind, await findTrends(app, kind), (trends) => {
    if (kind === 'tag') return presentReviewedTags(app, viewer, trends);
    return kind === 'status' ? presentReviewedStatuses(app, viewer, trends) : presentReviewedLinks(app, viewer, trends);
  });
}

async function filterVisible(
  app: App,
  viewer: CurrentUser | undefined,
  trends: readonly Trend[],
): Promise<readonly Trend[]> {
  const ids = trends.map(({ id }) => id);
  const visible = new Set<string>(await filterVisibleStatuses(app, viewer?.accountId, ids, 'public'));
  return trends.filter(({ id }) => visible.has(id));
}

async function presentApproved(
  app: App,
  viewer: CurrentUser | undefined,
  kind: TrendKind,
  trends: readonly Trend[],
): Promise<readonly (Tag | JsonText<unknown>)[]> {
  if (kind === 'tag') return presentTrendingTags(app, viewer, trends);
  if (kind === 'link') return presentLinks(app, viewer, trends);
  return presentTrendingStatuses(app, viewer, trends);
}

async function respond<Viewer>(
  { app, input, request }: TrendsRequest<Viewer>,
  kind: TrendKind,
  trends: readonly Trend[],
  present: (trends: readonly Trend[]) => Promise<readonly unknown[]>,
): Promise<HttpResponse> {
  const offset = clampOffset(input.offset);
  const limit = clampLimit(input.limit, pageLimits[kind]);
  const items = await present(trends.slice(offset, offset + limit));
  const json = kind === 'tag' ? items : joinJsonList(items as readonly JsonText<unknown>[]);
  return paginatedByOffset(app, request, { json, offset, limit, more: trends.length > offset + limit });
}
