import { Type } from 'typebox';
import type { SiteSettingsChanges } from '../change-site-settings.ts';
import { settingParameters, settingSchemas } from '../settings-schema.ts';
import { namesOf } from '../../platform/known-names.ts';

const names = namesOf(settingSchemas);

/** The parameters of a route that changes settings; null resets one to its default. */
export const settingsInput = Type.Object(
  Object.fromEntries(
    names.map((name) => [settingParameters[name], Type.Optional(Type.Union([settingSchemas[name], Type.Null()]))]),
  ),
);

/** Converts these parameters. `changeSiteSettings` validates the values. */
export const toSettingsChanges = (input: Readonly<Record<string, unknown>>): SiteSettingsChanges =>
  Object.fromEntries(names.map((name) => [name, input[settingParameters[name]]]));
