import type pg from 'pg';
import { resumeAfter } from '../ids.ts';

/**
 * Selects every table whose ids the server creates: `id` leads an index and is not an identity column. Empty tables are
 * omitted: a new connection needs most of the time to open a table with its indexes.
 */
const tablesWithIdsQuery = `
  with tables as materialized (
    select distinct c.oid, c.relname as name, c.relkind as kind
    from pg_class c
    join pg_index i on i.indrelid = c.oid and i.indpred is null
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attname = 'id'
      and a.atttypid = 'bigint'::regtype and a.attidentity = '')
  select name from tables where kind = 'p' or pg_relation_size(oid) > 0`;

/**
 * Makes new ids greater than all stored ones, so that a process with a slow clock does not sort new rows below old
 * ones. Reads the end of one index per table.
 */
export async function resumeIds(pool: pg.Pool): Promise<void> {
  const { rows: tables } = await pool.query<{ name: string }>(tablesWithIdsQuery);
  if (tables.length === 0) return;
  const maxima = tables.map(({ name }) => `(select max(id) from "${name}")`).join(', ');
  const { rows } = await pool.query<{ id: string | null }>(`select greatest(${maxima})::text as id`);
  if (typeof rows[0]?.id === 'string') resumeAfter(rows[0].id);
}
