import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { joinJsonList } from '../platform/http/http-response.ts';
import { pageInput, paginated, parsePage } from '../platform/http/pages.ts';
import { get, post, type RequestContext } from '../platform/http/routes.ts';
import { idSchema } from '../platform/id-schema.ts';
import { Status } from '../statuses/index.ts';
import { touchUser } from '../users/index.ts';
import { homeRefreshHeader } from './feeds/home-refresh.ts';
import { originFilter, requireFeed, wantedOrigin } from './access/feed-access.ts';
import { loadHomeTimeline } from './read/home-timeline.ts';
import { loadLinkTimeline } from './read/link-timeline.ts';
import { loadListTimeline } from './read/list-timeline.ts';
import { listMarkers, setMarkers } from './markers.ts';
import { loadPublicTimeline } from './read/public-timeline.ts';
import type { Timeline } from './read/timeline.ts';
import { MarkersByTimeline } from './schema.ts';
import { loadTagTimeline } from './read/tag-timeline.ts';

const limits = { defaultLimit: 20, maxLimit: 40 };

const filterInput = {
  local: Type.Optional(Type.Boolean()),
  remote: Type.Optional(Type.Boolean()),
  only_media: Type.Optional(Type.Boolean()),
};

const tagNames = Type.Optional(Type.Array(Type.String()));
const markerInput = Type.Optional(Type.Object({ last_read_id: Type.Optional(idSchema<'row'>()) }));

export const routes = [
  get('/api/v1/timelines/home', {
    summary: 'List posts and reblogs by followed accounts and the viewer',
    access: 'user',
    readsReplica: 'older pages',
    scope: 'read|read:statuses',
    input: Type.Object({ ...pageInput(limits), local: Type.Optional(Type.Boolean()) }),
    response: Type.Array(Status),
    hasRefresh: true,
    async handle({ app, viewer, input, request }) {
      touchUser(app, viewer);
      const { isBuilding, ...timeline } = await loadHomeTimeline(app, viewer, parsePage(input, limits));
      const headers = isBuilding ? await homeRefreshHeader(app, viewer.accountId) : {};
      return sendTimeline(app, request, timeline, headers);
    },
  }),
  get('/api/v1/timelines/public', {
    summary: 'List public posts, local and remote',
    access: 'anyone',
    readsReplica: 'always',
    scope: 'read|read:statuses',
    input: Type.Object({ ...pageInput(limits), ...filterInput }),
    response: Type.Array(Status),
    async handle({ app, viewer, input, request }) {
      const origin = await requireFeed(app, viewer, 'live', wantedOrigin(input));
      if (origin === undefined) return sendTimeline(app, request, emptyTimeline);
      const filter = { ...originFilter(origin), onlyMedia: input.only_media ?? false };
      return sendTimeline(app, request, await loadPublicTimeline(app, viewer, filter, parsePage(input, limits)));
    },
  }),
  get('/api/v1/timelines/tag/:hashtag', {
    summary: 'List public posts with a hashtag',
    access: 'anyone',
    readsReplica: 'always',
    scope: 'read|read:statuses',
    params: Type.Object({ hashtag: Type.String() }),
    input: Type.Object({ ...pageInput(limits), ...filterInput, any: tagNames, all: tagNames, none: tagNames }),
    response: Type.Array(Status),
    async handle({ app, viewer, params, input, request }) {
      const origin = await requireFeed(app, viewer, 'topic', wantedOrigin(input));
      if (origin === undefined) return sendTimeline(app, request, emptyTimeline);
      const { only_media: onlyMedia = false, any = [], all = [], none = [] } = input;
      const filter = { ...originFilter(origin), onlyMedia, any, all, none };
      const page = parsePage(input, limits);
      return sendTimeline(app, request, await loadTagTimeline(app, viewer, { tag: params.hashtag, filter, page }));
    },
  }),
  get('/api/v1/timelines/link', {
    summary: 'List public posts that link to a URL',
    access: 'anyone',
    readsReplica: 'always',
    scope: 'read|read:statuses',
    input: Type.Object({ ...pageInput(limits), url: Type.String() }),
    response: Type.Array(Status),
    async handle({ app, viewer, input, request }) {
      const origin = await requireFeed(app, viewer, 'topic', 'all');
      const page = parsePage(input, limits);
      return sendTimeline(app, request, await loadLinkTimeline(app, viewer, { url: input.url, origin, page }));
    },
  }),
  get('/api/v1/timelines/list/:list_id', {
    summary: 'List posts and reblogs by the accounts of a list',
    access: 'user',
    readsReplica: 'always',
    scope: 'read|read:lists',
    params: Type.Object({ list_id: idSchema<'list'>() }),
    input: Type.Object(pageInput(limits)),
    response: Type.Array(Status),
    async handle({ app, viewer, params: { list_id: listId }, input, request }) {
      return sendTimeline(app, request, await loadListTimeline(app, viewer, listId, parsePage(input, limits)));
    },
  }),
  get('/api/v1/markers', {
    summary: 'Show the read markers of timelines',
    hasEtag: true,
    access: 'user',
    scope: 'read|read:statuses',
    input: Type.Object({ timeline: Type.Optional(Type.Array(Type.String())) }),
    response: MarkersByTimeline,
    handle: ({ app, viewer, input }) => listMarkers(app, viewer.accountId, input.timeline ?? []),
  }),
  post('/api/v1/markers', {
    summary: 'Set the read markers of timelines',
    access: 'user',
    onlyAdds: true,
    scope: 'write|write:statuses',
    input: Type.Object({ home: markerInput, notifications: markerInput }),
    response: MarkersByTimeline,
    handle: ({ app, viewer, input: { home, notifications } }) =>
      setMarkers(app, viewer.accountId, {
        ...(home?.last_read_id !== undefined && { home: home.last_read_id }),
        ...(notifications?.last_read_id !== undefined && { notifications: notifications.last_read_id }),
      }),
  }),
];

const sendTimeline = (
  app: App,
  request: RequestContext,
  { statuses, first, last }: Timeline,
  headers: Record<string, string> = {},
) => paginated(app, request, { json: joinJsonList(statuses), first, last, more: true, headers });

const emptyTimeline: Timeline = { statuses: [], first: undefined, last: undefined };
