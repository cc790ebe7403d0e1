import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config.ts';
import { prepareDataFolder } from '../../platform/files/data-folder.ts';
import type { Connection } from '../../platform/wire/pool.ts';
import {
  embeddedDataFolder,
  findEmbeddedHolder,
  findRunningEmbedded,
  startEmbedded,
  type EmbeddedServer,
} from '../../platform/database/embedded/index.ts';
import { CliError } from '../cli-error.ts';
import { toError } from '../../platform/errors.ts';

/** A running PostgreSQL. */
export interface OpenDatabase {
  readonly connection: Connection;
  /** `started`: embedded, by this process; `attached`: embedded, by another process; `external`: DATABASE_URL. */
  readonly kind: 'started' | 'attached' | 'external';
  /** Resolves with a message if a started PostgreSQL stops unexpectedly. */
  readonly died: Promise<string>;
  /** Stops PostgreSQL if this process started it. */
  close(): Promise<void>;
}

const minServerVersion = 150_000;
const never = new Promise<never>(() => {});

/**
 * Starts the embedded PostgreSQL for the server, or connects to DATABASE_URL. Calls `onLaunched` when the process of
 * PostgreSQL exists and is starting. Throws CliError or EmbeddedError.
 */
export async function openServerDatabase(
  config: Config,
  log: Logger,
  { onProgress, onLaunched }: { onProgress: (step: string) => void; onLaunched: () => void },
): Promise<OpenDatabase> {
  prepareDataFolder(config.dataDir);
  if (config.DATABASE_URL !== undefined) return openExternalDatabase(config.DATABASE_URL);
  onProgress('Starting PostgreSQL');
  const dataDir = embeddedDataFolder(config.dataDir);
  return startedDatabase(await startEmbedded({ dataDir, log, onProgress, onLaunched, restart: true }));
}

/**
 * Opens the database for a command: that of DATABASE_URL, that of the running server, or one started for this command.
 * Waits up to 30 s for a server that is starting, or for another command.
 */
export async function openCommandDatabase(config: Config, log: Logger): Promise<OpenDatabase> {
  prepareDataFolder(config.dataDir);
  if (config.DATABASE_URL !== undefined) return openExternalDatabase(config.DATABASE_URL);
  const dataDir = embeddedDataFolder(config.dataDir);
  for (const deadline = Date.now() + 30_000; ;) {
    const holder = findEmbeddedHolder(dataDir);
    if (holder === undefined) {
      try {
        return startedDatabase(await startEmbedded({ dataDir, log, purpose: 'command' }));
      } catch (error) {
        if (findEmbeddedHolder(dataDir) === undefined) throw error;
      }
    }
    const running = holder?.purpose === 'server' ? findRunningEmbedded(dataDir) : undefined;
    if (running !== undefined) return { connection: running, kind: 'attached', died: never, close: async () => {} };
    if (Date.now() > deadline)
      throw new CliError(`The database is in use: process ${holder?.pid ?? '?'} did not release it within 30 s.`);
    await pause(25);
  }
}

function startedDatabase(server: EmbeddedServer): OpenDatabase {
  return { connection: server, kind: 'started', died: server.crashed, close: () => server.stop() };
}

async function openExternalDatabase(connectionString: string): Promise<OpenDatabase> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number; name: string }>(
      "select current_setting('server_version_num')::int as version, current_setting('server_version') as name",
    );
    const found = rows[0];
    if (found !== undefined && found.version < minServerVersion) {
      throw new CliError(`DATABASE_URL points to PostgreSQL ${found.name}; Fieldfare needs 15 or newer.`);
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    const reason = error instanceof AggregateError ? error.errors.map(String).join('; ') : toError(error).message;
    throw new CliError(
      `The database at ${stripPassword(connectionString)} cannot be reached (${reason}). Check DATABASE_URL.`,
    );
  } finally {
    await client.end().catch(() => {});
  }
  return { connection: { connectionString }, kind: 'external', died: never, close: async () => {} };
}

function stripPassword(address: string): string {
  return address.replace(/^(\w+:\/\/)(?:[^@/]*@)?([^?]*).*$/s, '$1$2');
}
