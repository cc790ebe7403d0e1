import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { evictAll } from '../../platform/caching/cache-reactions.ts';
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

/** A rule that is in force. */
export interface CurrentRule extends SiteRule {
  /** Rules are listed by position, then by age. */
  readonly position: number;
}

const selectRules = (db: App['db']) =>
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
    .orderBy('position')
    .orderBy('id');

const currentRules = preparedQuery<CurrentRule>()((db) =>
  selectRules(db).select('position').where('deleted_at', 'is', null),
);
const rulesById = preparedQuery<SiteRule>()((db, { ids }: { ids: readonly string[] }) =>
  selectRules(db).where('id', '=', sql<string>`any(${ids}::bigint[])`),
);

export const rulesCache = new LoadingCache<'rules', readonly CurrentRule[]>({
  name: 'site.rules',
  maxSize: 1,
  ttlMs: 60_000,
  load: (app) => currentRules(app, {}),
  evictOn: [evictAll(siteSettingsChanged)],
});

/** Returns the rules in their order. Cached. */
export const listRules = (app: App): Promise<readonly CurrentRule[]> => rulesCache.get(app, 'rules');

/** Returns rules by id in their order, current or deleted. Not cached. */
export const findRules = async (app: App, ids: readonly string[]): Promise<readonly SiteRule[]> =>
  ids.length === 0 ? [] : rulesById(app, { ids });
