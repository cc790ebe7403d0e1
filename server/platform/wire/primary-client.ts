import pg from 'pg';
import { parseServers, type ServerAddress } from './database-address.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import type { Connection } from './pool.ts';
import { toError } from '../errors.ts';

/** How a connection is opened. */
export type ClientConfig = pg.ClientConfig & Pick<Connection, 'servers'>;

/** How long each server has to accept a connection, and to answer whether it is the primary. */
const probeMs = 2_000;

/**
 * Servers of which one is the primary, which changes when that fails. The one that was found is used while connections to
 * it are open: a primary becomes a standby only by a restart.
 */
export class DatabaseServers {
  readonly #servers: readonly ServerAddress[];
  #primary: Promise<ServerAddress> | undefined;

  constructor(servers: readonly ServerAddress[]) {
    this.#servers = servers;
  }

  /** Returns the primary. Throws DatabaseUnavailable if no server accepts writes. `config`: how connections are opened. */
  find(config: pg.ClientConfig): Promise<ServerAddress> {
    this.#primary ??= this.#probe(config);
    return this.#primary;
  }

  /** Called when a connection failed or ended: another server may be the primary now. */
  forget(): void {
    this.#primary = undefined;
  }

  /** Asks all servers at the same time: one that does not answer delays nothing. */
  async #probe(config: pg.ClientConfig): Promise<ServerAddress> {
    try {
      return await Promise.any(this.#servers.map((server) => probe(config, server)));
    } catch (error) {
      throw new DatabaseUnavailable(error);
    }
  }
}

/** Returns the server. Throws unless it is a primary. */
async function probe(config: pg.ClientConfig, server: ServerAddress): Promise<ServerAddress> {
  const { host, port } = server;
  const client = new pg.Client({
    ...config,
    application_name: 'fieldfare probe',
    connectionTimeoutMillis: probeMs,
    query_timeout: probeMs,
  });
  setServer(client, server);
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"');
    if (rows[0]?.isStandby !== false) throw new Error('it is a standby');
    return server;
  } catch (error) {
    throw new Error(`${host}:${port}: ${toError(error).message}`, { cause: error });
  } finally {
    void client.end().catch(() => {});
  }
}

/** Changes the server of a connection before it is opened: pg reads these fields when it connects. */
const setServer = (client: pg.Client, { host, port }: ServerAddress): object => Object.assign(client, { host, port });

/** Returns a setting such as DATABASE_URL, which may list several servers, as an address to connect to. */
export function toConnection(address: string): Connection {
  const servers = parseServers(address);
  const [first] = servers;
  if (first === undefined) return { connectionString: address };
  return { connectionString: first.connectionString, servers: new DatabaseServers(servers) };
}

/** Returns an address without the servers that are not the primary, for other programs. */
export async function primaryOf(connection: Connection): Promise<Connection> {
  const { servers, ...rest } = connection;
  return servers === undefined ? connection : { ...rest, ...(await servers.find(rest)) };
}

type ConnectCallback = (error?: Error) => void;

/** A connection to PostgreSQL; to the primary if the address has several servers. */
export class PrimaryClient extends pg.Client {
  readonly #config: ClientConfig;

  constructor(config: ClientConfig) {
    super(config);
    this.#config = config;
  }

  override connect(): Promise<this>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<this> | void {
    const { servers, ...config } = this.#config;
    const connecting = servers === undefined ? super.connect() : this.#connectToPrimary(servers, config);
    if (callback === undefined) return connecting.then(() => this);
    connecting.then(
      () => process.nextTick(callback),
      (error: Error) => process.nextTick(callback, error),
    );
  }

  async #connectToPrimary(servers: DatabaseServers, config: pg.ClientConfig): Promise<void> {
    try {
      setServer(this, await servers.find(config));
    } catch (error) {
      servers.forget();
      // As after every other failure to connect.
      process.nextTick(() => this.emit('end'));
      throw error;
    }
    this.once('end', () => servers.forget());
    await super.connect();
  }
}
