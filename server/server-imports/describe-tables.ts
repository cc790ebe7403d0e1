import type pg from 'pg';

/** A foreign key of a table of the target. */
export interface ForeignKey {
  readonly columns: readonly string[];
  readonly parent: string;
  readonly parentColumns: readonly string[];
  /** Whether a row without its parent makes no sense; else the column becomes null. */
  readonly isRequired: boolean;
  /** Whether all of its columns are not null. */
  readonly isNotNull: boolean;
}

/** A table of either database. */
export interface DescribedTable {
  /** SQL types by column. */
  readonly types: ReadonlyMap<string, string>;
  readonly foreignKeys: readonly ForeignKey[];
  /** Whether a sequence gives ids to its rows. */
  readonly hasIdentity: boolean;
}

export type DescribedTables = ReadonlyMap<string, DescribedTable>;

interface TableRow {
  readonly name: string;
  readonly types: Record<string, string>;
  readonly hasIdentity: boolean;
  readonly foreignKeys: readonly ForeignKey[] | null;
}

/** Describes all tables of the current schema. */
export async function describeTables(client: pg.ClientBase): Promise<DescribedTables> {
  const { rows } = await client.query<TableRow>(
    `select c.relname as name, bool_or(a.attname = 'id' and a.attidentity <> '') as "hasIdentity",
       json_object_agg(a.attname, format_type(a.atttypid, null)) as types,
       (select json_agg(json_build_object(
           'columns', (select json_agg(attname) from unnest(k.conkey) n join pg_attribute on attrelid = k.conrelid and attnum = n),
           'parent', (select relname from pg_class where oid = k.confrelid),
           'parentColumns', (select json_agg(attname) from unnest(k.confkey) n
             join pg_attribute on attrelid = k.confrelid and attnum = n),
           'isRequired', k.confdeltype = 'c' or (select bool_or(attnotnull) from pg_attribute
             where attrelid = k.conrelid and attnum = any(k.conkey)),
           'isNotNull', (select bool_and(attnotnull) from pg_attribute
             where attrelid = k.conrelid and attnum = any(k.conkey))))
         from pg_constraint k where k.conrelid = c.oid and k.contype = 'f') as "foreignKeys"
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
     group by c.oid, c.relname`,
  );
  return new Map(
    rows.map(({ name, types, hasIdentity, foreignKeys }) => [
      name,
      { types: new Map(Object.entries(types)), hasIdentity, foreignKeys: foreignKeys ?? [] },
    ]),
  );
}
