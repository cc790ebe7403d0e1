import type { App } from '../platform/app.ts';
import { LoadingCache } from '../platform/caching/cache.ts';
import { evictAll } from '../platform/caching/cache-reactions.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { siteSettingsChanged } from './events.ts';
import {
  type SettingName,
  settingSchemas,
  type SiteSettings,
  type StoredSettings,
  defaultSettings,
} from './settings-schema.ts';

const storedSettings = preparedQuery<{ name: string; value: unknown; updated_at: Date }>()((db) =>
  db.selectFrom('site_settings').select(['name', 'value', 'updated_at']).where('name', '<>', 'vapid'),
);

export const settingsCache = new LoadingCache<'settings', SiteSettings>({
  name: 'site.settings',
  maxSize: 1,
  ttlMs: 60_000,
  load: loadSettings,
  evictOn: [evictAll(siteSettingsChanged)],
});

/** Returns the current settings: stored by staff, else from the environment, else the defaults. Cached. */
export const siteSettings = (app: App): Promise<SiteSettings> => settingsCache.get(app, 'settings');

async function loadSettings(app: App): Promise<SiteSettings> {
  const rows = await storedSettings(app, {});
  const stored = rows.filter(({ name }) => isSettingName(name));
  const valid = stored.length === 0 ? [] : await filterValid(stored);
  const writtenAt = (name: SettingName): Date | null => valid.find((row) => row.name === name)?.updated_at ?? null;
  const settings: StoredSettings = {
    ...defaultSettings(app.config),
    ...Object.fromEntries(valid.map(({ name, value }) => [name, value])),
  };
  return {
    ...settings,
    // Limited federation shows posts to nobody outside.
    emailSubscriptions: settings.emailSubscriptions && !app.config.LIMITED_FEDERATION,
    ...closeFeeds(app, settings),
    extendedDescriptionUpdatedAt: writtenAt('extendedDescription'),
    privacyPolicyUpdatedAt: writtenAt('privacyPolicy'),
  };
}

/** The environment may keep visitors out of the timelines, whatever staff chose. */
function closeFeeds({ config }: App, settings: StoredSettings) {
  const isOpen = config.PUBLIC_PREVIEW && !config.LIMITED_FEDERATION;
  const close = <Audience extends string>(audience: Audience) =>
    audience === 'public' && !isOpen ? ('authenticated' as const) : audience;
  return {
    localLiveFeedAccess: close(settings.localLiveFeedAccess),
    remoteLiveFeedAccess: close(settings.remoteLiveFeedAccess),
    localTopicFeedAccess: close(settings.localTopicFeedAccess),
    remoteTopicFeedAccess: close(settings.remoteTopicFeedAccess),
  };
}

/** Imports the validator only if needed: it is a sixth of what a command loads. */
async function filterValid<Row extends { name: string; value: unknown }>(rows: readonly Row[]): Promise<Row[]> {
  const { Value } = await import('typebox/value');
  return rows.filter(({ name, value }) => isSettingName(name) && Value.Check(settingSchemas[name], value));
}

const isSettingName = (name: string): name is SettingName => Object.hasOwn(settingSchemas, name);
