import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { jsonList } from '../platform/http/answers.ts';
import { pageInput, paginated, readPage } from '../platform/http/pages.ts';
import { unauthorized } from '../platform/http/problems.ts';
import { get, post, type RequestFacts, type Viewer } from '../platform/http/routes.ts';
import { idSchema, type StatusId } from '../platform/ids.ts';
import { presentStatuses, Status } from '../statuses/index.ts';
import { touchUser } from '../users/index.ts';
import type { FilledPage } from './fill-page.ts';
import { homePage } from './home.ts';
import { linkPage } from './link.ts';
import { listPage } from './list.ts';
import { listMarkers, setMarkers } from './markers.ts';
import { publicPage } from './public.ts';
import { MarkersByTimeline } from './schema.ts';
import { tagPage } from './tag.ts';

const limits = { standard: 20, most: 40 };

const choiceInput = {
  local: Type.Optional(Type.Boolean()),
  remote: Type.Optional(Type.Boolean()),
  only_media: Type.Optional(Type.Boolean()),
};

const names = Type.Optional(Type.Array(Type.String()));
const position = Type.Optional(Type.Object({ last_read_id: Type.Optional(idSchema<'row'>()) }));

export const routes = [
  get('/api/v1/timelines/home', {
    summary: 'Posts and reblogs of the accounts you follow, and your own',
    access: 'user',
    scope: 'read|read:statuses',
    input: Type.Object({ ...pageInput(limits), local: Type.Optional(Type.Boolean()) }),
    response: Type.Array(Status),
    async handle({ app, viewer, input, request }) {
      touchUser(app, viewer);
      return answerPage(app, viewer, request, await homePage(app, viewer.accountId, readPage(input, limits)));
    },
  }),
  get('/api/v1/timelines/public', {
    summary: 'Public posts of this server and those it knows of',
    access: 'anyone',
    scope: 'read|read:statuses',
    input: Type.Object({ ...pageInput(limits), ...choiceInput }),
    response: Type.Array(Status),
    async handle({ app, viewer, input, request }) {
      requireAudience(app, viewer);
      const choice = { ...input, onlyMedia: input.only_media ?? false };
      return answerPage(
        app,
        viewer,
        request,
        await publicPage(app, viewer?.accountId, choice, readPage(input, limits)),
      );
    },
  }),
  get('/api/v1/timelines/tag/:hashtag', {
    summary: 'Public posts with a hashtag',
    access: 'anyone',
    scope: 'read|read:statuses',
    params: Type.Object({ hashtag: Type.String() }),
    input: Type.Object({ ...pageInput(limits), ...choiceInput, any: names, all: names, none: names }),
    response: Type.Array(Status),
    async handle({ app, viewer, params, input, request }) {
      requireAudience(app, viewer);
      const { only_media: onlyMedia = false, any = [], all = [], none = [] } = input;
      const choice = { ...input, onlyMedia, any, all, none };
      const page = readPage(input, limits);
      return answerPage(
        app,
        viewer,
        request,
        await tagPage(app, viewer?.accountId, { tag: params.hashtag, choice, page }),
      );
    },
  }),
  get('/api/v1/timelines/link', {
    summary: 'Public posts that link to a page',
    access: 'anyone',
    scope: 'read|read:statuses',
    input: Type.Object({ ...pageInput(limits), url: Type.String() }),
    response: Type.Array(Status),
    async handle({ app, viewer, input, request }) {
      requireAudience(app, viewer);
      const page = await linkPage(app, viewer?.accountId, { url: input.url, page: readPage(input, limits) });
      return answerPage(app, viewer, request, page);
    },
  }),
  get('/api/v1/timelines/list/:list_id', {
    summary: 'Posts and reblogs of the accounts of a list',
    access: 'user',
    scope: 'read|read:lists',
    params: Type.Object({ list_id: idSchema<'list'>() }),
    input: Type.Object(pageInput(limits)),
    response: Type.Array(Status),
    async handle({ app, viewer, params: { list_id: listId }, input, request }) {
      const page = await listPage(app, viewer.accountId, listId, readPage(input, limits));
      return answerPage(app, viewer, request, page);
    },
  }),
  get('/api/v1/markers', {
    summary: 'How far you have read your timelines',
    access: 'user',
    scope: 'read|read:statuses',
    input: Type.Object({ timeline: Type.Optional(Type.Array(Type.String())) }),
    response: MarkersByTimeline,
    handle: ({ app, viewer, input }) => listMarkers(app, viewer.accountId, input.timeline ?? []),
  }),
  post('/api/v1/markers', {
    summary: 'Say how far you have read your timelines',
    access: 'user',
    scope: 'write|write:statuses',
    input: Type.Object({ home: position, notifications: position }),
    response: MarkersByTimeline,
    handle: ({ app, viewer, input: { home, notifications } }) =>
      setMarkers(app, viewer.accountId, {
        ...(home?.last_read_id !== undefined && { home: home.last_read_id }),
        ...(notifications?.last_read_id !== undefined && { notifications: notifications.last_read_id }),
      }),
  }),
];

async function answerPage(
  app: App,
  viewer: Viewer | undefined,
  request: RequestFacts,
  { ids, first, last }: FilledPage<StatusId>,
) {
  const json = jsonList(await presentStatuses(app, viewer, ids));
  return paginated(app, request, { json, first, last, more: true });
}

/** Without public preview, public timelines are for those who are signed in (TML-02). */
function requireAudience(app: App, viewer: Viewer | undefined): void {
  if (viewer === undefined && !app.config.PUBLIC_PREVIEW) {
    throw unauthorized('This method requires an authenticated user');
  }
}
