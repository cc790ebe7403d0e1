import { Type, type TSchema } from 'typebox';
import { AdminTag, presentAdminTag } from '../hashtags/admin/index.ts';
import type { App } from '../platform/app.ts';
import { notFound } from '../platform/http/http-errors.ts';
import { pageInput, paginated, parsePage } from '../platform/http/pages.ts';
import { get, post, type CurrentUser, type Route } from '../platform/http/routes.ts';
import type { JsonText } from '../platform/http/http-response.ts';
import type { StatusId, TagId } from '../platform/ids.ts';
import { idSchema } from '../platform/id-schema.ts';
import { requireVisibleOriginal } from '../statuses/read/index.ts';
import { findTagById } from '../tags/index.ts';
import { hasPermission } from '../users/access/index.ts';
import { listApprovedTrends, listReviewedTrends, pageLimits } from './list-trends.ts';
import { presentReviewedLinks, presentReviewedStatuses } from './present-trends.ts';
import { listPublishers, reviewLink, reviewPublisher, reviewStatus, reviewTrendingTag } from './review-trends.ts';
import {
  AdminTrendingLink,
  AdminTrendingStatus,
  AdminTrendingTag,
  LinkPublisher,
  TrendingLink,
  TrendingStatus,
  TrendingTag,
} from './schema.ts';
import type { LinkReviewId, PublisherId, TrendKind } from './tables.ts';

const writeAccess = { access: 'staff:manage_taxonomies', scope: 'admin:write' } as const;
const tagParams = Type.Object({ id: idSchema<'tag'>() });
const statusParams = Type.Object({ id: idSchema<'status'>() });
const linkParams = Type.Object({ id: Type.Unsafe<LinkReviewId>(idSchema<'link-review'>()) });
const publisherParams = Type.Object({ id: Type.Unsafe<PublisherId>(idSchema<'link-publisher'>()) });
const publisherLimits = { defaultLimit: 100, maxLimit: 200 };

export const adminRoutes: readonly Route[] = [
  adminTrendsRoute('/api/v1/admin/trends/tags', {
    label: 'hashtags',
    kind: 'tag',
    item: AdminTrendingTag,
    publicItem: TrendingTag,
  }),
  adminTrendsRoute('/api/v1/admin/trends/statuses', {
    label: 'posts',
    kind: 'status',
    item: AdminTrendingStatus,
    publicItem: TrendingStatus,
  }),
  adminTrendsRoute('/api/v1/admin/trends/links', {
    label: 'links',
    kind: 'link',
    item: AdminTrendingLink,
    publicItem: TrendingLink,
  }),

  post('/api/v1/admin/trends/tags/:id/approve', {
    summary: 'Allow a hashtag to trend',
    ...writeAccess,
    params: tagParams,
    response: AdminTag,
    handle: ({ app, viewer, params: { id } }) => decideOnTag(app, viewer, id, true),
  }),
  post('/api/v1/admin/trends/tags/:id/reject', {
    summary: 'Do not allow a hashtag to trend',
    ...writeAccess,
    params: tagParams,
    response: AdminTag,
    handle: ({ app, viewer, params: { id } }) => decideOnTag(app, viewer, id, false),
  }),

  post('/api/v1/admin/trends/statuses/:id/approve', {
    summary: 'Allow a post to trend',
    ...writeAccess,
    params: statusParams,
    response: AdminTrendingStatus,
    handle: ({ app, viewer, params: { id } }) => decideOnStatus(app, viewer, id, true),
  }),
  post('/api/v1/admin/trends/statuses/:id/reject', {
    summary: 'Do not allow a post to trend',
    ...writeAccess,
    params: statusParams,
    response: AdminTrendingStatus,
    handle: ({ app, viewer, params: { id } }) => decideOnStatus(app, viewer, id, false),
  }),

  post('/api/v1/admin/trends/links/:id/approve', {
    summary: 'Allow a link to trend',
    ...writeAccess,
    params: linkParams,
    response: AdminTrendingLink,
    handle: ({ app, viewer, params: { id } }) => decideOnLink(app, viewer, id, true),
  }),
  post('/api/v1/admin/trends/links/:id/reject', {
    summary: 'Do not allow a link to trend',
    ...writeAccess,
    params: linkParams,
    response: AdminTrendingLink,
    handle: ({ app, viewer, params: { id } }) => decideOnLink(app, viewer, id, false),
  }),

  get('/api/v1/admin/trends/links/publishers', {
    summary: 'List the websites of links that trended',
    access: 'staff:manage_taxonomies',
    scope: 'admin:read',
    input: Type.Object(pageInput(publisherLimits)),
    response: Type.Array(LinkPublisher),
    async handle({ app, input, request }) {
      const page = parsePage(input, publisherLimits);
      const json = await listPublishers(app, page);
      const [first, last] = [json[0], json.at(-1)];
      return paginated(app, request, {
        json,
        first: first && String(first.id),
        last: last && String(last.id),
        more: json.length >= page.limit,
      });
    },
  }),
  post('/api/v1/admin/trends/links/publishers/:id/approve', {
    summary: 'Allow links to a website to trend',
    ...writeAccess,
    params: publisherParams,
    response: LinkPublisher,
    handle: ({ app, viewer, params: { id } }) => reviewPublisher(app, viewer.accountId, { id, trendable: true }),
  }),
  post('/api/v1/admin/trends/links/publishers/:id/reject', {
    summary: 'Do not allow links to a website to trend',
    ...writeAccess,
    params: publisherParams,
    response: LinkPublisher,
    handle: ({ app, viewer, params: { id } }) => reviewPublisher(app, viewer.accountId, { id, trendable: false }),
  }),
];

