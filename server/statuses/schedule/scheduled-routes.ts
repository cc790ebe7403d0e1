import { Type } from 'typebox';
import { joinJsonList } from '../../platform/http/http-response.ts';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { del, get, put } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { presentScheduledStatuses, presentScheduledStatus } from './present-scheduled.ts';
import { rescheduleStatus } from './schedule-status.ts';
import { cancelScheduledStatus, listScheduledStatuses, requireScheduledStatus } from './scheduled-statuses.ts';
import { ScheduledStatus } from '../schema.ts';

const limits = { defaultLimit: 20, maxLimit: 40 };
const params = Type.Object({ id: idSchema<'scheduled'>() });

export const scheduledRoutes = [
  get('/api/v1/scheduled_statuses', {
    summary: 'List scheduled statuses',
    access: 'user',
    scope: 'read|read:statuses',
    input: Type.Object(pageInput(limits)),
    response: Type.Array(ScheduledStatus),
    async handle({ app, viewer, input, request }) {
      const { rows, ...ends } = await listScheduledStatuses(app, viewer.accountId, parsePage(input, limits));
      return paginated(app, request, { json: joinJsonList(await presentScheduledStatuses(app, rows)), ...ends });
    },
  }),

  get('/api/v1/scheduled_statuses/:id', {
    summary: 'Show a scheduled status',
    access: 'user',
    scope: 'read|read:statuses',
    params,
    response: ScheduledStatus,
    async handle({ app, viewer, params: { id } }) {
      return presentScheduledStatus(app, await requireScheduledStatus(app, viewer.accountId, id));
    },
  }),

  put('/api/v1/scheduled_statuses/:id', {
    summary: 'Change the time of a scheduled status',
    access: 'user',
    scope: 'write|write:statuses',
    params,
    input: Type.Object({ scheduled_at: Type.Optional(Type.String()) }),
    response: ScheduledStatus,
    async handle({ app, viewer, params: { id }, input }) {
      await rescheduleStatus(app, viewer.accountId, id, input.scheduled_at);
      return presentScheduledStatus(app, await requireScheduledStatus(app, viewer.accountId, id));
    },
  }),

  del('/api/v1/scheduled_statuses/:id', {
    summary: 'Delete a scheduled status',
    access: 'user',
    scope: 'write|write:statuses',
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await cancelScheduledStatus(app, viewer.accountId, id);
      return {};
    },
  }),
];
