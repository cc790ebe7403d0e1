import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { defineCache } from '../platform/caching/define-cache.ts';

const commonWordsCache = defineCache<'all', ReadonlyMap<string, number>>({
  name: 'search.common_words',
  maxSize: 1,
  ttlMs: 600_000,
  load: async (app) => {
    const { rows } = await sql<{ word: string; frequency: number }>`
      select word, frequency
      from pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs) as common (word, frequency)
      where schemaname = current_schema() and tablename = 'status_search' and attname = 'words'
        and word is not null`.execute(app.db);
    return new Map(rows.map(({ word, frequency }) => [word, frequency]));
  },
});

/**
 * Returns the share of statuses (0 to 1) that contain each word of the planner's statistics: at least about one status in
 * a thousand. Up to ten minutes old.
 */
export const loadCommonWords = (app: App): Promise<ReadonlyMap<string, number>> => commonWordsCache.get(app, 'all');
