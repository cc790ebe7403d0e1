import { Type } from 'typebox';
import { notFound } from '../../platform/http/http-errors.ts';
import { joinJsonList } from '../../platform/http/http-response.ts';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { get, post } from '../../platform/http/routes.ts';
import { isId } from '../../platform/ids.ts';
import { idSchema, uncheckedIdSchema } from '../../platform/id-schema.ts';
import { acceptRequests, dismissRequests, isMerged } from './answer-requests.ts';
import { listRequests, requireRequest } from './list-requests.ts';
import { presentRequest, presentRequests } from './present-requests.ts';
import { limits, readAccess, writeAccess } from '../route-input.ts';
import { NotificationRequest, type RequestId } from './schema.ts';

const params = Type.Object({ id: idSchema<'notification-request'>() });
const emptyObject = Type.Object({});
const ids = Type.Object({
  id: Type.Optional(Type.Array(uncheckedIdSchema(), { description: 'Ids of requests; unknown ones are ignored' })),
});

const parseIds = (input: { readonly id?: readonly string[] }): RequestId[] =>
  (input.id ?? []).filter((id): id is RequestId => isId(id));

export const requestRoutes = [
  get('/api/v1/notifications/requests', {
    summary: 'List the senders of your filtered notifications',
    ...readAccess,
    input: Type.Object(pageInput(limits)),
    response: Type.Array(NotificationRequest),
    async handle({ app, viewer, input, request }) {
      const page = await listRequests(app, viewer.accountId, parsePage(input, limits));
      const json = joinJsonList(await presentRequests(app, viewer, page.rows));
      return paginated(app, request, { json, first: page.first, last: page.last, more: true });
    },
  }),
  get('/api/v1/notifications/requests/merged', {
    summary: 'Return whether the notifications of all accepted senders are listed',
    ...readAccess,
    response: Type.Object({ merged: Type.Boolean() }),
    handle: async ({ app, viewer }) => ({ merged: await isMerged(app.db, viewer.accountId) }),
  }),
  get('/api/v1/notifications/requests/:id', {
    summary: 'Show a sender of filtered notifications',
    ...readAccess,
    params,
    response: NotificationRequest,
    handle: async ({ app, viewer, params: { id } }) =>
      presentRequest(app, viewer, await requireRequest(app, viewer.accountId, id)),
  }),
  post('/api/v1/notifications/requests/accept', {
    summary: 'Accept notifications from several senders',
    ...writeAccess,
    input: ids,
    response: emptyObject,
    async handle({ app, viewer, input }) {
      await acceptRequests(app, viewer.accountId, parseIds(input));
      return {};
    },
  }),
  post('/api/v1/notifications/requests/dismiss', {
    summary: 'Dismiss the requests of several senders',
    ...writeAccess,
    input: ids,
    response: emptyObject,
    async handle({ app, viewer, input }) {
      await dismissRequests(app, viewer.accountId, parseIds(input));
      return {};
    },
  }),
  post('/api/v1/notifications/requests/:id/accept', {
    summary: 'Accept notifications from a sender',
    ...writeAccess,
    params,
    response: emptyObject,
    async handle({ app, viewer, params: { id } }) {
      if ((await acceptRequests(app, viewer.accountId, [id])) === 0) throw notFound();
      return {};
    },
  }),
  post('/api/v1/notifications/requests/:id/dismiss', {
    summary: 'Dismiss the request of a sender',
    ...writeAccess,
    params,
    response: emptyObject,
    async handle({ app, viewer, params: { id } }) {
      if ((await dismissRequests(app, viewer.accountId, [id])) === 0) throw notFound();
      return {};
    },
  }),
];
