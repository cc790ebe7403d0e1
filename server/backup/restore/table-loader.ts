import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, type CopyStreamQuery } from 'pg-copy-streams';
import type { Connection } from '../../platform/wire/pool.ts';
import { PrimaryClient } from '../../platform/wire/primary-client.ts';
import { maintenanceSettings, withSettings } from '../../platform/wire/session-settings.ts';
import { dropIndexes } from '../../platform/database/drop-indexes.ts';
import { createSchema } from '../../platform/database/migrate.ts';
import type { DatabaseDescription } from '../archive/documents.ts';
import { BackupError, damaged } from '../backup-error.ts';

/** A COPY that runs. */
interface OpenCopy {
  readonly table: string;
  readonly stream: CopyStreamQuery;
  error?: Error;
}

/**
 * Loads tables into an empty database, in one transaction: until `commit`, the database stays as it was, whatever happens to
 * this process. Foreign keys and indexes are created after the rows.
 */
export class TableLoader implements AsyncDisposable {
  readonly #client: pg.Client;
  readonly #rows = new Map<string, number>();
  #description: DatabaseDescription | undefined;
  #copy: OpenCopy | undefined;
  #buildIndexes: ((progress: (share: number) => void) => Promise<void>) | undefined;
  #foreignKeys: readonly string[] = [];

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Connects and begins. Throws BackupError if the database has tables. */
  static async open(connection: Connection): Promise<TableLoader> {
    const client = new PrimaryClient({
      ...withSettings(connection, maintenanceSettings),
      application_name: 'fieldfare restore',
    });
    client.on('error', () => {});
    await client.connect();
    const loader = new TableLoader(client);
    try {
      await client.query(`begin; set local maintenance_work_mem = '256MB'`);
      await loader.#assertEmpty();
      return loader;
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  async #assertEmpty(): Promise<void> {
    const { rowCount } = await this.#client.query(
      `select 1 from pg_class c where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
         and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e') limit 1`,
    );
    if (rowCount !== 0)
      throw new BackupError(
        'The database is not empty. Restore into a new DATA_DIR, or an empty database of DATABASE_URL.',
      );
  }

  /** Creates the empty tables. */
  async createTables(description: DatabaseDescription): Promise<void> {
    const client = this.#client;
    await createSchema(client, description.migrations);
    this.#description = description;
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
    );
    const names = tables.map(({ name }) => name);
    const unknown = description.tables.find(({ name }) => !names.includes(name));
    if (unknown !== undefined) throw damaged(`its migrations do not create the table ${unknown.name}`);
    const { rows: keys } = await client.query<{ drop: string; create: string }>(
      `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
         format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
       from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by conname`,
    );
    for (const { drop: statement } of keys) await client.query(statement);
    this.#foreignKeys = keys.map(({ create }) => create);
    this.#buildIndexes = await dropIndexes(client, names.map(pg.escapeIdentifier));
    // Some migrations insert rows.
    const quoted = names.map(pg.escapeIdentifier).join(', ');
    const statement = `truncate ${quoted}`;
    await client.query(statement);
  }

  /** Adds a part of a table. Each table is loaded by one COPY. */
  async add(table: string, part: Buffer): Promise<void> {
    if (this.#copy?.table !== table) {
      await this.#endCopy();
      this.#copy = this.#startCopy(table);
    }
    const { stream, error } = this.#copy;
    if (error !== undefined) throw error;
    // Rejects if PostgreSQL rejects the rows.
    if (!stream.write(part)) await once(stream, 'drain');
  }

  #startCopy(table: string): OpenCopy {
    const columns = this.#description?.tables.find(({ name }) => name === table)?.columns ?? [];
    const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
    const quoted = pg.escapeIdentifier(table);
    const statement = copyFrom(`copy ${quoted} (${list}) from stdin`);
    const stream = this.#client.query(statement);
    const copy: OpenCopy = { table, stream };
    stream.on('error', (error) => (copy.error = error));
    return copy;
  }

  async #endCopy(): Promise<void> {
    const copy = this.#copy;
    if (copy === undefined) return;
    this.#copy = undefined;
    if (copy.error !== undefined) throw copy.error;
    copy.stream.end();
    await finished(copy.stream);
    this.#rows.set(copy.table, copy.stream.rowCount);
  }

  /** Returns how many rows of a table were loaded. */
  async count(table: string): Promise<number> {
    await this.#endCopy();
    return this.#rows.get(table) ?? 0;
  }

  /** Creates indexes and foreign keys, which verifies references. `onProgress` receives the share of the indexes. */
  async finish(onProgress: (share: number) => void): Promise<void> {
    await this.#endCopy();
    await this.#buildIndexes?.(onProgress);
    for (const statement of this.#foreignKeys) await this.#client.query(statement);
    for (const { name, value, is_called } of this.#description?.sequences ?? [])
      await this.#client.query('select setval($1::regclass, $2, $3)', [pg.escapeIdentifier(name), value, is_called]);
  }

  async commit(): Promise<void> {
    await this.#client.query('commit');
  }

  /** Collects statistics for the planner, without which the first queries are slow. */
  async analyze(): Promise<void> {
    await this.#client.query('analyze');
  }

  /** Closes the connection, which rolls back what was not committed. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }
}
