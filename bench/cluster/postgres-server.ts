import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import {
  buildCommand,
  prepareBinaries,
  spawnIdentity,
  type Binaries,
} from '../../server/platform/database/embedded/binaries.ts';
import { createCluster } from '../../server/platform/database/embedded/cluster.ts';
import { createOwnedFolder } from '../../server/platform/database/embedded/owned-folder.ts';
import { findPrograms, newestMajor } from '../../server/platform/database/embedded/programs.ts';
import { chooseDatabaseUser } from '../../server/platform/database/embedded/user.ts';
import { findFreePort } from '../../test/free-port.ts';
import { Program } from './program.ts';
import { waitFor } from './wait-for.ts';

/** The role of servers. It owns its database, and has no more rights. */
export const serverRole = { name: 'server', password: 'p@ss/word', database: 'fieldfare' };

const superuser = 'fieldfare';
const replicaName = 'replica';
/** For tests and demonstrations: all machines are this one, whose failure nothing survives. */
const settings = `listen_addresses = '127.0.0.1'
unix_socket_directories = ''
log_min_messages = fatal
fsync = off
jit = off
wal_keep_size = 256MB
`;
const access = `host all,replication ${superuser} 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
`;

interface StartOptions {
  readonly template?: string | undefined;
  readonly parent?: string | undefined;
}

/** A PostgreSQL server as an operator runs it: reached by a port of the loopback, with a role that has a password. */
export class PostgresServer implements AsyncDisposable {
  readonly port: number;
  readonly #serverFolder: ServerFolder;
  readonly program: Program;

  private constructor(port: number, serverFolder: ServerFolder, program: Program) {
    this.port = port;
    this.#serverFolder = serverFolder;
    this.program = program;
  }

  /** Starts a server with an empty database, or with a copy of `template`, which `moveTo` wrote. `parent`: of its folder. */
  static async start({ template, parent }: StartOptions = {}): Promise<PostgresServer> {
    const serverFolder = await createFolder(parent);
    const { folder, binaries } = serverFolder;
    const dataDir = join(folder, 'data');
    if (template !== undefined) {
      // With the owner, which is not root.
      execFileSync('cp', ['--archive', template, dataDir]);
      return PostgresServer.#launch(serverFolder);
    }
    await createCluster(binaries, dataDir, true);
    writeFileSync(join(dataDir, 'pg_hba.conf'), access);
    appendFileSync(join(dataDir, 'postgresql.conf'), settings);
    const server = await PostgresServer.#launch(serverFolder);
    await server.#createDatabase();
    return server;
  }

