import { perApp, type App } from '../platform/app.ts';
import { LoadingCache } from '../platform/cache.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { siteChannel } from './site-settings.ts';

/** A rule of the server that people accept when they sign up. */
export interface SiteRule {
  readonly id: string;
  readonly text: string;
  /** Further explanation; empty for none. */
  readonly hint: string;
}

const currentRules = preparedQuery<SiteRule>()((db) =>
  db
    .selectFrom('rules')
    .select(['id', 'text', 'hint'])
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .orderBy('id'),
);

const cache = perApp((app) => {
  const rules = new LoadingCache<'all', readonly SiteRule[]>({
    size: 1,
    ttl: 60_000,
    load: () => currentRules(app, {}),
  });
  app.bus.subscribe(siteChannel, () => rules.clear());
  app.bus.onGap(() => rules.clear());
  return rules;
});

/** The rules in their order. Cached. */
export function listRules(app: App): Promise<readonly SiteRule[]> {
  return cache(app).get('all');
}
