import { Type, type TSchema } from 'typebox';
import { Tag } from '../hashtags/index.ts';
import { type PageLimits, paginatedByOffset, clampLimit, clampOffset } from '../platform/http/pages.ts';
import { get, type Route } from '../platform/http/routes.ts';
import { Status } from '../statuses/index.ts';
import { TrendingLink } from './schema.ts';

const smallPage: PageLimits = { defaultLimit: 10, maxLimit: 20 };
const largePage: PageLimits = { defaultLimit: 20, maxLimit: 40 };

export const routes: readonly Route[] = [
  trendsRoute('/api/v1/trends/tags', { label: 'hashtags', item: Tag, limits: smallPage }),
  trendsRoute('/api/v1/trends', {
    label: 'hashtags, at the old address',
    item: Tag,
    limits: smallPage,
    deprecatedSince: '2022-03-30',
  }),
  trendsRoute('/api/v1/trends/statuses', { label: 'posts', item: Status, limits: largePage }),
  trendsRoute('/api/v1/trends/links', { label: 'links', item: TrendingLink, limits: smallPage }),
];

interface TrendListing {
  readonly label: string;
  readonly item: TSchema;
  readonly limits: PageLimits;
  /** Date since which the route is deprecated. */
  readonly deprecatedSince?: string;
}

/** Lists approved trends. Empty, because there is no way to approve any yet. */
function trendsRoute(path: string, { label, item, limits, deprecatedSince }: TrendListing): Route {
  return get(path, {
    summary: `List trending ${label} (empty: there is no way to approve any yet)`,
    access: 'anyone',
    ...(deprecatedSince !== undefined && { deprecatedSince }),
    input: Type.Object({
      limit: Type.Optional(Type.Integer({ description: `Default ${limits.defaultLimit}, maximum ${limits.maxLimit}` })),
      offset: Type.Optional(Type.Integer()),
    }),
    response: Type.Array(item),
    handle: ({ app, request, input }) =>
      paginatedByOffset(app, request, {
        json: [],
        offset: clampOffset(input.offset),
        limit: clampLimit(input.limit, limits),
        more: false,
      }),
  });
}
