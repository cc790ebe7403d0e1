import type pg from 'pg';

export interface RelationSize {
  readonly name: string;
  /** Of a table without its indexes, or of an index. */
  readonly bytes: number;
  readonly updates: number;
  /** Updates that changed no index. */
  readonly hotUpdates: number;
}

/** Returns the size of each table and index, each table before its indexes. */
export async function measureSizes(client: pg.ClientBase): Promise<RelationSize[]> {
  const { rows } = await client.query<RelationSize>(`
    select c.relname as name, pg_table_size(c.oid)::float8 as bytes, coalesce(s.n_tup_upd, 0)::float8 as updates,
      coalesce(s.n_tup_hot_upd, 0)::float8 as "hotUpdates"
    from pg_class c left join pg_index i on i.indexrelid = c.oid left join pg_stat_user_tables s on s.relid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i')
    order by coalesce(i.indrelid, c.oid)::regclass::text, i.indrelid is not null, c.relname`);
  return rows;
}
