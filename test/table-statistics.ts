import { readFileSync } from 'node:fs';
import type pg from 'pg';

/** What the planner knows about a table, as `pg_class` and `pg_stats` have it. */
export interface TableStatistics {
  readonly name: string;
  readonly rows: number;
  /** Entries by the name of the index. */
  readonly indexes: Readonly<Record<string, number>>;
  readonly columns: Readonly<Record<string, ColumnStatistics>>;
}

interface ColumnStatistics {
  readonly null_frac: number;
  readonly avg_width: number;
  readonly n_distinct: number;
  readonly correlation?: number;
  readonly most_common_vals?: string;
  readonly most_common_freqs?: string;
}

/** Of the demo data of ten million posts; `npm run bench -- statistics` writes them. */
const tables = JSON.parse(
  readFileSync(new URL('platform/ten-million-posts.json', import.meta.url), 'utf8'),
) as readonly TableStatistics[];

/** The tables with a million rows or more. */
export const largeTables: ReadonlySet<string> = new Set(
  tables.filter(({ rows }) => rows >= 1_000_000).map(({ name }) => name),
);

/**
 * Claims that the database has ten million posts. The planner multiplies the density of pages with the real size
 * of a file, so the few pages that exist hold all rows: plans are compared by their rows, not by their pages.
 */
export async function claimTenMillionPosts(client: pg.ClientBase): Promise<void> {
  for (const { name, rows, indexes, columns } of tables) {
    for (const [relation, count] of Object.entries({ [name]: rows, ...indexes }))
      await client.query(
        `select pg_restore_relation_stats('schemaname', 'public', 'relname', c.relname::text, 'relpages', pages,
          'reltuples', $2::real, 'relallvisible', pages)
        from pg_class c, lateral (select greatest(pg_relation_size(c.oid) / 8192, 1)::int as pages) size
        where c.oid = to_regclass($1)`,
        [relation, count],
      );
    for (const [column, statistics] of Object.entries(columns)) await restoreColumn(client, name, column, statistics);
  }
}

async function restoreColumn(
  client: pg.ClientBase,
  table: string,
  column: string,
  { null_frac, avg_width, n_distinct, correlation, most_common_vals, most_common_freqs }: ColumnStatistics,
): Promise<void> {
  await client.query(
    `select pg_restore_attribute_stats('schemaname', 'public', 'relname', $1::text, 'attname', $2::text,
      'inherited', false, 'null_frac', $3::real, 'avg_width', $4::int, 'n_distinct', $5::real, 'correlation', $6::real,
      'most_common_vals', $7::text, 'most_common_freqs', $8::real[])
    where exists (select from pg_attribute where attrelid = to_regclass($1) and attname = $2 and not attisdropped)`,
    [table, column, null_frac, avg_width, n_distinct, correlation, most_common_vals, most_common_freqs],
  );
}
