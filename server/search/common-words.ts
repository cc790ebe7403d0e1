import { sql } from 'kysely';
import { perApp, type App } from '../platform/app.ts';
import { LoadingCache } from '../platform/cache.ts';

const commonWordsCache = perApp(
  (app) =>
    new LoadingCache<'all', ReadonlyMap<string, number>>({
      size: 1,
      ttl: 600_000,
      load: async () => {
        const { rows } = await sql<{ word: string; frequency: number }>`
          select known.word, known.frequency
          from pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs) as known (word, frequency)
          where schemaname = current_schema() and tablename = 'status_search' and attname = 'words'
            and known.word is not null`.execute(app.db);
        return new Map(rows.map(({ word, frequency }) => [word, frequency]));
      },
    }),
);

/**
 * Returns the share of statuses (0 to 1) that contain each word of the planner's statistics: at least about one status in
 * a thousand. Up to ten minutes old.
 */
export function loadCommonWords(app: App): Promise<ReadonlyMap<string, number>> {
  return commonWordsCache(app).get('all');
}
