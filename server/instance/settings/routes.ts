import { Type } from 'typebox';
import { get, patch, type Route } from '../../platform/http/routes.ts';
import { listSettings, Setting, settingsInput, toSettingsChanges } from '../../site/settings/index.ts';
import { changeSettings } from './change-settings.ts';

const access = 'staff:manage_settings';
/** Three texts of 100,000 characters, escaped at worst. */
const bodyLimit = 4 * 1_048_576;

/** Mastodon has no API for its settings. */
export const settingsRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/settings', {
    summary: 'List the settings of the site with their types, defaults and values',
    access,
    scope: 'admin:read',
    response: Type.Array(Setting),
    handle: ({ app }) => listSettings(app),
  }),
  patch('/api/v1/fieldfare/admin/settings', {
    summary: 'Change the given settings, all or none; null resets one to its default',
    access,
    scope: 'admin:write',
    input: settingsInput,
    bodyLimit,
    allowSlowBody: true,
    response: Type.Array(Setting),
    async handle({ app, viewer, input }) {
      await changeSettings(app, viewer.accountId, toSettingsChanges(input));
      return listSettings(app);
    },
  }),
];
