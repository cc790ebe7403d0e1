import { Type, type Static } from 'typebox';
import type { App } from '../platform/app.ts';
import { notFound } from '../platform/http/http-errors.ts';
import { joinJsonList, type JsonText } from '../platform/http/http-response.ts';
import { pageInput, paginated, parsePage } from '../platform/http/pages.ts';
import { del, get, post, put, type CurrentUser, type Route } from '../platform/http/routes.ts';
import { idSchema } from '../platform/id-schema.ts';
import { createAnnouncement } from './create-announcement.ts';
import { deleteAnnouncement } from './delete-announcement.ts';
import { editAnnouncement } from './edit-announcement.ts';
import { listAllAnnouncements, requireAnnouncement } from './find-announcements.ts';
import { presentAdminAnnouncements } from './present-announcements.ts';
import { publishAnnouncement, unpublishAnnouncement } from './publish-announcement.ts';
import { AdminAnnouncement } from './schema.ts';
import type { AnnouncementId } from './tables.ts';

const readAccess = { access: 'staff:manage_announcements', scope: 'admin:read' } as const;
const writeAccess = { access: 'staff:manage_announcements', scope: 'admin:write' } as const;
const limits = { defaultLimit: 40, maxLimit: 80 };
const params = Type.Object({ id: idSchema<'announcement'>() });

const time = (description: string) =>
  Type.Optional(
    Type.String({ description: `${description} ISO 8601, in UTC unless it has an offset; empty for none` }),
  );
const input = Type.Object({
  text: Type.Optional(Type.String()),
  starts_at: time('Not visible before.'),
  ends_at: time('Expires then.'),
  all_day: Type.Optional(Type.Boolean({ description: 'The times are days. Needs a start and an end' })),
  scheduled_at: time('Published then, at the earliest.'),
  published: Type.Optional(Type.Boolean({ description: 'False keeps it as a draft; true by default' })),
});

const toInput = ({ text, starts_at, ends_at, all_day, scheduled_at, published }: Static<typeof input>) => ({
  text,
  startsAt: starts_at,
  endsAt: ends_at,
  allDay: all_day,
  scheduledAt: scheduled_at,
  published,
});

/** The administration of announcements; Mastodon has no API for it. */
export const adminRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/announcements', {
    summary: 'List all announcements for staff, newest first',
    ...readAccess,
    input: Type.Object(pageInput(limits)),
    response: Type.Array(AdminAnnouncement),
    async handle({ app, viewer, input: page, request }) {
      const { announcements, ...ends } = await listAllAnnouncements(app, parsePage(page, limits));
      return paginated(app, request, {
        json: joinJsonList(await presentAdminAnnouncements(app, viewer, announcements)),
        ...ends,
      });
    },
  }),
  post('/api/v1/fieldfare/admin/announcements', {
    summary: 'Create an announcement; it is published from its start on',
    ...writeAccess,
    input,
    response: AdminAnnouncement,
    handle: async ({ app, viewer, input: values }) =>
      present(app, viewer, await createAnnouncement(app, viewer.accountId, toInput(values))),
  }),
  get('/api/v1/fieldfare/admin/announcements/:id', {
    summary: 'Show an announcement to staff',
    ...readAccess,
    params,
    response: AdminAnnouncement,
    handle: ({ app, viewer, params: { id } }) => present(app, viewer, id),
  }),
  put('/api/v1/fieldfare/admin/announcements/:id', {
    summary: 'Change the given properties of an announcement',
    ...writeAccess,
    params,
    input,
    response: AdminAnnouncement,
    async handle({ app, viewer, params: { id }, input: values }) {
      await editAnnouncement(app, viewer.accountId, id, toInput(values));
      return present(app, viewer, id);
    },
  }),
  del('/api/v1/fieldfare/admin/announcements/:id', {
    summary: 'Delete an announcement',
    ...writeAccess,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await deleteAnnouncement(app, viewer.accountId, id);
      return {};
    },
  }),
  post('/api/v1/fieldfare/admin/announcements/:id/publish', {
    summary: 'Publish a draft or a scheduled announcement now, or at its start',
    ...writeAccess,
    params,
    response: AdminAnnouncement,
    async handle({ app, viewer, params: { id } }) {
      await publishAnnouncement(app, viewer.accountId, id);
      return present(app, viewer, id);
    },
  }),
  post('/api/v1/fieldfare/admin/announcements/:id/unpublish', {
    summary: 'Withdraw an announcement, which stays as a draft',
    ...writeAccess,
    params,
    response: AdminAnnouncement,
    async handle({ app, viewer, params: { id } }) {
      await unpublishAnnouncement(app, viewer.accountId, id);
      return present(app, viewer, id);
    },
  }),
];

async function present(
  app: App,
  staff: CurrentUser,
  id: AnnouncementId,
): Promise<JsonText<Static<typeof AdminAnnouncement>>> {
  const [announcement] = await presentAdminAnnouncements(app, staff, [await requireAnnouncement(app, id)]);
  // It may have been deleted meanwhile.
  if (announcement === undefined) throw notFound();
  return announcement;
}
