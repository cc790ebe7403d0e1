import { Type } from 'typebox';
import { post, type Route } from '../../platform/http/routes.ts';
import { idSchema, uncheckedIdSchema } from '../../platform/id-schema.ts';
import { presentAdminReport } from '../reports/present-admin-reports.ts';
import { AdminReport } from '../reports/schema.ts';
import { statusActionTypes, takeStatusAction } from './take-status-action.ts';

const input = Type.Object({
  type: Type.Enum([...statusActionTypes]),
  status_ids: Type.Optional(Type.Array(uncheckedIdSchema(), { description: 'Posts of the report; all by default' })),
  text: Type.Optional(Type.String({ description: 'Message to the user, at most 5000 characters' })),
  warning_preset_id: Type.Optional(idSchema<'warning-preset'>()),
  send_email_notification: Type.Optional(
    Type.Boolean({ description: 'Whether the user is notified; true by default' }),
  ),
});

/** Actions on reported posts; Mastodon has no API for them. */
export const statusActionRoutes: readonly Route[] = [
  post('/api/v1/fieldfare/admin/reports/:id/status_action', {
    summary: 'Delete posts of a report or mark them as sensitive, warn their author, and close the report',
    access: 'staff:manage_reports|manage_users',
    scope: 'admin:write|admin:write:reports',
    params: Type.Object({ id: idSchema<'report'>() }),
    input,
    response: AdminReport,
    async handle({ app, viewer, params: { id }, input: action }) {
      await takeStatusAction(app, viewer.accountId, {
        type: action.type,
        reportId: id,
        statusIds: action.status_ids,
        text: action.text,
        presetId: action.warning_preset_id,
        notify: action.send_email_notification,
      });
      return presentAdminReport(app, viewer, id);
    },
  }),
];
