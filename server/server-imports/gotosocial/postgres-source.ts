import pg from 'pg';
import { connectSource } from '../connect-source.ts';
import { describeTables } from '../describe-tables.ts';
import type { ColumnKind, CopiedTable } from './copied-tables.ts';
import { presentColumns, type GotosocialSource } from './gotosocial-source.ts';

const quote = (name: string): string => pg.escapeIdentifier(name);

const valueOf = (name: string, kind: ColumnKind): string => {
  if (kind === 'json') return `to_jsonb(${quote(name)})`;
  return kind === 'text' ? `${quote(name)}::text` : quote(name);
};

/** Opens the PostgreSQL of a GoToSocial. All is read in one transaction. Throws ServerImportError. */
export async function openPostgres(databaseUrl: string): Promise<GotosocialSource> {
  const client = await connectSource(databaseUrl);
  await client.query('begin isolation level repeatable read read only');
  const described = await describeTables(client);
  const tables = new Map([...described].map(([name, { types }]) => [name, new Set(types.keys())]));
  return {
    tables,
    async count(table) {
      const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${quote(table)}`);
      return rows[0]?.count ?? 0;
    },
    read: (name, table, batchSize) => readRows(client, selectText(name, table, tables.get(name)), batchSize),
    [Symbol.asyncDispose]: () => client.end().catch(() => {}),
  };
}

function selectText(name: string, table: CopiedTable, names: ReadonlySet<string> = new Set()): string {
  const key = `concat_ws('/', ${table.key.map((column) => `trim(${quote(column)}::text)`).join(', ')}) as ulid`;
  const columns = presentColumns(table, names).map(([column, kind]) => `${valueOf(column, kind)} as ${quote(column)}`);
  return `select row_to_json(t)::text as row from (select ${[key, ...columns].join(', ')} from ${quote(name)}) t`;
}

async function* readRows(client: pg.Client, select: string, batchSize: number): AsyncGenerator<readonly string[]> {
  await client.query(`declare copied no scroll cursor for ${select}`);
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${batchSize} from copied`);
    if (rows.length > 0) yield rows.map(({ row }) => row);
    if (rows.length < batchSize) break;
  }
  await client.query('close copied');
}
