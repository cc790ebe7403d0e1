import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  buildCommand,
  findBinaries,
  spawnIdentity,
  type Binaries,
} from '../../server/platform/database/embedded/binaries.ts';
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
  readonly #binaries: Binaries;
  #child: ChildProcess;

  private constructor(port: number, folder: string, binaries: Binaries) {
    this.port = port;
    this.#folder = folder;
    this.#binaries = binaries;
    this.#child = this.#launch();
  }

  static async start(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'ff-postgres-'));
    const dataDir = join(folder, 'data');
    const user = await chooseDatabaseUser(dataDir, { canCreate: true, onCreated: () => {}, onRefused: () => {} });
    const binaries = await findBinaries(dataDir, user);
    await createCluster(binaries, dataDir, true);
    writeFileSync(
      join(dataDir, 'pg_hba.conf'),
      `host all fieldfare 127.0.0.1/32 trust
host replication fieldfare 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
`,
    );
    const port = await findFreePort();
    appendFileSync(
      join(dataDir, 'postgresql.conf'),
      `listen_addresses = '127.0.0.1'\nport = ${port}\nunix_socket_directories = ''\nfsync = off\n`,
    );
    const server = new PostgresServer(port, folder, binaries);
    await server.#createDatabase();
    return server;
  }

  /** Starts a streaming replica of this server, which has caught up. */
  async startReplica(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'ff-postgres-'));
    const dataDir = join(folder, 'data');
    const binaries = await findBinaries(dataDir, this.#binaries.user);
    const session = new pg.Client({ host: '127.0.0.1', port: this.port, user: 'fieldfare', database: 'postgres' });
    await session.connect();
    await session.query(`select pg_backup_start('replica', true)`);
    execFileSync('cp', ['-a', join(this.#folder, 'data'), dataDir]);
    const { rows } = await session.query<{ label: string }>('select labelfile as label from pg_backup_stop(false)');
    await session.end();
    rmSync(join(dataDir, 'postmaster.pid'));
    const write = (name: string, text: string): void => {
      writeFileSync(join(dataDir, name), text);
      if (binaries.user !== undefined) chownSync(join(dataDir, name), binaries.user.uid, binaries.user.gid);
    };
    write('backup_label', rows[0]?.label ?? '');
    write('standby.signal', '');
    const port = await findFreePort();
    appendFileSync(
      join(dataDir, 'postgresql.conf'),
      `port = ${port}\nprimary_conninfo = 'host=127.0.0.1 port=${this.port} user=fieldfare'\n`,
    );
    const replica = new PostgresServer(port, folder, binaries);
    await waitForValue(() => replica.query('select 1').catch(() => undefined));
    return replica;
  }

  /** Ends all processes of the server at once. */
  async kill(): Promise<void> {
    const exited = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await exited;
  }

  /** Starts a server that was killed. */
  async restart(): Promise<void> {
    this.#child = this.#launch();
    await waitForValue(() => this.query('select 1').catch(() => undefined));
  }

  #launch(): ChildProcess {
    const [command, args] = buildCommand(this.#binaries, 'postgres', ['-D', join(this.#folder, 'data')]);
    return spawn(command, args, { ...spawnIdentity(this.#binaries), cwd: '/', stdio: 'ignore' });
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
