import { Type } from 'typebox';
import { transaction } from '../../platform/write/transaction.ts';
import { invalidParameter } from '../../platform/http/http-errors.ts';
import { get, patch, type Route } from '../../platform/http/routes.ts';
import { findLocale, locales } from '../../platform/i18n/locales.ts';
import { findLanguage } from '../../text/languages/index.ts';
import { changeLocale } from './change-locale.ts';
import { ExpandMedia, UserPreferences } from './schema.ts';
import { loadUserSettings, updateUserSettings, type ResolvedUserSettings } from './user-settings.ts';

const presentPreferences = (settings: ResolvedUserSettings) => ({
  locale: settings.locale,
  available_locales: [...locales],
  expand_media: settings.expand_media,
  expand_spoilers: settings.expand_spoilers,
  autoplay_gifs: settings.autoplay_gifs,
  show_application: settings.show_application,
});

/** Preferences that Mastodon has on its own pages only. `update_credentials` changes those of new posts. */
export const preferenceRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/preferences', {
    summary: 'Show the language and the reading preferences of the user',
    access: 'user',
    scope: 'read|read:accounts',
    response: UserPreferences,
    handle: async ({ app, viewer }) => presentPreferences(await loadUserSettings(app, viewer.accountId)),
  }),

  patch('/api/v1/fieldfare/preferences', {
    summary: 'Change the given preferences of the user',
    access: 'user',
    scope: 'write|write:accounts',
    input: Type.Object({
      locale: Type.Optional(Type.String({ description: `The nearest of ${locales.join(', ')} counts` })),
      expand_media: Type.Optional(ExpandMedia),
      expand_spoilers: Type.Optional(Type.Boolean()),
      autoplay_gifs: Type.Optional(Type.Boolean()),
      show_application: Type.Optional(Type.Boolean()),
    }),
    response: UserPreferences,
    async handle({ app, viewer: { accountId }, input: { locale: tag, ...changes } }) {
      const locale = tag === undefined ? undefined : findLocale(findLanguage(tag) ?? tag);
      if (tag !== undefined && locale === undefined) {
        throw invalidParameter('locale', 'problems.notAmong', { choices: locales.join(', ') });
      }
      await transaction(app, async (tx) => {
        if (Object.keys(changes).length > 0) await updateUserSettings(tx, accountId, changes);
        if (locale !== undefined) await changeLocale(tx, app, { accountId, locale });
      });
      return presentPreferences(await loadUserSettings(app, accountId));
    },
  }),
];
