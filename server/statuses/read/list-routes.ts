import { Type } from 'typebox';
import { joinJsonList } from '../../platform/http/http-response.ts';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { listAccountStatuses, listPinnedStatuses } from './list-account-statuses.ts';
import { listSavedStatuses } from '../react/list-saved-statuses.ts';
import { queueCountsRefresh } from '../remote/queue-counts-refresh.ts';
import { queueProfileRead } from '../remote/queue-profile-read.ts';
import { Status } from '../schema.ts';

const limits = { defaultLimit: 20, maxLimit: 40 };
const flag = Type.Optional(Type.Boolean());

const savedStatusesRoute = (path: string, kind: 'favourites' | 'bookmarks', summary: string): Route =>
  get(path, {
    summary,
    access: 'user',
    scope: `read|read:${kind}`,
    input: Type.Object(pageInput(limits)),
    response: Type.Array(Status),
    handle: ({ app, viewer, input, request }) => listSavedStatuses(app, request, viewer, { kind, input }),
  });

export const listRoutes = [
  savedStatusesRoute('/api/v1/favourites', 'favourites', "List the viewer's favourites"),
  savedStatusesRoute('/api/v1/bookmarks', 'bookmarks', "List the viewer's bookmarks"),

  get('/api/v1/accounts/:id/statuses', {
    summary: 'List the statuses of an account',
    access: 'anyone',
    readsReplica: 'always',
    scope: 'read|read:statuses',
    params: Type.Object({ id: idSchema<'account'>() }),
    input: Type.Object({
      ...pageInput(limits),
      only_media: flag,
      exclude_replies: flag,
      exclude_reblogs: flag,
      exclude_direct: flag,
      pinned: flag,
      tagged: Type.Optional(Type.String()),
      exclude_imported: flag,
      only_imported: flag,
    }),
    response: Type.Array(Status),
    hasRefresh: true,
    async handle({ app, viewer, params: { id }, input, request }) {
      const page = parsePage(input, limits);
      if (input.pinned === true) {
        const { ids, statuses } = await listPinnedStatuses(app, viewer, id, page.limit);
        if (viewer !== undefined) await queueCountsRefresh(app, ids);
        return joinJsonList(statuses);
      }
      const { ids, statuses, ends } = await listAccountStatuses(app, viewer, page, {
        accountId: id,
        onlyMedia: input.only_media === true,
        excludeReplies: input.exclude_replies === true,
        excludeReblogs: input.exclude_reblogs === true,
        excludeDirect: input.exclude_direct === true,
        tagged: input.tagged === '' ? undefined : input.tagged,
        imported: input.exclude_imported === true ? 'exclude' : input.only_imported === true ? 'only' : undefined,
      });
      const headers = viewer === undefined ? {} : await queueProfileRead(app, id, page, ends);
      // A read brings the counts of the posts that it lists.
      if (viewer !== undefined && !('mastodon-async-refresh' in headers)) await queueCountsRefresh(app, ids);
      // Until the read finishes, apps that scroll to the end may ask for more.
      const more = ends.more || 'mastodon-async-refresh' in headers;
      return paginated(app, request, { json: joinJsonList(statuses), ...ends, more, headers });
    },
  }),
];
