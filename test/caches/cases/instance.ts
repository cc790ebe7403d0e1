import { loadThumbnail } from '../../../server/instance/images/index.ts';
import { newId } from '../../../server/platform/ids.ts';
import { changeSiteSettings, domainBlocked, domainUnblocked, siteSettingsChanged } from '../../../server/site/index.ts';
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

const blockCases = [domainBlocked, domainUnblocked].map((type): EvictionCase => ({
  cache: 'instance.domain_blocks',
  event: type.event,
  prepare: async ({ app, anonymous, db }) => {
    await changeSiteSettings(app, 'system', { showDomainBlocks: 'all' });
    const row = { domain: 'bad.test', severity: 'suspend' as const, created_at: app.clock.now() };
    return {
      read: async () => (await anonymous.get('/api/v1/instance/domain_blocks')).json,
      change: () =>
        db
          .insertInto('domain_blocks')
          .values({ id: newId<'row'>(app.clock.now()), ...row })
          .execute(),
      emitted: type({ domain: row.domain, staffId: null }),
    };
  },
}));

export const cases: EvictionCase[] = [
  ...textCases,
  ...blockCases,
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
