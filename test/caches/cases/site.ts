import {
  domainAllowed,
  domainBlocked,
  domainDisallowed,
  domainUnblocked,
  siteSettings,
  siteSettingsChanged,
} from '../../../server/site/index.ts';
import { domainPolicy } from '../../../server/site/domains/index.ts';
import { listRules } from '../../../server/site/rules/index.ts';
import { listTermsOfService } from '../../../server/site/terms/index.ts';
import { newId } from '../../../server/platform/ids.ts';
import type { EvictionCase } from '../eviction-case.ts';

const domain = 'blocked.test';

const policyCases = [domainBlocked, domainUnblocked, domainAllowed, domainDisallowed].map((type): EvictionCase => ({
  cache: 'site.domain_policy',
  event: type.event,
  prepare: async ({ app, db }) => ({
    read: async () => (await domainPolicy(app)).ruleFor(domain),
    change: () =>
      db
        .insertInto('domain_blocks')
        .values({ id: newId<'row'>(app.clock.now()), domain, severity: 'suspend', created_at: app.clock.now() })
        .execute(),
    emitted: type({ domain, staffId: null }),
  }),
}));

export const cases: EvictionCase[] = [
  ...policyCases,
  {
    cache: 'site.settings',
    event: siteSettingsChanged.event,
    prepare: async ({ app, db }) => ({
      read: async () => (await siteSettings(app)).title,
      change: () => db.insertInto('site_settings').values({ name: 'title', value: '"The Nest"' }).execute(),
      emitted: siteSettingsChanged({ names: ['title'], staffId: null }),
    }),
  },
  {
    cache: 'site.rules',
    event: siteSettingsChanged.event,
    prepare: async ({ app, db }) => ({
      read: () => listRules(app),
      change: () => db.insertInto('rules').values({ text: 'Be kind' }).execute(),
      emitted: siteSettingsChanged({ names: ['rules'], staffId: null }),
    }),
  },
  {
    cache: 'site.terms_of_service',
    event: siteSettingsChanged.event,
    prepare: async ({ app, db }) => ({
      read: () => listTermsOfService(app),
      change: () =>
        db
          .insertInto('terms_of_service')
          .values({
            effective_date: app.clock.now(),
            content: '<p>Terms</p>',
            published_at: app.clock.now(),
            updated_at: app.clock.now(),
          })
          .execute(),
      emitted: siteSettingsChanged({ names: ['termsOfService'], staffId: null }),
    }),
  },
];
