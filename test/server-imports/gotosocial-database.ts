import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import { createEmptyDatabase, type EmptyDatabase } from '../ops/database.ts';
import { columnsOf, type ColumnKind, type Dialect, type GotosocialVersion } from './gotosocial-schema.ts';

interface GoKeys {
  readonly publicPem: string;
  /** As Go stores keys. */
  readonly publicJson: string;
  readonly privateJson: string;
}

export interface SourceKeys {
  readonly alice: GoKeys;
  readonly instance: GoKeys;
  readonly carol: Pick<GoKeys, 'publicPem' | 'publicJson'>;
}

/** A value of a column. Times are ISO. */
export type Value = string | number | boolean | null | readonly unknown[] | { readonly [key: string]: unknown };

/** JSON with integers of any size, as Go writes it. */
export class GoJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A database of a GoToSocial with a few rows of every kind. */
export class GotosocialDatabase implements AsyncDisposable {
  readonly keys: SourceKeys;
  /** For `--database`. */
  readonly address: string;
  readonly version: GotosocialVersion;
  readonly #client: DatabaseSync | pg.Client;
  readonly #database: EmptyDatabase | undefined;

  constructor(
    parts: Pick<GotosocialDatabase, 'keys' | 'address' | 'version'>,
    client: DatabaseSync | pg.Client,
    database?: EmptyDatabase,
  ) {
    this.keys = parts.keys;
    this.address = parts.address;
    this.version = parts.version;
    this.#client = client;
    this.#database = database;
  }

  /** Runs statements. Those of both databases must be the same. */
  async execute(text: string): Promise<void> {
    if (this.#client instanceof DatabaseSync) this.#client.exec(text);
    else await this.#client.query(text);
  }

  /** Inserts a row. Leaves out tables and columns that the version lacks. */
  async insert(table: string, row: Readonly<Record<string, Value | GoJson>>): Promise<void> {
    const kinds = columnsOf(this.version, table);
    if (kinds === undefined) return;
    const given = Object.entries(row).filter(([name]) => kinds.has(name));
    const isSqlite = this.#client instanceof DatabaseSync;
    const values = given.map(([name, value]) => encode(value, kinds.get(name) ?? 'text', isSqlite));
    const names = given.map(([name]) => `"${name}"`).join(', ');
    const holes = given.map((_, index) => (isSqlite ? '?' : `$${index + 1}`)).join(', ');
    const text = `insert into ${table} (${names}) values (${holes})`;
    if (this.#client instanceof DatabaseSync) this.#client.prepare(text).run(...(values as string[]));
    else await this.#client.query(text, values);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#client instanceof DatabaseSync) this.#client.close();
    else await this.#client.end();
    await this.#database?.[Symbol.asyncDispose]();
  }
}

/** Creates an empty database. */
export async function createDatabase(
  dialect: Dialect,
  parts: Pick<GotosocialDatabase, 'keys' | 'version'>,
): Promise<GotosocialDatabase> {
  if (dialect === 'sqlite') {
    const address = join(mkdtempSync(join(tmpdir(), 'ff-gotosocial-')), 'sqlite.db');
    const client = new DatabaseSync(address);
    // As GoToSocial does. Rows are in the -wal file while this connection is open.
    client.exec('pragma journal_mode = wal');
    return new GotosocialDatabase({ ...parts, address }, client);
  }
  const database = await createEmptyDatabase();
  return new GotosocialDatabase({ ...parts, address: database.url }, await database.connect(), database);
}

function encode(value: Value | GoJson, kind: ColumnKind, isSqlite: boolean): unknown {
  if (value === null) return null;
  if (value instanceof GoJson) return value.text;
  if (kind === 'json') return JSON.stringify(value);
  if (!isSqlite) return value;
  if (kind === 'array') return JSON.stringify(value);
  if (kind === 'flag') return value === true ? 1 : 0;
  // As bun, the library of GoToSocial, writes times.
  if (kind === 'time' && typeof value === 'string') return value.replace('T', ' ').replace('Z', '+00:00');
  return value;
}
