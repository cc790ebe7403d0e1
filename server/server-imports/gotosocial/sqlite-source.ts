import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { toError } from '../../platform/errors.ts';
import { ServerImportError } from '../server-import-error.ts';
import type { ColumnKind, CopiedTable } from './copied-tables.ts';
import { presentColumns, type GotosocialSource } from './gotosocial-source.ts';

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** SQL of a value for `json_object`. SQLite stores booleans as integers, and times, arrays and objects as text. */
function valueOf(name: string, kind: ColumnKind): string {
  const column = quote(name);
  switch (kind) {
    case 'text':
      return `cast(${column} as text)`;
    case 'time':
      return `replace(cast(${column} as text), ' UTC', '')`;
    case 'flag':
      return `case when ${column} is not null then json(iif(${column} in (1, '1', 'true'), 'true', 'false')) end`;
    case 'number':
      return `cast(${column} as real)`;
    case 'json':
      return `case when json_valid(${column}) then json(${column}) end`;
  }
}

/** Opens a file of SQLite. All is read in one transaction. Throws ServerImportError. */
export async function openSqlite(path: string): Promise<GotosocialSource> {
  if (!existsSync(path))
    throw new ServerImportError(
      `--database: there is no file ${path}. It must be the file of SQLite, or an address such as postgres://user:password@host/gotosocial.`,
    );
  const database = await openFile(path);
  const tables = describe(database);
  return {
    tables,
    async count(table) {
      const row = database.prepare(`select count(*) as count from ${quote(table)}`).get();
      return Number(row?.['count'] ?? 0);
    },
    read: (name, table, batchSize) => readRows(database, selectText(name, table, tables.get(name)), batchSize),
    async [Symbol.asyncDispose]() {
      database.close();
    },
  };
}

async function openFile(path: string): Promise<DatabaseSync> {
  const { DatabaseSync: Database } = await import('node:sqlite');
  try {
    const database = new Database(path, { readOnly: true });
    // The snapshot begins with the first statement that reads.
    database.exec('begin; select count(*) from sqlite_schema');
    return database;
  } catch (error) {
    throw new ServerImportError(
      `--database: ${path} cannot be read as a database of SQLite (${toError(error).message}). Copy it with its -wal file into a folder that can be written to.`,
    );
  }
}

function describe(database: DatabaseSync): Map<string, Set<string>> {
  const rows = database
    .prepare(
      `select t.name as "table", c.name as "column" from sqlite_schema t, pragma_table_info(t.name) c
        where t.type = 'table' and t.name not like 'sqlite\\_%' escape '\\'`,
    )
    .all();
  const grouped = Map.groupBy(rows, (row) => String(row['table']));
  return new Map([...grouped].map(([name, columns]) => [name, new Set(columns.map((row) => String(row['column'])))]));
}

function selectText(name: string, table: CopiedTable, names: ReadonlySet<string> = new Set()): string {
  const key = table.key.map((column) => `cast(${quote(column)} as text)`).join(` || '/' || `);
  const values = presentColumns(table, names).map(([column, kind]) => `'${column}', ${valueOf(column, kind)}`);
  return `select json_object(${[`'ulid', ${key}`, ...values].join(', ')}) as row from ${quote(name)}`;
}

async function* readRows(database: DatabaseSync, select: string, batchSize: number): AsyncGenerator<readonly string[]> {
  let rows: string[] = [];
  for (const { row } of database.prepare(select).iterate()) {
    rows.push(withoutNul(String(row)));
    if (rows.length < batchSize) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

/** PostgreSQL has no text with the character NUL. */
const withoutNul = (json: string): string => json.replaceAll(/(?<!\\)((?:\\\\)*)\\u0000/g, '$1');
