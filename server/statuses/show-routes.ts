import { Type } from 'typebox';
import { jsonList } from '../platform/http/answers.ts';
import { unprocessable } from '../platform/http/problems.ts';
import { get } from '../platform/http/routes.ts';
import { idSchema } from '../platform/ids.ts';
import { keepVisible, requireVisibleStatus } from './keep-visible.ts';
import { presentStatus, presentStatuses } from './present-statuses.ts';
import { Status } from './schema.ts';

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
];
