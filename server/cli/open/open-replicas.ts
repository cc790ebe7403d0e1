import pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config.ts';
import { poolTimeouts, type Connection } from '../../platform/wire/pool.ts';
import { PrimaryClient } from '../../platform/wire/primary-client.ts';
import { servingSettings, withSettings } from '../../platform/wire/session-settings.ts';
import { Replicas } from '../../platform/replicas/replicas.ts';
import { toError } from '../../platform/errors.ts';
import { CliError } from '../cli-error.ts';
import { stripPassword, type OpenDatabase } from './open-database.ts';
import { losesStatements, statementLoss } from './pooler-sessions.ts';

const connectMs = 3_000;

/** Returns the replicas that the settings name; undefined: none. */
export function openReplicas(config: Config, pool: pg.Pool, log: Pick<Logger, 'warn' | 'info'>): Replicas | undefined {
  const { DATABASE_REPLICA_URLS: urls, DATABASE_DIRECT_URL, DATABASE_POOL: poolSize } = config;
  if (urls === undefined) return undefined;
  const connections = urls.map((connectionString) => ({ connectionString }));
  return new Replicas({ connections, pool, poolSize, isPooled: DATABASE_DIRECT_URL !== undefined, log });
}

/**
 * Throws CliError for an address of DATABASE_REPLICA_URLS that cannot be right. A replica that does not answer, or that
 * became a primary, is left out by the server.
 */
export async function checkReplicas(config: Config, { directConnection }: OpenDatabase): Promise<void> {
  const { DATABASE_REPLICA_URLS: urls } = config;
  if (urls === undefined) return;
  const isPooled = config.DATABASE_DIRECT_URL !== undefined;
  const primary = await readFacts(directConnection);
  // Among several servers, each may have become the primary.
  const mayBePrimary = directConnection.servers !== undefined;
  await Promise.all(urls.map((url) => checkReplica(url, primary, { mayBePrimary, isPooled })));
}

/** Whether an address of DATABASE_REPLICA_URLS leads to the server that is the primary now. */
export async function leadsToPrimary(url: string, directConnection: Connection): Promise<boolean> {
  const [facts, primary] = await Promise.all([readFacts({ connectionString: url }), readFacts(directConnection)]);
  return facts.system === primary.system && facts.startedAt === primary.startedAt;
}

interface Facts {
  /** The same for a primary and its replicas. */
  readonly system: string;
  readonly database: string;
  /** The same on all connections to a server. */
  readonly startedAt: string;
}

interface ReplicaCheck {
  readonly mayBePrimary: boolean;
  readonly isPooled: boolean;
}

async function checkReplica(url: string, primary: Facts, { mayBePrimary, isPooled }: ReplicaCheck): Promise<void> {
  const refuse = (problem: string): never => {
    throw new CliError(`The database at ${stripPassword(url)} ${problem}. Check DATABASE_REPLICA_URLS.`);
  };
  const connection = { connectionString: url };
  let facts: Facts;
  let isLosing = false;
  try {
    // A pooler refuses settings, as those of its later connections.
    facts = await readFacts(isPooled ? connection : withSettings(connection, servingSettings(poolTimeouts)));
    if (isPooled) isLosing = await losesStatements(connection);
  } catch (error) {
    if (isRefusal(error)) refuse(`refuses the connection (${toError(error).message})`);
    return;
  }
  if (facts.system !== primary.system || facts.database !== primary.database)
    refuse('is not a replica of that of DATABASE_URL');
  if (facts.startedAt === primary.startedAt && !mayBePrimary) refuse('is the primary of DATABASE_URL itself');
  if (isLosing) refuse(`is behind a pooler that ${statementLoss}`);
}

/** Whether a server answered that the address is wrong: user, password, database, or settings that a pooler refuses. */
const isRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(?:28|3D|42|08P01)/.test(error.code ?? '');

async function readFacts(connection: Connection): Promise<Facts> {
  const client = new PrimaryClient({ ...connection, connectionTimeoutMillis: connectMs, query_timeout: connectMs });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<Facts>(
      `select (select system_identifier::text from pg_control_system()) as system, current_database() as database,
        extract(epoch from pg_postmaster_start_time())::text as "startedAt"`,
    );
    return rows[0] ?? { system: '', database: '', startedAt: '' };
  } finally {
    await client.end().catch(() => {});
  }
}
