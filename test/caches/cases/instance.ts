import { loadThumbnail } from '../../../server/instance/images/index.ts';
import { siteSettingsChanged } from '../../../server/site/index.ts';
import type { EvictionCase } from '../eviction-case.ts';

const textCases = ['/api/v1/instance', '/api/v2/instance'].map((path): EvictionCase => ({
  cache: 'instance.texts',
  event: siteSettingsChanged.event,
  prepare: async ({ anonymous, db }) => ({
    read: async () => (await anonymous.get(path)).json.title as string,
    change: () => db.insertInto('site_settings').values({ name: 'title', value: '"The Nest"' }).execute(),
    emitted: siteSettingsChanged({ names: ['title'], staffId: null }),
  }),
}));

export const cases: EvictionCase[] = [
  ...textCases,
  {
    cache: 'instance.site_images',
    event: siteSettingsChanged.event,
    prepare: async ({ app, db }) => ({
      read: () => loadThumbnail(app),
      change: () =>
        db
          .insertInto('site_images')
          .values({
            name: 'thumbnail',
            files: JSON.stringify({ '@1x': 'site/thumbnail/a.png' }),
            blurhash: 'x',
            description: '',
            updated_at: app.clock.now(),
          })
          .execute(),
      emitted: siteSettingsChanged({ names: ['thumbnail'], staffId: null }),
    }),
  },
];
