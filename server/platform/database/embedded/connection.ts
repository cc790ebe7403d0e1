import pg from 'pg';

/** Address of an embedded server: a socket that accepts the user that started it, without a password. */
export interface EmbeddedConnection {
  /** Folder of the unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** The same as a URL, for `pg` and libpq. */
  readonly connectionString: string;
}

export const port = 5432;
export const databaseName = 'fieldfare';

/** Returns the address of the server whose socket is in a folder. */
export function connectionTo(socketFolder: string): EmbeddedConnection {
  return {
    host: socketFolder,
    port,
    user: databaseName,
    database: databaseName,
    connectionString: `postgresql://${databaseName}@/${databaseName}?host=${encodeURIComponent(socketFolder)}&port=${port}`,
  };
}

/** Creates the database if it is missing. Connects to a server that reports ready, which also proves that it responds. */
export async function ensureDatabase(connection: EmbeddedConnection): Promise<void> {
  const { host, user, database } = connection;
  const client = new pg.Client({ host, port, user, database: 'postgres' });
  // The server may end at once: the pending statement rejects.
  client.on('error', () => {});
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
    if (rowCount === 0) await client.query(`create database ${database}`);
  } finally {
    await client.end();
  }
}
