import { createAnnouncement } from '../../../server/announcements/index.ts';
import type { TestServer } from '../../server.ts';
import type { StaffRequest, StaffScenarios } from '../staff-scenario.ts';

const path = '/api/v1/fieldfare/admin/announcements';

const onAnnouncement =
  (
    action = '',
    { published = true, body }: { readonly published?: boolean; readonly body?: StaffRequest['body'] } = {},
  ) =>
  async ({ app }: TestServer): Promise<StaffRequest> => ({
    path: `${path}/${await createAnnouncement(app, 'system', { text: 'News', published })}${action}`,
    ...(body !== undefined && { body }),
  });

export const announcementScenarios: StaffScenarios = {
  [`GET ${path}`]: async () => ({ path }),
  [`POST ${path}`]: async () => ({ path, body: { text: 'News' } }),
  [`GET ${path}/:id`]: onAnnouncement(),
  [`PUT ${path}/:id`]: onAnnouncement('', { body: { text: 'Old news' } }),
  [`DELETE ${path}/:id`]: onAnnouncement(),
  [`POST ${path}/:id/publish`]: onAnnouncement('/publish', { published: false }),
  [`POST ${path}/:id/unpublish`]: onAnnouncement('/unpublish'),
};
