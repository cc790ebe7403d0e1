import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config.ts';
import { prepareDataFolder } from '../../platform/files/data-folder.ts';
import { poolTimeouts, type Connection } from '../../platform/wire/pool.ts';
import { PrimaryClient, toConnection, type ClientConfig } from '../../platform/wire/primary-client.ts';
import { maintenanceSettings, servingSettings, withSettings } from '../../platform/wire/session-settings.ts';
import {
  embeddedDataFolder,
  findEmbeddedHolder,
  findRunningEmbedded,
  startEmbedded,
  type EmbeddedServer,
} from '../../platform/database/embedded/index.ts';
import { storeRoleSettings } from '../../platform/database/role-settings.ts';
import { CliError } from '../cli-error.ts';
import { losesStatements, statementLoss } from './pooler-sessions.ts';
import { toError } from '../../platform/errors.ts';

/** A running PostgreSQL. */
export interface OpenDatabase {
  /** For the pool. It may lead to a pooler. */
  readonly connection: Connection;
  /** PostgreSQL itself. */
  readonly directConnection: Connection;
  /** Whether `connection` leads to a pooler. */
  readonly isPooled: boolean;
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
  if (config.DATABASE_URL !== undefined) return openExternalDatabase(config.DATABASE_URL, config.DATABASE_DIRECT_URL);
  onProgress('Starting PostgreSQL');
  const dataDir = embeddedDataFolder(config.dataDir);
  return startedDatabase(
    await startEmbedded({ dataDir, log, onProgress, onLaunched, restart: true, postgresBin: config.POSTGRES_BIN }),
  );
}

/**
 * Opens the database for a command: that of DATABASE_URL, that of the running server, or one started for this command.
 * Waits up to 30 s for a server that is starting, or for another command.
 */
export async function openCommandDatabase(config: Config, log: Logger): Promise<OpenDatabase> {
  prepareDataFolder(config.dataDir);
  if (config.DATABASE_URL !== undefined) return openExternalDatabase(config.DATABASE_URL, config.DATABASE_DIRECT_URL);
  const dataDir = embeddedDataFolder(config.dataDir);
  for (const deadline = Date.now() + 30_000; ;) {
    const holder = findEmbeddedHolder(dataDir);
    if (holder === undefined) {
      try {
        return startedDatabase(
          await startEmbedded({ dataDir, log, purpose: 'command', postgresBin: config.POSTGRES_BIN }),
        );
      } catch (error) {
        if (findEmbeddedHolder(dataDir) === undefined) throw error;
      }
    }
    const running = holder?.purpose === 'server' ? findRunningEmbedded(dataDir) : undefined;
    if (running !== undefined) return { ...ownDatabase(running), kind: 'attached', died: never, close: async () => {} };
    if (Date.now() > deadline)
      throw new CliError(`The database is in use: process ${holder?.pid ?? '?'} did not release it within 30 s.`);
    await pause(25);
  }
}

function startedDatabase(server: EmbeddedServer): OpenDatabase {
  return { ...ownDatabase(server), kind: 'started', died: server.crashed, close: () => server.stop() };
}

const ownDatabase = (connection: Connection): Pick<OpenDatabase, 'connection' | 'directConnection' | 'isPooled'> => ({
  connection,
  directConnection: connection,
  isPooled: false,
});

async function openExternalDatabase(url: string, directUrl = url): Promise<OpenDatabase> {
  const isPooled = directUrl !== url;
  const settings = isPooled ? maintenanceSettings : servingSettings(poolTimeouts);
  const directConnection = toConnection(directUrl);
  const connection = isPooled ? toConnection(url) : directConnection;
  const name = isPooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
  const database = await tryConnection(
    { name, url: directUrl },
    withSettings(directConnection, { ...settings, [directMark]: 'on' }),
    async (client) => {
      const facts = await describeDatabase(client);
      if (facts.version < minServerVersion)
        throw new CliError(`DATABASE_URL points to PostgreSQL ${facts.versionName}; Fieldfare needs 15 or newer.`);
      if (!facts.isMarked) throw new CliError(`The database at ${stripPassword(directUrl)}: ${leadsToPooler(name)}`);
      if (isPooled) await storeRoleSettings(client);
      return facts;
    },
  );
  if (isPooled) await assertPoolerOf(database, { url, connection });
  return {
    connection,
    directConnection,
    isPooled,
    kind: 'external',
    died: never,
    close: async () => {},
  };
}

/** A setting that nobody else has. Poolers that ignore the settings of a session do not pass it on. */
const directMark = 'fieldfare.direct';

/** Throws CliError unless an address leads to a database, through a pooler that keeps prepared statements. */
async function assertPoolerOf(
  { identity }: DatabaseFacts,
  { url, connection }: { url: string; connection: Connection },
): Promise<void> {
  await tryConnection({ name: poolerName, url }, connection, async (client) => {
    if ((await describeDatabase(client)).identity !== identity)
      throw new CliError('DATABASE_URL and DATABASE_DIRECT_URL must lead to the same database, as the same user.');
    if (await losesStatements(connection)) throw new CliError(`The pooler of DATABASE_URL ${statementLoss}.`);
  });
}

interface DatabaseFacts {
  readonly version: number;
  readonly versionName: string;
  /** The same on every connection of this user to this database, and on none to another. */
  readonly identity: string;
  /** Whether the session has the setting `directMark`. */
  readonly isMarked: boolean;
}

async function describeDatabase(client: pg.Client): Promise<DatabaseFacts> {
  const { rows } = await client.query<DatabaseFacts>(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as "versionName",
      format('%s %s %s %s', extract(epoch from pg_postmaster_start_time()), current_database(), current_schema(),
        current_user) as identity,
      current_setting('${directMark}', true) is not distinct from 'on' as "isMarked"`,
  );
  return rows[0] ?? { version: 0, versionName: 'unknown', identity: '', isMarked: false };
}

/** Connects for `use`. Throws CliError with the name of the setting if that fails. */
async function tryConnection<Result>(
  { name, url }: { name: string; url: string },
  config: ClientConfig,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new PrimaryClient({ ...config, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return await use(client);
  } catch (error) {
    if (error instanceof CliError) throw error;
    const reason = error instanceof AggregateError ? error.errors.map(String).join('; ') : toError(error).message;
    throw new CliError(`The database at ${stripPassword(url)} cannot be reached (${reason}). ${remedy(name, reason)}`);
  } finally {
    await client.end().catch(() => {});
  }
}

/** How errors name DATABASE_URL if DATABASE_DIRECT_URL is set, too. */
const poolerName = 'DATABASE_URL and the pooler';

function remedy(name: string, reason: string): string {
  if (!reason.includes('unsupported startup parameter')) return `Check ${name}.`;
  return name === poolerName
    ? 'Remove `options` from DATABASE_URL: a connection pooler does not take it.'
    : leadsToPooler(name);
}

const leadsToPooler = (name: string): string =>
  `${name} leads to a connection pooler. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.`;

/** Returns an address without its user, password and parameters. */
export function stripPassword(address: string): string {
  return address.replace(/^(\w+:\/\/)(?:[^@/]*@)?([^?]*).*$/s, '$1$2');
}
