import { Type, type TSchema } from 'typebox';
import { get, type Route } from '../platform/http/routes.ts';
import { adminRoutes } from './admin-routes.ts';
import { listApprovedTrends, pageLimits } from './list-trends.ts';
import { TrendingLink, TrendingStatus, TrendingTag } from './schema.ts';
import type { TrendKind } from './tables.ts';

interface TrendListing {
  readonly label: string;
  readonly kind: TrendKind;
  readonly item: TSchema;
  /** Date since which the route is deprecated. */
  readonly deprecatedSince?: string;
}

export const routes: readonly Route[] = [
  trendsRoute('/api/v1/trends/tags', { label: 'hashtags', kind: 'tag', item: TrendingTag }),
  trendsRoute('/api/v1/trends', {
    label: 'hashtags, at the old address',
    kind: 'tag',
    item: TrendingTag,
    deprecatedSince: '2022-03-30',
  }),
  trendsRoute('/api/v1/trends/statuses', { label: 'posts', kind: 'status', item: TrendingStatus }),
  trendsRoute('/api/v1/trends/links', { label: 'links', kind: 'link', item: TrendingLink }),
  ...adminRoutes,
];

/** Lists the trends that staff approved. */
function trendsRoute(path: string, { label, kind, item, deprecatedSince }: TrendListing): Route {
  const { defaultLimit, maxLimit } = pageLimits[kind];
  return get(path, {
    summary: `List trending ${label}`,
    hasEtag: true,
    access: 'anyone',
    readsReplica: 'always',
    ...(deprecatedSince !== undefined && { deprecatedSince }),
    input: Type.Object({
      limit: Type.Optional(Type.Integer({ description: `Default ${defaultLimit}, maximum ${maxLimit}` })),
      offset: Type.Optional(Type.Integer()),
    }),
    response: Type.Array(item),
    handle: (query) => listApprovedTrends(query, kind),
  });
}
