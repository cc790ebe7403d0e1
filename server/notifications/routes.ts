import { Type } from 'typebox';
import { joinJsonList } from '../platform/http/http-response.ts';
import { pageInput, paginated, clampLimit, parsePage } from '../platform/http/pages.ts';
import { get, post } from '../platform/http/routes.ts';
import { idSchema, type AccountId } from '../platform/ids.ts';
import {
  deleteAllNotifications,
  countUnread,
  dismissNotification,
  listNotifications,
  requireNotification,
  type NotificationFilter,
} from './list-notifications.ts';
import { presentNotification, presentNotifications } from './present-notifications.ts';
import { Notification } from './schema.ts';

const limits = { defaultLimit: 40, maxLimit: 80 };
const unreadLimits = { defaultLimit: 100, maxLimit: 1_000 };
const params = Type.Object({ id: idSchema<'notification'>() });
const scope = 'read|read:notifications';
const writeScope = 'write|write:notifications';

const filterInput = {
  types: Type.Optional(Type.Array(Type.String())),
  exclude_types: Type.Optional(Type.Array(Type.String())),
  account_id: Type.Optional(idSchema<'account'>()),
  include_filtered: Type.Optional(Type.Boolean()),
};

const supportedInput = {
  supported_types: Type.Optional(
    Type.Array(Type.String(), { description: 'Types that the client supports; other types come with a fallback' }),
  ),
};

interface FilterInput {
  readonly types?: string[];
  readonly exclude_types?: string[];
  readonly account_id?: AccountId;
  readonly include_filtered?: boolean;
}

function parseFilter(input: FilterInput): NotificationFilter {
  return {
    types: input.types?.length ? input.types : undefined,
    excludeTypes: input.exclude_types ?? [],
    fromAccountId: input.account_id,
    includeFiltered: input.include_filtered ?? false,
  };
}

export const routes = [
  get('/api/v1/notifications', {
    summary: 'Lists your notifications',
    access: 'user',
    scope,
    input: Type.Object({ ...pageInput(limits), ...filterInput, ...supportedInput }),
    response: Type.Array(Notification),
    async handle({ app, viewer, input, request }) {
      const page = await listNotifications(app, viewer.accountId, parseFilter(input), parsePage(input, limits));
      const json = joinJsonList(await presentNotifications(app, viewer, page.rows, input.supported_types));
      return paginated(app, request, { json, first: page.first, last: page.last, more: true });
    },
  }),
  get('/api/v1/notifications/unread_count', {
    summary: 'Counts your unread notifications',
    access: 'user',
    scope,
    input: Type.Object({ limit: pageInput(unreadLimits).limit, ...filterInput }),
    response: Type.Object({ count: Type.Integer() }),
    async handle({ app, viewer, input }) {
      const most = clampLimit(input.limit, unreadLimits);
      return { count: await countUnread(app, viewer.accountId, parseFilter(input), most) };
    },
  }),
  get('/api/v1/notifications/:id', {
    summary: 'Shows a notification',
    access: 'user',
    scope,
    params,
    input: Type.Object(supportedInput),
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
    summary: 'Deletes a notification',
    access: 'user',
    scope: writeScope,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params }) {
      await dismissNotification(app, viewer.accountId, params.id);
      return {};
    },
  }),
  post('/api/v1/notifications/clear', {
    summary: 'Deletes all your notifications',
    access: 'user',
    scope: writeScope,
    response: Type.Object({}),
    async handle({ app, viewer }) {
      await deleteAllNotifications(app, viewer.accountId);
      return {};
    },
  }),
];
