import { sql } from 'kysely';
import { perApp, type App } from '../platform/app.ts';
import { LoadingCache } from '../platform/cache.ts';

/** Part of all statuses that a word must occur in to count as common. */
const commonFrom = 0.01;

const cache = perApp(
  (app) =>
    new LoadingCache<'all', ReadonlySet<string>>({
      size: 1,
      ttl: 600_000,
      load: async () => {
        const { rows } = await sql<{ word: string }>`
          select known.word
          from pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs) as known (word, frequency)
          where schemaname = current_schema() and tablename = 'status_search' and attname = 'words'
            and known.word is not null and known.frequency >= ${commonFrom}`.execute(app.db);
        return new Set(rows.map(({ word }) => word));
      },
    }),
);

/** The words that very many statuses have, as the database counted when it last looked; some minutes old. */
export function commonWords(app: App): Promise<ReadonlySet<string>> {
  return cache(app).get('all');
}
