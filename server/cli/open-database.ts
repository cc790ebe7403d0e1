import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../platform/config.ts';
import { prepareDataFolder } from '../platform/data-folder.ts';
import type { Connection } from '../platform/database/connect.ts';
import {
  embeddedFolder,
  embeddedHolder,
  findEmbedded,
  startEmbedded,
  type EmbeddedServer,
} from '../platform/database/embedded.ts';
import { Failure } from './failure.ts';

/** A PostgreSQL that answers. */
export interface OpenDatabase {
  readonly connection: Connection;
  /** `own`: this process started the embedded one; `joined`: another process runs it; `external`: DATABASE_URL. */
  readonly kind: 'own' | 'joined' | 'external';
  /** Resolves with a sentence when an own server ends by itself. */
  readonly died: Promise<string>;
  /** Stops PostgreSQL if this process started it. */
  close(): Promise<void>;
}

const oldestVersion = 150_000;
const never = new Promise<never>(() => {});

/** Starts the embedded PostgreSQL for the server, or tries DATABASE_URL. Throws Failure or EmbeddedError in clear words. */
export async function openServerDatabase(
  config: Config,
  log: Logger,
  progress: (step: string) => void,
): Promise<OpenDatabase> {
  prepareDataFolder(config.dataDir);
  if (config.DATABASE_URL !== undefined) return openExternal(config.DATABASE_URL);
  progress('Starting PostgreSQL');
  return own(await startEmbedded({ dataDir: embeddedFolder(config.dataDir), log, progress, restart: true }));
}

/**
 * The database for a command: of DATABASE_URL, of the server that runs, or started for as long as the command takes.
 * Waits for a server that is just starting, and for another command that has it.
 */
export async function openCommandDatabase(config: Config, log: Logger): Promise<OpenDatabase> {
  prepareDataFolder(config.dataDir);
  if (config.DATABASE_URL !== undefined) return openExternal(config.DATABASE_URL);
  const dataDir = embeddedFolder(config.dataDir);
  for (const deadline = Date.now() + 30_000; ;) {
    const holder = embeddedHolder(dataDir);
    if (holder === undefined) {
      try {
        return own(await startEmbedded({ dataDir, log, purpose: 'command' }));
      } catch (error) {
        if (embeddedHolder(dataDir) === undefined) throw error;
      }
    }
    const running = holder?.purpose === 'server' ? findEmbedded(dataDir) : undefined;
    if (running !== undefined) return { connection: running, kind: 'joined', died: never, close: async () => {} };
    if (Date.now() > deadline)
      throw new Failure(`The database is busy: process ${holder?.pid ?? '?'} has had it for 30 s.`);
    await pause(25);
  }
}

function own(server: EmbeddedServer): OpenDatabase {
  return { connection: server, kind: 'own', died: server.died, close: () => server.stop() };
}

async function openExternal(connectionString: string): Promise<OpenDatabase> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number; name: string }>(
      "select current_setting('server_version_num')::int as version, current_setting('server_version') as name",
    );
    const found = rows[0];
    if (found !== undefined && found.version < oldestVersion) {
      throw new Failure(`DATABASE_URL leads to PostgreSQL ${found.name}; Fieldfare needs 15 or newer.`);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    const reason = error instanceof AggregateError ? error.errors.map(String).join('; ') : (error as Error).message;
    throw new Failure(
      `The database at ${withoutPassword(connectionString)} cannot be reached (${reason}). Check DATABASE_URL.`,
    );
  } finally {
    await client.end().catch(() => {});
  }
  return { connection: { connectionString }, kind: 'external', died: never, close: async () => {} };
}

function withoutPassword(address: string): string {
  return address.replace(/^(\w+:\/\/)(?:[^@/]*@)?([^?]*).*$/s, '$1$2');
}
