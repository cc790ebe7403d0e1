import { siteSettingsChanged } from '../../../server/site/index.ts';
import type { EvictionCase } from '../eviction-case.ts';

export const cases: EvictionCase[] = ['/api/v1/instance', '/api/v2/instance'].map((path) => ({
  cache: 'instance.texts',
  event: siteSettingsChanged.event,
  prepare: async ({ anonymous, db }) => ({
    read: async () => (await anonymous.get(path)).json.title as string,
    change: () => db.insertInto('site_settings').values({ name: 'title', value: '"The Nest"' }).execute(),
    emitted: siteSettingsChanged({ names: ['title'], staffId: null }),
  }),
}));
