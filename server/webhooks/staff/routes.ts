import { Type } from 'typebox';
import { pageEnds } from '../../platform/database/paged-query.ts';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { del, get, post, put, type CurrentUser, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import {
  createStaffWebhook,
  deleteStaffWebhook,
  rotateStaffSecret,
  setStaffWebhookEnabled,
  updateStaffWebhook,
} from './change-staff-webhooks.ts';
import { listStaffDeliveries, listStaffWebhooks, requireStaffWebhook } from './find-staff-webhooks.ts';
import { CredentialStaffWebhook, StaffDelivery, StaffWebhook, staffWebhookInput } from './schema.ts';

const limits = { defaultLimit: 40, maxLimit: 80 };
const readAccess = { access: 'staff:manage_webhooks', scope: 'admin:read' } as const;
const writeAccess = { access: 'staff:manage_webhooks', scope: 'admin:write' } as const;
const params = Type.Object({ id: idSchema<'webhook'>() });

const managerOf = ({ accountId, permissions }: CurrentUser) => ({ staff: accountId, permissions });

/** Mastodon has these webhooks, and no API for them. */
export const staffWebhookRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/webhooks', {
    summary: 'List the webhooks of staff with their states, newest first',
    ...readAccess,
    response: Type.Array(StaffWebhook),
    handle: ({ app }) => listStaffWebhooks(app),
  }),
  post('/api/v1/fieldfare/admin/webhooks', {
    summary: 'Create a webhook of staff, and show its secret once',
    ...writeAccess,
    rateLimit: 'webhooks',
    input: staffWebhookInput,
    response: CredentialStaffWebhook,
    handle: ({ app, viewer, input }) => createStaffWebhook(app, managerOf(viewer), input),
  }),
  get('/api/v1/fieldfare/admin/webhooks/:id', {
    summary: 'Show a webhook of staff and its state',
    ...readAccess,
    params,
    response: StaffWebhook,
    handle: ({ app, params: { id } }) => requireStaffWebhook(app, id),
  }),
  put('/api/v1/fieldfare/admin/webhooks/:id', {
    summary: 'Change the address, events or template of a webhook of staff',
    ...writeAccess,
    rateLimit: 'webhooks',
    params,
    input: staffWebhookInput,
    response: StaffWebhook,
    handle: ({ app, viewer, params: { id }, input }) => updateStaffWebhook(app, managerOf(viewer), id, input),
  }),
  post('/api/v1/fieldfare/admin/webhooks/:id/enable', {
    summary: 'Enable a webhook of staff, and end a pause after failures',
    ...writeAccess,
    params,
    response: StaffWebhook,
    handle: ({ app, viewer, params: { id } }) => setStaffWebhookEnabled(app, viewer.accountId, { id, enabled: true }),
  }),
  post('/api/v1/fieldfare/admin/webhooks/:id/disable', {
    summary: 'Disable a webhook of staff, and delete the events that wait',
    ...writeAccess,
    params,
    response: StaffWebhook,
    handle: ({ app, viewer, params: { id } }) => setStaffWebhookEnabled(app, viewer.accountId, { id, enabled: false }),
  }),
  post('/api/v1/fieldfare/admin/webhooks/:id/rotate_secret', {
    summary: 'Replace the secret of a webhook of staff at once',
    ...writeAccess,
    rateLimit: 'webhooks',
    params,
    response: CredentialStaffWebhook,
    handle: ({ app, viewer, params: { id } }) => rotateStaffSecret(app, viewer.accountId, id),
  }),
  del('/api/v1/fieldfare/admin/webhooks/:id', {
    summary: 'Delete a webhook of staff with its log',
    ...writeAccess,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await deleteStaffWebhook(app, viewer.accountId, id);
      return {};
    },
  }),
  get('/api/v1/fieldfare/admin/webhooks/:id/deliveries', {
    summary: 'List the events of a webhook of staff that wait, and the last 100 that were sent',
    ...readAccess,
    params,
    input: Type.Object(pageInput(limits)),
    response: Type.Array(StaffDelivery),
    async handle({ app, params: { id }, input, request }) {
      const page = parsePage(input, limits);
      const deliveries = await listStaffDeliveries(app, id, page);
      return paginated(app, request, { json: deliveries, ...pageEnds(page, deliveries) });
    },
  }),
];
