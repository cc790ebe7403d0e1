import { perApp, type App } from '../platform/app.ts';
import { LoadingCache } from '../platform/cache.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { type SettingName, settingSchemas, type SiteSettings, defaultSettings } from './settings-schema.ts';

/** Bus channel that says that settings or rules changed. */
export const siteChannel = 'site:changed';

const storedSettings = preparedQuery<{ name: string; value: unknown; updated_at: Date }>()((db) =>
  db.selectFrom('site_settings').select(['name', 'value', 'updated_at']).where('name', '<>', 'vapid'),
);

const cache = perApp((app) => {
  const settings = new LoadingCache<'all', SiteSettings>({ size: 1, ttl: 60_000, load: () => loadSettings(app) });
  app.bus.subscribe(siteChannel, () => settings.clear());
  app.bus.onGap(() => settings.clear());
  return settings;
});

/** The settings as they hold now: what staff stored, else the environment, else the defaults. Cached. */
export function siteSettings(app: App): Promise<SiteSettings> {
  return cache(app).get('all');
}

async function loadSettings(app: App): Promise<SiteSettings> {
  const rows = await storedSettings(app, {});
  const stored = rows.filter(({ name }) => isSettingName(name));
  const valid = stored.length === 0 ? [] : await filterValid(stored);
  const writtenAt = (name: SettingName): Date | null => valid.find((row) => row.name === name)?.updated_at ?? null;
  return {
    ...defaultSettings(app.config),
    ...Object.fromEntries(valid.map(({ name, value }) => [name, value])),
    extendedDescriptionUpdatedAt: writtenAt('extendedDescription'),
    privacyPolicyUpdatedAt: writtenAt('privacyPolicy'),
  };
}

/** The checks are loaded when there is something to check: they are a sixth of what a command loads. */
async function filterValid<Row extends { name: string; value: unknown }>(rows: readonly Row[]): Promise<Row[]> {
  const { Value } = await import('typebox/value');
  return rows.filter(({ name, value }) => isSettingName(name) && Value.Check(settingSchemas[name], value));
}

const isSettingName = (name: string): name is SettingName => Object.hasOwn(settingSchemas, name);
