import { Type, type TSchema } from 'typebox';
import { type PageLimits, paginatedByOffset, readLimit, readOffset } from '../platform/http/pages.ts';
import { get, type Route } from '../platform/http/routes.ts';
import { Status } from '../statuses/index.ts';
import { Tag } from '../tags/index.ts';
import { TrendingLink } from './schema.ts';
import { tagRoutes } from './tag-routes.ts';

const few: PageLimits = { standard: 10, most: 20 };
const many: PageLimits = { standard: 20, most: 40 };

export const routes: readonly Route[] = [
  trends('/api/v1/trends/tags', { what: 'hashtags', item: Tag, limits: few }),
  trends('/api/v1/trends', { what: 'hashtags, at their old address', item: Tag, limits: few, until: '2022-03-30' }),
  trends('/api/v1/trends/statuses', { what: 'posts', item: Status, limits: many }),
  trends('/api/v1/trends/links', { what: 'links', item: TrendingLink, limits: few }),
  ...tagRoutes,
];

interface Listing {
  readonly what: string;
  readonly item: TSchema;
  readonly limits: PageLimits;
  /** Date since which the route is deprecated. */
  readonly until?: string;
}

/** A listing of what trends. Only what staff approved is listed, and they cannot approve anything yet. */
function trends(path: string, { what, item, limits, until }: Listing): Route {
  return get(path, {
    summary: `Trending ${what}; none, since staff cannot approve any yet`,
    access: 'anyone',
    ...(until !== undefined && { deprecatedSince: until }),
    input: Type.Object({
      limit: Type.Optional(Type.Integer({ description: `${limits.standard} when not given, at most ${limits.most}` })),
      offset: Type.Optional(Type.Integer()),
    }),
    response: Type.Array(item),
    handle: ({ app, request, input }) =>
      paginatedByOffset(app, request, {
        json: [],
        offset: readOffset(input.offset),
        limit: readLimit(input.limit, limits),
        more: false,
      }),
  });
}
