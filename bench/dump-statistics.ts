// Writes the planner's statistics of a large database, without its data, for the tests of plans:
// npm run bench -- statistics --data FOLDER, then npm run format.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { TableStatistics } from '../test/table-statistics.ts';
import { connectDirectly } from './connect-directly.ts';

const { values } = parseArgs({
  options: {
    /** A folder with demo data, which is kept. */
    data: { type: 'string', default: 'data' },
  },
});

/** Smaller tables say nothing about growth. */
const minRows = 10_000;

const env = { DATA_DIR: resolve(values.data), LOG_LEVEL: 'error' };
const statistics = await connectDirectly(env, async (client) => {
  // Values are dumped only of columns with few different ones, such as a visibility.
  const { rows } = await client.query<TableStatistics>(
    `select c.relname as name, c.reltuples::float8 as rows,
      (select coalesce(jsonb_object_agg(i.relname, i.reltuples order by i.relname), '{}')
        from pg_index join pg_class i on i.oid = indexrelid where indrelid = c.oid) as indexes,
      (select coalesce(jsonb_object_agg(attname, jsonb_strip_nulls(jsonb_build_object(
          'null_frac', null_frac, 'avg_width', avg_width, 'n_distinct', n_distinct, 'correlation', correlation,
          'most_common_vals', case when n_distinct between 0 and 20 then most_common_vals::text end,
          'most_common_freqs', case when n_distinct between 0 and 20 then most_common_freqs::text end
        )) order by attname), '{}')
        from pg_stats where schemaname = 'public' and tablename = c.relname) as columns
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.reltuples >= ${minRows}
    order by c.relname`,
  );
  return rows;
});
const path = join(import.meta.dirname, '../test/platform/ten-million-posts.json');
writeFileSync(path, `${JSON.stringify(statistics, null, 2)}\n`);
process.exit(0);
