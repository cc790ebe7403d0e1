import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { defineCache, evictAll } from '../../platform/caching/define-cache.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { siteSettingsChanged } from '../events.ts';

/** A rule in another language. */
export interface RuleTranslation {
  readonly text: string;
  readonly hint: string;
}

/** A rule of the server that people accept when they sign up. */
export interface SiteRule {
  readonly id: string;
  readonly text: string;
  /** Further explanation; empty for none. */
  readonly hint: string;
  readonly translations: Readonly<Record<string, RuleTranslation>>;
}

const currentRules = preparedQuery<SiteRule>()((db) =>
  db
    .selectFrom('rules')
    .select([
      'id',
      'text',
      'hint',
      sql<SiteRule['translations']>`(
        select coalesce(json_object_agg(language, json_build_object('text', t.text, 'hint', t.hint) order by language), '{}')
        from rule_translations t where t.rule_id = rules.id)`.as('translations'),
    ])
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .orderBy('id'),
);

const rulesCache = defineCache<'rules', readonly SiteRule[]>({
  name: 'site.rules',
  maxSize: 1,
  ttlMs: 60_000,
  load: (app) => currentRules(app, {}),
  evictOn: [evictAll(siteSettingsChanged)],
});

/** Returns the rules in their order. Cached. */
export const listRules = (app: App): Promise<readonly SiteRule[]> => rulesCache.get(app, 'rules');
