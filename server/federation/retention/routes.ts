import { Type } from 'typebox';
import { get, type Route } from '../../platform/http/routes.ts';
import { siteSettings } from '../../site/index.ts';
import { retentionInput } from '../../site/settings/index.ts';
import { estimateRetention } from './estimate-retention.ts';
import { RetentionEstimate } from './schema.ts';

export const retentionRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/retention', {
    summary: 'Count what the settings of the site delete, or what other ages would, without deleting it',
    access: 'staff:manage_settings',
    scope: 'admin:read',
    input: retentionInput,
    response: Type.Array(RetentionEstimate),
    async handle({ app, input }) {
      const current = await siteSettings(app);
      return estimateRetention(app, {
        remote_post_retention_days: current.remotePostRetentionDays,
        remote_edit_retention_days: current.remoteEditRetentionDays,
        remote_media_retention_days: current.remoteMediaRetentionDays,
        notification_retention_days: current.notificationRetentionDays,
        ...input,
      });
    },
  }),
];
