import { Type } from 'typebox';
import { HttpResponse, joinJsonList, JsonText } from '../../platform/http/http-response.ts';
import { unprocessable } from '../../platform/http/http-errors.ts';
import { get } from '../../platform/http/routes.ts';
import type { StatusId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { showHeldPost } from '../held/show-held-post.ts';
import { loadContext } from './load-context.ts';
import { presentHistory } from '../edit/present-history.ts';
import { filterVisibleStatuses, requireVisibleStatus } from './filter-visible-statuses.ts';
import { queueCountsRefresh } from '../remote/queue-counts-refresh.ts';
import { queueThreadRefresh } from '../remote/queue-thread-refresh.ts';
import { presentStatusesById, presentStatus, presentStatuses } from './present-statuses.ts';
import { Context, Status, StatusEdit, StatusSource } from '../schema.ts';
import { loadStatusSource } from '../edit/load-status-source.ts';

/** Maximum number of ids per request. */
const maxIds = 20;

const params = Type.Object({ id: idSchema<'status'>() });

export const showRoutes = [
  get('/api/v1/statuses/:id', {
    summary: 'Show a status',
    access: 'anyone',
    readsReplica: 'always',
    scope: 'read|read:statuses',
    params,
    response: Status,
    async handle({ app, viewer, params: { id } }) {
      try {
        await requireVisibleStatus(app, viewer?.accountId, id);
      } catch (error) {
        // Only then, so that other statuses cost no query.
        return showHeldPost(app, viewer, id, error);
      }
      return presentStatus(app, viewer, id, { withArticles: true });
    },
  }),

  get('/api/v1/statuses', {
    summary: 'Show several statuses',
    access: 'anyone',
    readsReplica: 'always',
    scope: 'read|read:statuses',
    input: Type.Object({ id: Type.Optional(Type.Array(idSchema<'status'>())) }),
    response: Type.Array(Status),
    async handle({ app, viewer, input: { id: ids = [] } }) {
      if (ids.length > maxIds) throw unprocessable('statuses.tooManyIds', { max: maxIds });
      const visible = await filterVisibleStatuses(app, viewer?.accountId, [...new Set(ids)], 'saved');
      return joinJsonList(await presentStatuses(app, viewer, visible));
    },
  }),

  get('/api/v1/statuses/:id/context', {
    summary: 'Show the thread of a status',
    access: 'anyone',
    readsReplica: 'always',
    scope: 'read|read:statuses',
    params,
    response: Context,
    hasRefresh: true,
    async handle({ app, viewer, params: { id } }) {
      const { ancestors, descendants } = await loadContext(app, viewer?.accountId, id);
      const headers = viewer === undefined ? {} : await queueThreadRefresh(app, id);
      // A fetch of the thread refreshes the status and its replies.
      const isFetched = 'mastodon-async-refresh' in headers;
      if (viewer !== undefined)
        await queueCountsRefresh(app, isFetched ? ancestors : [id, ...ancestors, ...descendants]);
      const statuses = await presentStatusesById(app, viewer, [...ancestors, ...descendants]);
      const list = (ids: StatusId[]) => joinJsonList(ids.flatMap((listed) => statuses.get(listed) ?? [])).fragments;
      const pieces = ['{"ancestors":', ...list(ancestors), ',"descendants":', ...list(descendants), '}'];
      return new HttpResponse({ json: new JsonText<Context>(pieces), headers });
    },
  }),

  get('/api/v1/statuses/:id/source', {
    summary: 'Show the source text of a status',
    access: 'app',
    scope: 'read|read:statuses',
    params,
    response: StatusSource,
    async handle({ app, viewer, params: { id } }) {
      await requireVisibleStatus(app, viewer?.accountId, id);
      return loadStatusSource(app, id);
    },
  }),

  get('/api/v1/statuses/:id/history', {
    summary: 'Show the edit history of a status',
    access: 'anyone',
    readsReplica: 'always',
    scope: 'read|read:statuses',
    params,
    response: Type.Array(StatusEdit),
    async handle({ app, viewer, params: { id } }) {
      await requireVisibleStatus(app, viewer?.accountId, id);
      return presentHistory(app, viewer, id);
    },
  }),
];
