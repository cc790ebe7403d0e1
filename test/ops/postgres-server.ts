import { spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { buildCommand, findBinaries, spawnIdentity } from '../../server/platform/database/embedded/binaries.ts';
import { createCluster } from '../../server/platform/database/embedded/cluster.ts';
import { chooseDatabaseUser } from '../../server/platform/database/embedded/user.ts';
import { waitForValue } from '../clients/real-server.ts';
import { findFreePort } from '../free-port.ts';

/** The role of servers. It owns its database, and has no more rights. */
export const serverRole = { name: 'server', password: 'p@ss/word', database: 'fieldfare' };

/** A PostgreSQL server as an operator runs it: reached by a port of the loopback, with a role that has a password. */
export class PostgresServer implements AsyncDisposable {
  readonly port: number;
  readonly #folder: string;
  readonly #child: ChildProcess;

  private constructor(port: number, folder: string, child: ChildProcess) {
    this.port = port;
    this.#folder = folder;
    this.#child = child;
  }

  static async start(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'ff-postgres-'));
    const dataDir = join(folder, 'data');
    const user = await chooseDatabaseUser(dataDir, { canCreate: true, onCreated: () => {}, onRefused: () => {} });
    const binaries = await findBinaries(dataDir, user);
    await createCluster(binaries, dataDir, true);
    writeFileSync(
      join(dataDir, 'pg_hba.conf'),
      'host all fieldfare 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n',
    );
    const port = await findFreePort();
    appendFileSync(
      join(dataDir, 'postgresql.conf'),
      `listen_addresses = '127.0.0.1'\nport = ${port}\nunix_socket_directories = ''\nfsync = off\n`,
    );
    const [command, args] = buildCommand(binaries, 'postgres', ['-D', dataDir]);
    const child = spawn(command, args, { ...spawnIdentity(binaries), cwd: '/', stdio: 'ignore' });
    const server = new PostgresServer(port, folder, child);
    await server.#createDatabase();
    return server;
  }

  /** In the format of DATABASE_URL. `port`: of a pooler in front of it. */
  url(port = this.port): string {
    const { name, password, database } = serverRole;
    return `postgres://${name}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
  }

  /** Runs a statement in the database of servers, as superuser. */
  async query<Row extends pg.QueryResultRow>(text: string, database = serverRole.database): Promise<Row[]> {
    const client = new pg.Client({ host: '127.0.0.1', port: this.port, user: 'fieldfare', database });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async #createDatabase(): Promise<void> {
    const { name, password, database } = serverRole;
    const create = `create role ${name} login password ${pg.escapeLiteral(password)}`;
    await waitForValue(() => this.query(create, 'postgres').catch(() => undefined));
    await this.query(`create database ${database} owner ${name}`, 'postgres');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGINT');
    await exited;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
