import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { packTar, unpackTar, type ParsedTarEntryWithData } from 'modern-tar';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { appendDigest } from '../../../server/backup/archive/digest.ts';
import { checkBackup, createBackup, restoreBackup, type Instance } from '../../../server/backup/index.ts';
import { systemClock } from '../../../server/platform/clock.ts';
import { parseConfig } from '../../../server/platform/config.ts';
import type { Connection } from '../../../server/platform/wire/pool.ts';
import { createStorage } from '../../../server/platform/storage/create-storage.ts';
import type { TestServer } from '../../server.ts';
import { createEmptyDatabase } from '../database.ts';

/** Returns a folder that is deleted after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ff-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the instance of a test server. */
export async function instanceOf(server: TestServer): Promise<Instance> {
  const { rows } = await server.pool.query<{ name: string }>('select current_database() as name');
  const connection: Connection = { ...inject('connection'), database: rows[0]?.name ?? '' };
  return { config: server.app.config, connection, storage: server.app.storage, clock: systemClock };
}

/** Creates an instance without data. */
export async function emptyInstance(): Promise<Instance> {
  const database = await createEmptyDatabase();
  onTestFinished(() => database[Symbol.asyncDispose]());
  const config = parseConfig({ BASE_URL: 'https://fieldfare.test', DATA_DIR: join(newFolder(), 'data') });
  return { config, connection: { connectionString: database.url }, storage: createStorage(config), clock: systemClock };
}

interface BackUpOptions {
  readonly passphrase?: string;
  readonly settings?: Record<string, string>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: string) => void;
  readonly folder?: string;
}

/** Creates a backup without a limit of its rate. Returns its path. */
export async function backUp(instance: Instance, options: BackUpOptions = {}): Promise<string> {
  const path = join(options.folder ?? newFolder(), 'test.backup');
  await createBackup(instance, path, {
    passphrase: undefined,
    bytesPerSecond: Number.MAX_SAFE_INTEGER,
    settings: {},
    onProgress: () => {},
    signal: new AbortController().signal,
    ...options,
  });
  return path;
}

/** Verifies and restores a backup, as the command does. */
export async function restore(instance: Instance, path: string, passphrase?: string): ReturnType<typeof restoreBackup> {
  const options = { passphrase, onProgress: () => {} };
  await checkBackup(path, options);
  return restoreBackup(instance, path, options);
}

export type Entries = ParsedTarEntryWithData[];

/** Returns a copy of a backup whose entries were changed, with a valid digest: only its author can do that. */
export async function forge(path: string, change: (entries: Entries) => Entries): Promise<string> {
  const entries = (await unpackTar(await readFile(path))).filter(({ header }) => header.name !== 'sha256');
  const tar = Buffer.from(await packTar(change(entries)));
  const forged = join(newFolder(), 'forged.tar');
  await writeFile(forged, await buffer(appendDigest(Readable.from([tar]))));
  return forged;
}

/** Returns all rows of all logged tables, as sorted texts, and the values of sequences. */
export async function dumpDatabase(connection: Connection): Promise<Record<string, string[]>> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string; kind: string }>(
      `select relname as name, relkind as kind from pg_class
       where relnamespace = current_schema()::regnamespace and relkind in ('r', 'S') and relpersistence = 'p'`,
    );
    const dump: Record<string, string[]> = {};
    for (const { name, kind } of tables) {
      const value = kind === 'S' ? '(t.last_value, t.is_called)' : 'to_jsonb(t)';
      const { rows } = await client.query<{ row: string }>(`select ${value}::text as row from "${name}" t`);
      dump[name] = rows.map(({ row }) => row).toSorted();
    }
    return dump;
  } finally {
    await client.end();
  }
}

/** Returns the definitions of all indexes and constraints, sorted. */
export async function dumpSchema(connection: Connection): Promise<string[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ definition: string }>(
      `select pg_get_indexdef(indexrelid) as definition from pg_index
         where indrelid in (select oid from pg_class where relnamespace = current_schema()::regnamespace)
       union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
         where connamespace = current_schema()::regnamespace`,
    );
    return rows.map(({ definition }) => definition).toSorted();
  } finally {
    await client.end();
  }
}

/** Returns all stored files as hexadecimal digits by key. */
export async function dumpMedia({ storage }: Instance): Promise<Record<string, string>> {
  const { files } = await storage.list('', { limit: 10_000 });
  const bodies = await Promise.all(files.map(async ({ key }) => (await storage.get(key))?.body.toString('hex') ?? ''));
  return Object.fromEntries(files.map(({ key }, index) => [key, bodies[index] ?? '']));
}
