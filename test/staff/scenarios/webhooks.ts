import { createStaffWebhook, listStaffWebhooks, setStaffWebhookEnabled } from '../../../server/webhooks/staff/index.ts';
import type { TestServer } from '../../server.ts';
import type { StaffRequest, StaffScenarios } from '../staff-scenario.ts';

const path = '/api/v1/fieldfare/admin/webhooks';
const url = 'https://hooks.test/';

const onWebhook =
  (action = '', more: Omit<StaffRequest, 'path'> = {}) =>
  async ({ app }: TestServer): Promise<StaffRequest> => {
    const manager = { staff: 'system', permissions: 0n } as const;
    const { id } = await createStaffWebhook(app, manager, { url, events: ['report.created'] });
    return { path: `${path}/${id}${action}`, ...more };
  };

export const webhookScenarios: StaffScenarios = {
  [`GET ${path}`]: async () => ({ path }),
  [`POST ${path}`]: async () => ({
    path,
    body: { url, events: ['report.created'] },
    permissions: ['manage_reports'],
  }),
  [`GET ${path}/:id`]: onWebhook(),
  [`PUT ${path}/:id`]: onWebhook('', { body: { template: '{{event}}' }, permissions: ['manage_reports'] }),
  [`POST ${path}/:id/enable`]: async (server) => {
    const request = await onWebhook('/enable')(server);
    const { app } = server;
    for (const { id } of await listStaffWebhooks(app))
      await setStaffWebhookEnabled(app, 'system', { id, enabled: false });
    return request;
  },
  [`POST ${path}/:id/disable`]: onWebhook('/disable'),
  [`POST ${path}/:id/rotate_secret`]: onWebhook('/rotate_secret'),
  [`DELETE ${path}/:id`]: onWebhook(),
  [`GET ${path}/:id/deliveries`]: onWebhook('/deliveries'),
};
