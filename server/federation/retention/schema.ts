import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';

/** What a setting of the site would delete, for staff. */
export const RetentionEstimate = entity('Fieldfare::Admin::RetentionEstimate', {
  setting: Type.Enum(
    [
      'remote_post_retention_days',
      'remote_edit_retention_days',
      'remote_media_retention_days',
      'notification_retention_days',
    ],
    { description: 'Name of the setting, which names what is deleted' },
  ),
  days: Type.Integer({ description: 'Age of what would be deleted; 0: nothing' }),
  deleted: Type.Integer({ description: 'Posts, posts with a history, files of this machine, or notifications' }),
  exact: Type.Boolean({ description: 'False: estimated from a part' }),
});
export type RetentionEstimate = Static<typeof RetentionEstimate>;
