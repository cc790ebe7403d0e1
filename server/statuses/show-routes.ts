import { Type } from 'typebox';
import { jsonList, JsonText } from '../platform/http/answers.ts';
import { unprocessable } from '../platform/http/problems.ts';
import { get } from '../platform/http/routes.ts';
import { idSchema, type StatusId } from '../platform/ids.ts';
import { contextOf } from './context.ts';
import { historyOf } from './history.ts';
import { keepVisible, requireVisibleStatus } from './keep-visible.ts';
import { noteThreadOpened } from './note-thread-opened.ts';
import { presentEach, presentStatus, presentStatuses } from './present-statuses.ts';
import { Context, Status, StatusEdit, StatusSource } from './schema.ts';
import { sourceOf } from './source.ts';

/** Statuses that one request may ask for by id. */
const mostIds = 20;

const params = Type.Object({ id: idSchema<'status'>() });

export const showRoutes = [
  get('/api/v1/statuses/:id', {
    summary: 'Show a status',
    access: 'anyone',
    scope: 'read|read:statuses',
    params,
    response: Status,
    async handle({ app, viewer, params: { id } }) {
      await requireVisibleStatus(app, viewer?.accountId, id);
      return presentStatus(app, viewer, id);
    },
  }),

  get('/api/v1/statuses', {
    summary: 'Show several statuses',
    access: 'anyone',
    scope: 'read|read:statuses',
    input: Type.Object({ id: Type.Optional(Type.Array(idSchema<'status'>())) }),
    response: Type.Array(Status),
    async handle({ app, viewer, input: { id: ids = [] } }) {
      if (ids.length > mostIds) throw unprocessable(`Too many ids: at most ${mostIds}`);
      const visible = await keepVisible(app, viewer?.accountId, [...new Set(ids)], 'saved');
      return jsonList(await presentStatuses(app, viewer, visible));
    },
  }),

  get('/api/v1/statuses/:id/context', {
    summary: 'Show what a status answers and what answers it',
    access: 'anyone',
    scope: 'read|read:statuses',
    params,
    response: Context,
    async handle({ app, viewer, params: { id } }) {
      const { ancestors, descendants } = await contextOf(app, viewer?.accountId, id);
      if (viewer !== undefined) await noteThreadOpened(app, id);
      const statuses = await presentEach(app, viewer, [...ancestors, ...descendants]);
      const list = (ids: StatusId[]) => jsonList(ids.flatMap((listed) => statuses.get(listed) ?? [])).pieces;
      return new JsonText<Context>(['{"ancestors":', ...list(ancestors), ',"descendants":', ...list(descendants), '}']);
    },
  }),

  get('/api/v1/statuses/:id/source', {
    summary: 'Show a status as it was typed',
    access: 'app',
    scope: 'read|read:statuses',
    params,
    response: StatusSource,
    async handle({ app, viewer, params: { id } }) {
      await requireVisibleStatus(app, viewer?.accountId, id);
      return sourceOf(app, id);
    },
  }),

  get('/api/v1/statuses/:id/history', {
    summary: 'Show the versions of a status',
    access: 'anyone',
    scope: 'read|read:statuses',
    params,
    response: Type.Array(StatusEdit),
    async handle({ app, viewer, params: { id } }) {
      await requireVisibleStatus(app, viewer?.accountId, id);
      return historyOf(app, viewer, id);
    },
  }),
];
