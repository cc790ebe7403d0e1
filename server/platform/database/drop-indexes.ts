import type pg from 'pg';

interface Index {
  readonly drop: string;
  readonly create: string;
}

/**
 * Drops the indexes of `tables`, because building them after a bulk load is several times faster. Primary keys stay, because
 * foreign keys depend on them. Runs in the caller's transaction, so a rollback restores the indexes. Returns a function that
 * builds them again.
 */
export async function dropIndexes(
  client: pg.ClientBase,
  tables: readonly string[],
): Promise<(progress: (share: number) => void) => Promise<void>> {
  const { rows } = await client.query<Index>(
    `select
       case when c.oid is null then format('drop index %s', i.indexrelid::regclass)
         else format('alter table %s drop constraint %I', i.indrelid::regclass, c.conname) end as drop,
       case when c.oid is null then pg_get_indexdef(i.indexrelid)
         else format('alter table %s add constraint %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) end as create
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('u', 'x')
     where i.indrelid = any($1::regclass[]) and not i.indisprimary
     order by i.indexrelid`,
    [tables],
  );
  for (const { drop } of rows) await client.query(drop);
  return async (progress) => {
    for (const [index, { create }] of rows.entries()) {
      await client.query(create);
      progress((index + 1) / rows.length);
    }
  };
}
