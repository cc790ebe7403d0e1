import type pg from 'pg';
import type { App } from '../app.ts';
import { connectForMaintenance } from '../wire/pool.ts';

/** SQLSTATE of rows that a unique index does not permit. */
const uniqueViolation = '23505';

/**
 * Builds an index again beside the old one, while the server runs. `name`: as PostgreSQL writes it, quoted where needed.
 * Returns false, and leaves the old index, if rows of the table contradict it.
 */
export async function rebuildIndex(app: App, name: string): Promise<boolean> {
  const rebuild = `reindex index concurrently ${name}`;
  const client = await connectForMaintenance(app.directConnection);
  try {
    await client.query(rebuild);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== uniqueViolation) throw error;
    return false;
  } finally {
    try {
      await dropUnfinished(client, name);
    } finally {
      await client.end();
    }
  }
}

/** Drops what an attempt that failed left: an invalid index with the name of the old one and `_ccnew`. */
async function dropUnfinished(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ unfinished: string }>(
    `select other.indexrelid::regclass::text as unfinished
     from pg_index own join pg_index other on other.indrelid = own.indrelid and not other.indisvalid
       join pg_class old on old.oid = own.indexrelid join pg_class class on class.oid = other.indexrelid
     where own.indexrelid = $1::regclass and class.relname ~ '_ccnew\\d*$' and starts_with(class.relname, left(old.relname, 57))`,
    [name],
  );
  for (const { unfinished } of rows) {
    const drop = `drop index ${unfinished}`;
    await client.query(drop);
  }
}
