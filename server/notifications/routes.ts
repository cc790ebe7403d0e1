import { Type } from 'typebox';
import { joinJsonList } from '../platform/http/http-response.ts';
import { pageInput, paginated, clampLimit, parsePage } from '../platform/http/pages.ts';
import { get, post, routeOptions } from '../platform/http/routes.ts';
import { idSchema } from '../platform/id-schema.ts';
import {
  deleteAllNotifications,
  countUnread,
  dismissNotification,
  listNotifications,
  requireNotification,
} from './list-notifications.ts';
import { groupedRoutes } from './grouped/routes.ts';
import { policyRoutes } from './policy/routes.ts';
import { requestRoutes } from './requests/routes.ts';
import {
  limits,
  notificationFilterInput,
  parseFilter,
  readAccess,
  supportedTypesInput,
  unreadLimits,
  writeAccess,
} from './route-input.ts';
import { presentNotification, presentNotifications } from './present-notifications.ts';
import { Notification } from './schema.ts';

const params = Type.Object({ id: idSchema<'notification'>() });

const clear = routeOptions({
  summary: 'Delete all your notifications',
  ...writeAccess,
  response: Type.Object({}),
  async handle({ app, viewer }) {
    await deleteAllNotifications(app, viewer.accountId);
    return {};
  },
});

export const routes = [
  get('/api/v1/notifications', {
    summary: 'List your notifications',
    ...readAccess,
    input: Type.Object({ ...pageInput(limits), ...notificationFilterInput, ...supportedTypesInput }),
    response: Type.Array(Notification),
    async handle({ app, viewer, input, request }) {
      const page = await listNotifications(app, viewer.accountId, parseFilter(input), parsePage(input, limits));
      const json = joinJsonList(await presentNotifications(app, viewer, page.rows, input.supported_types));
      return paginated(app, request, { json, first: page.first, last: page.last, more: true });
    },
  }),
  get('/api/v1/notifications/unread_count', {
    summary: 'Count your unread notifications',
    hasEtag: true,
    ...readAccess,
    input: Type.Object({ limit: pageInput(unreadLimits).limit, ...notificationFilterInput }),
    response: Type.Object({ count: Type.Integer() }),
    async handle({ app, viewer, input }) {
      const limit = clampLimit(input.limit, unreadLimits);
      return { count: await countUnread(app, viewer.accountId, parseFilter(input), limit) };
    },
  }),
  get('/api/v1/notifications/:id', {
    summary: 'Show a notification',
    ...readAccess,
    params,
    input: Type.Object(supportedTypesInput),
    response: Notification,
    handle: async ({ app, viewer, params, input }) =>
      presentNotification(
        app,
        viewer,
        await requireNotification(app, viewer.accountId, params.id),
        input.supported_types,
      ),
  }),
  post('/api/v1/notifications/:id/dismiss', {
    summary: 'Delete a notification',
    ...writeAccess,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params }) {
      await dismissNotification(app, viewer.accountId, params.id);
      return {};
    },
  }),
  post('/api/v1/notifications/clear', clear),
  post('/api/v2/notifications/clear', clear),
  ...groupedRoutes,
  ...policyRoutes,
  ...requestRoutes,
];