  /**
   * Starts a streaming replica, and waits until it streams. `isSynchronous`: from then on, a commit is acknowledged when
   * the replica has it.
   */
  async startReplica({ isSynchronous = false } = {}): Promise<PostgresServer> {
    const serverFolder = await createFolder(this.#serverFolder.parent);
    await this.#copyFiles(serverFolder);
    const replica = await PostgresServer.#launch(serverFolder);
    await this.acceptReplica({ isSynchronous });
    return replica;
  }

  /**
   * Makes a server that was killed a synchronous replica of another one, with a copy of its files: the embedded PostgreSQL
   * has no pg_rewind.
   */
  async becomeReplicaOf(primary: PostgresServer): Promise<void> {
    // Its sessions may still be ending.
    await rm(dataFolder(this.#serverFolder), { recursive: true, maxRetries: 5 });
    await primary.#copyFiles(this.#serverFolder);
    await this.restart();
    await primary.acceptReplica({ isSynchronous: true });
  }

  /** Waits until a replica streams, and for its commits if it is synchronous. */
  async acceptReplica({ isSynchronous }: { readonly isSynchronous: boolean }): Promise<void> {
    await waitFor(async () => {
      const [row] = await this.query(`select 1 from pg_stat_replication where state = 'streaming'`, 'postgres');
      return row;
    });
    if (isSynchronous) {
      await this.query(`alter system set synchronous_standby_names = '${replicaName}'`, 'postgres');
      await this.query('select pg_reload_conf()', 'postgres');
      await waitFor(async () => {
        const [row] = await this.query(`select 1 from pg_stat_replication where sync_state = 'sync'`, 'postgres');
        return row;
      });
    }
  }

  /** Acknowledges commits that no replica has. */
  async acceptWithoutReplica(): Promise<void> {
    await this.query('alter system reset synchronous_standby_names', 'postgres');
    await this.query('select pg_reload_conf()', 'postgres');
  }

  /** Makes a replica the primary. */
  async promote(): Promise<void> {
    await this.query('select pg_promote()', 'postgres');
  }

  /** Kills the server, and its sessions with it. */
  kill(): Promise<void> {
    return this.program.kill();
  }

  /** Lets the server fall silent, as if its machine had vanished: nothing is answered, and no connection is closed. */
  freeze(): void {
    this.program.freeze();
  }

  /** Starts a server that was killed. */
  restart(): Promise<void> {
    return this.program.restart();
  }

  static async #launch(serverFolder: ServerFolder): Promise<PostgresServer> {
    const { binaries } = serverFolder;
    const port = await findFreePort();
    const [command, args] = buildCommand(binaries, 'postgres', ['-D', dataFolder(serverFolder), '-p', String(port)]);
    const program = await Program.start({
      command,
      args,
      user: spawnIdentity(binaries),
      isReady: async () => (await query(port, 'select 1', 'postgres')).length === 1,
      stopSignal: 'SIGINT',
      // By SIGKILL, its shared memory would stay.
      abortSignal: 'SIGQUIT',
    });
    return new PostgresServer(port, serverFolder, program);
  }

  /** Stops the server, and moves its files to a new folder on the same file system. */
  async moveTo(folder: string): Promise<void> {
    await this.program[Symbol.asyncDispose]();
    renameSync(dataFolder(this.#serverFolder), folder);
  }

  /** In the format of DATABASE_URL. `ports`: of poolers in front of it, or of several servers. */
  url(...ports: readonly number[]): string {
    const { name, password, database } = serverRole;
    const servers = (ports.length === 0 ? [this.port] : ports).map((port) => `127.0.0.1:${port}`);
    const attributes = servers.length > 1 ? '?target_session_attrs=read-write' : '';
    return `postgres://${name}:${encodeURIComponent(password)}@${servers.join(',')}/${database}${attributes}`;
  }

  /** Runs a statement in the database of servers, as superuser. */
  query<Row extends pg.QueryResultRow>(text: string, database = serverRole.database): Promise<Row[]> {
    return query<Row>(this.port, text, database);
  }

  async #createDatabase(): Promise<void> {
    const { name, password, database } = serverRole;
    const create = `create role ${name} login password ${pg.escapeLiteral(password)}`;
    await this.query(create, 'postgres');
    await this.query(`create database ${database} owner ${name}`, 'postgres');
  }

  /** Copies the files for a replica while the server runs: the embedded PostgreSQL has no pg_basebackup. */
  async #copyFiles(to: ServerFolder): Promise<void> {
    const { binaries } = to;
    const [source, target] = [dataFolder(this.#serverFolder), dataFolder(to)];
    const client = await connect(this.port, 'postgres');
    try {
      await client.query(`select pg_backup_start('replica', true)`);
      // Fails if a temporary file vanishes meanwhile; a copy that lacks another does not start.
      await promisify(execFile)('cp', ['--archive', source, target]).catch(() => {});
      const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
      const primary = `host=127.0.0.1 port=${this.port} user=${superuser} application_name=${replicaName}`;
      // The replica receives the log of the primary.
      for (const name of ['postmaster.pid', 'pg_wal']) rmSync(join(target, name), { recursive: true });
      await createOwnedFolder(join(target, 'pg_wal'), binaries);
      for (const [name, text] of [
        ['backup_label', rows[0]?.labelfile ?? ''],
        ['standby.signal', ''],
        ['postgresql.auto.conf', `primary_conninfo = '${primary}'\n`],
      ] as const) {
        writeFileSync(join(target, name), text);
        if (binaries.user !== undefined) chownSync(join(target, name), binaries.user.uid, binaries.user.gid);
      }
    } finally {
      await client.end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program[Symbol.asyncDispose]();
    rmSync(this.#serverFolder.folder, { recursive: true, force: true });
  }
}

async function connect(port: number, database: string): Promise<pg.Client> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: superuser, database });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function query<Row extends pg.QueryResultRow>(port: number, text: string, database: string): Promise<Row[]> {
  const client = await connect(port, database);
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

interface ServerFolder {
  readonly parent: string;
  readonly folder: string;
  readonly binaries: Binaries;
}

const dataFolder = ({ folder }: ServerFolder): string => join(folder, 'data');

/** Returns a new folder for a server, and the programs with a user that may enter it. */
async function createFolder(parent = tmpdir()): Promise<ServerFolder> {
  const folder = mkdtempSync(join(parent, 'ff-postgres-'));
  const dataDir = join(folder, 'data');
  const user = await chooseDatabaseUser(dataDir, { canCreate: true, onCreated: () => {}, onRefused: () => {} });
  const programs = findPrograms({ major: newestMajor(undefined) });
  if (programs === undefined) throw new Error('no PostgreSQL is installed');
  return { parent, folder, binaries: await prepareBinaries(programs, dataDir, user) };
}