interface AdminTrendListing {
  readonly label: string;
  readonly kind: TrendKind;
  readonly item: TSchema;
  readonly publicItem: TSchema;
}

/** Lists all trends for staff. Users without the permission get the approved ones, as in Mastodon. */
function adminTrendsRoute(path: string, { label, kind, item, publicItem }: AdminTrendListing): Route {
  const { defaultLimit, maxLimit } = pageLimits[kind];
  return get(path, {
    summary: `List trending ${label} for staff, with those that require a review`,
    access: 'user',
    scope: 'admin:read',
    input: Type.Object({
      limit: Type.Optional(Type.Integer({ description: `Default ${defaultLimit}, maximum ${maxLimit}` })),
      offset: Type.Optional(Type.Integer()),
    }),
    response: Type.Union([Type.Array(item), Type.Array(publicItem)]),
    handle: (query) =>
      hasPermission(query.viewer, 'manage_taxonomies')
        ? listReviewedTrends(query, kind)
        : listApprovedTrends(query, kind),
  });
}

async function decideOnTag(app: App, viewer: CurrentUser, id: TagId, trendable: boolean): Promise<AdminTag> {
  await reviewTrendingTag(app, viewer.accountId, { id, trendable });
  const tag = await findTagById(app, id);
  if (tag === undefined) throw notFound();
  return presentAdminTag(app, viewer, tag);
}

async function decideOnStatus(
  app: App,
  viewer: CurrentUser,
  id: StatusId,
  trendable: boolean,
): Promise<JsonText<AdminTrendingStatus>> {
  const original = await requireVisibleOriginal(app, viewer.accountId, id);
  await reviewStatus(app, viewer.accountId, { id: original.id, trendable });
  const [status] = await presentReviewedStatuses(app, viewer, [
    { id: original.id, requiresReview: false, provider: null },
  ]);
  if (status === undefined) throw notFound();
  return status;
}

async function decideOnLink(
  app: App,
  viewer: CurrentUser,
  id: LinkReviewId,
  trendable: boolean,
): Promise<JsonText<AdminTrendingLink>> {
  const link = await reviewLink(app, viewer.accountId, { id, trendable });
  const [presented] = await presentReviewedLinks(app, viewer, [link]);
  if (presented === undefined) throw notFound();
  return presented;
}
