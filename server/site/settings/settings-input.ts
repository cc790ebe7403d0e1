import { Type, type TSchema } from 'typebox';
import type { SiteSettingsChanges } from '../change-site-settings.ts';
import { settingParameters, settingSchemas, type SettingName } from '../settings-schema.ts';
import { namesOf } from '../../platform/known-names.ts';

const names = namesOf(settingSchemas);

/** Numbers of parameters are moved within their bounds; those of settings are refused instead. */
function inputSchema(name: SettingName): TSchema {
  const schema: TSchema = settingSchemas[name];
  return 'type' in schema && schema.type === 'integer' ? Type.Integer() : schema;
}

/** The parameters of a route that changes settings; null resets one to its default. */
export const settingsInput = Type.Object(
  Object.fromEntries(
    names.map((name) => [settingParameters[name], Type.Optional(Type.Union([inputSchema(name), Type.Null()]))]),
  ),
);

/** Ages in days of what is deleted, by the names of their settings. */
export const retentionInput = Type.Object({
  remote_post_retention_days: Type.Optional(settingSchemas.remotePostRetentionDays),
  remote_edit_retention_days: Type.Optional(settingSchemas.remoteEditRetentionDays),
  remote_media_retention_days: Type.Optional(settingSchemas.remoteMediaRetentionDays),
  notification_retention_days: Type.Optional(settingSchemas.notificationRetentionDays),
});

/** Converts these parameters. `changeSiteSettings` validates the values. */
export const toSettingsChanges = (input: Readonly<Record<string, unknown>>): SiteSettingsChanges =>
  Object.fromEntries(names.map((name) => [name, input[settingParameters[name]]]));
