import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, rmSync, statSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { prepareDataFolder } from '../files/data-folder.ts';
import { processUid } from '../process-identity.ts';
import { writeAccessRules } from './embedded-access.ts';
import { buildCommand, findBinaries, spawnIdentity, type Binaries } from './embedded-binaries.ts';
import { EmbeddedError } from './embedded-error.ts';
import { findLockHolder, LockHeldError, acquireLock, type LockHolder, type Purpose } from './embedded-lock.ts';
import { Supervisor, type PostgresProcess } from './embedded-supervisor.ts';
import { isPostgresRunning, parsePidFile, stopOrphans } from './embedded-orphans.ts';
import { chooseDatabaseUser, chownCluster } from './embedded-user.ts';

export { EmbeddedError };

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

export interface EmbeddedServer extends EmbeddedConnection {
  /** Resolves with a message if PostgreSQL ended and is not restarted. */
  readonly crashed: Promise<string>;
  /** Ends open sessions, writes a checkpoint and stops. Idempotent. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /**
   * Folder of the cluster. Socket, lock and copied programs are beside it, with names that start with the same text.
   */
  readonly dataDir: string;
  readonly log: Logger;
  readonly purpose?: Purpose;
  /** Restarts PostgreSQL if it ends unexpectedly, unless that happens too often. */
  readonly restart?: boolean;
  /** For tests: commits need not survive a power failure. */
  readonly skipSync?: boolean;
  /** Called before slow steps, with a message for people. */
  readonly onProgress?: (step: string) => void;
}

const postgresMajor = '18';
const port = 5432;
const databaseName = 'fieldfare';
/** Maximum length of a socket's path: 107 bytes on Linux, 103 on macOS. */
const maxSocketPathBytes = 103;

/**
 * Starts the bundled PostgreSQL on the cluster in `dataDir`, which is created if needed. Throws EmbeddedError if
 * another process uses the cluster, or if it has another version or owner. Stops a server that a killed process left
 * running.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const dataDir = resolve(options.dataDir);
  prepareDataFolder(dirname(dataDir));
  const release = acquireClusterLock(dataDir, options.purpose ?? 'server');
  try {
    const user = await chooseDatabaseUser(dataDir, {
      canCreate: options.purpose !== 'tests',
      onCreated: options.onProgress ?? ((sentence) => options.log.warn(sentence)),
      onRefused: (sentence) => options.log.warn(sentence),
    });
    const binaries = await findBinaries(dataDir, user);
    assertUsableCluster(dataDir);
    const pidFile = parsePidFile(dataDir);
    await stopOrphans(dataDir, options.log);
    if (pidFile !== undefined && isTemporarySocketFolder(pidFile.socketFolder)) {
      await rm(pidFile.socketFolder, { recursive: true, force: true });
    }
    if (!existsSync(dataDir)) {
      options.onProgress?.('Creating the database (only at the first start)');
      await createCluster(binaries, dataDir, options.skipSync ?? false);
    }
    if (user !== undefined) chownCluster(dataDir, user);
    await writeAccessRules(dataDir, databaseName, user);
    const socketFolder = await createSocketFolder(dataDir, binaries);
    return await superviseServer({ ...options, dataDir }, binaries, socketFolder, release);
  } catch (error) {
    release();
    throw error;
  }
}

/** Folder of the cluster, relative to DATA_DIR. */
export function embeddedDataFolder(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/**
 * Returns the process that runs the cluster in `dataDir`, if there is one. Throws EmbeddedError if this user may not
 * know.
 */
export function findEmbeddedHolder(dataDir: string): LockHolder | undefined {
  try {
    return findLockHolder(lockPath(resolve(dataDir)));
  } catch (error) {
    throw isPermissionError(error) ? new EmbeddedError(`This user may not read ${dirname(resolve(dataDir))}.`) : error;
  }
}

/**
 * Returns the address of the server that another process runs on the cluster in `dataDir`; undefined if none is ready.
 * Throws EmbeddedError if that process runs as another user, the only one that the database accepts.
 */
export function findRunningEmbedded(dataDir: string): EmbeddedConnection | undefined {
  const folder = resolve(dataDir);
  const holder = findEmbeddedHolder(folder);
  if (holder === undefined) return undefined;
  const user = processUid(holder.pid);
  if (user !== undefined && user !== process.getuid?.()) {
    throw new EmbeddedError(
      `The server on ${dirname(folder)} runs as another user (number ${user}). Run this command as that user.`,
    );
  }
  const found = parsePidFile(folder);
  if (found === undefined || found.status !== 'ready' || !isPostgresRunning(folder, found.pid)) return undefined;
  return connectionTo(found.socketFolder);
}

function lockPath(dataDir: string): string {
  return `${dataDir}.lock`;
}

function acquireClusterLock(dataDir: string, purpose: Purpose): () => void {
  try {
    return acquireLock(lockPath(dataDir), purpose);
  } catch (error) {
    if (error instanceof LockHeldError) {
      throw new EmbeddedError(`Fieldfare is already running on ${dirname(dataDir)} (process ${error.holder.pid}).`);
    }
    throw isPermissionError(error) ? new EmbeddedError(`This user may not write to ${dirname(dataDir)}.`) : error;
  }
}

function isPermissionError(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function assertUsableCluster(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  const uid = process.getuid?.() ?? 0;
  if (uid !== 0 && statSync(dataDir).uid !== uid) {
    throw new EmbeddedError(`${dataDir} belongs to another user. Start as that user, or as root.`);
  }
  const versionFile = join(dataDir, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    throw new EmbeddedError(`${dataDir} is not a database. Move it away, or set DATA_DIR to another folder.`);
  }
  const version = readFileSync(versionFile, 'utf8').trim();
  if (version !== postgresMajor) {
    throw new EmbeddedError(
      `${dataDir} was created by PostgreSQL ${version}, and this is PostgreSQL ${postgresMajor}. ` +
        'Go back to the version of Fieldfare that created it and move its data, or set DATABASE_URL to a server of that version.',
    );
  }
}

/** Created under another name and renamed, so that a cluster is complete or absent. */
async function createCluster(binaries: Binaries, dataDir: string, skipSync: boolean): Promise<void> {
  const temporaryFolder = `${dataDir}.new`;
  await rm(temporaryFolder, { recursive: true, force: true });
  await createOwnedFolder(temporaryFolder, binaries);
  const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  const [command, args] = buildCommand(binaries, 'initdb', [
    `--pgdata=${temporaryFolder}`,
    `--username=${databaseName}`,
    '--auth-local=peer',
    '--auth-host=reject',
    '--encoding=UTF8',
    `--locale=${locale}`,
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(skipSync ? ['--no-sync'] : []),
  ]);
  const child = spawn(command, args, {
    ...spawnIdentity(binaries),
    cwd: '/',
    env: childEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const recentOutput = collectOutput(child);
  const code = await waitForExit(child);
  if (code !== 0)
    throw new EmbeddedError(`The database could not be created: ${recentOutput() || `initdb ended with ${code}`}`);
  await rename(temporaryFolder, dataDir);
}

async function createOwnedFolder(folder: string, { user }: Binaries): Promise<void> {
  await mkdir(folder, { mode: 0o700, recursive: true });
  await chmod(folder, 0o700);
  if (user !== undefined) await chown(folder, user.uid, user.gid);
}

async function createSocketFolder(dataDir: string, binaries: Binaries): Promise<string> {
  const beside = `${dataDir}-socket`;
  if (Buffer.byteLength(join(beside, `.s.PGSQL.${port}`)) <= maxSocketPathBytes) {
    // A lock file in it may name a reused process id.
    await rm(beside, { recursive: true, force: true });
    await createOwnedFolder(beside, binaries);
    return beside;
  }
  const folder = await mkdtemp(join(shortTemporaryFolder(), 'fieldfare-'));
  await createOwnedFolder(folder, binaries);
  return folder;
}

function shortTemporaryFolder(): string {
  return tmpdir().length <= 60 ? tmpdir() : '/tmp';
}

/** Deletes a folder that `makeSocketFolder` created in the temporary folder, where nothing else would delete it. */
function isTemporarySocketFolder(folder: string): boolean {
  return (
    dirname(folder) === shortTemporaryFolder() &&
    basename(folder).startsWith('fieldfare-') &&
    existsSync(folder) &&
    lstatSync(folder).isDirectory()
  );
}

async function superviseServer(
  options: EmbeddedOptions,
  binaries: Binaries,
  socketFolder: string,
  release: () => void,
): Promise<EmbeddedServer> {
  const supervisor = new Supervisor({
    launch: () => launchPostgres(options, binaries, socketFolder),
    cleanUp: async () => {
      await stopOrphans(options.dataDir, options.log);
      // They may name a reused process id.
      for (const file of [`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`])
        await rm(join(socketFolder, file), { force: true });
    },
    restart: options.restart ?? false,
    log: options.log,
    onExit: () => {
      if (isTemporarySocketFolder(socketFolder)) rmSync(socketFolder, { recursive: true, force: true });
      release();
    },
  });
  await supervisor.start();
  return { ...connectionTo(socketFolder), crashed: supervisor.crashed, stop: () => supervisor.stop() };
}

function launchPostgres(options: EmbeddedOptions, binaries: Binaries, socketFolder: string): PostgresProcess {
  const [command, args] = buildCommand(binaries, 'postgres', [
    '-D',
    options.dataDir,
    ...serverSettings(socketFolder, options.skipSync ?? false),
  ]);
  // Its own process group: Ctrl-C reaches only the app, which drains and then stops the database.
  const child = spawn(command, args, {
    ...spawnIdentity(binaries),
    cwd: '/',
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const recentOutput = collectOutput(child);
  forwardLog(child, options.log);
  const onExit = (): void => void child.kill('SIGINT');
  process.on('exit', onExit);
  const exited = waitForExit(child).finally(() => process.off('exit', onExit));
  return {
    exited,
    recentOutput,
    ready: waitUntilAccepting(options, child, { recentOutput, socketFolder }),
    async stop() {
      child.kill('SIGINT');
      const killTimers = [
        setTimeout(() => child.kill('SIGQUIT'), 60_000),
        setTimeout(() => child.kill('SIGKILL'), 70_000),
      ];
      await exited;
      for (const timer of killTimers) clearTimeout(timer);
    },
  };
}

async function waitUntilAccepting(
  options: EmbeddedOptions,
  child: ChildProcess,
  { recentOutput, socketFolder }: { recentOutput: () => string; socketFolder: string },
): Promise<void> {
  await waitUntilReady(options, child, recentOutput);
  await ensureDatabase(connectionTo(socketFolder));
  child.unref();
}

async function waitUntilReady(
  options: EmbeddedOptions,
  child: ChildProcess,
  recentOutput: () => string,
): Promise<void> {
  const startedAt = Date.now();
  let hasReported = false;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
      throw new EmbeddedError(`PostgreSQL did not start: ${recentOutput()}`);
    }
    const found = parsePidFile(options.dataDir);
    if (found?.pid === child.pid && found.status === 'ready') return;
    if (!hasReported && Date.now() - startedAt > 3000) {
      hasReported = true;
      options.onProgress?.('The database is catching up after an unclean stop');
    }
    await pause(10);
  }
}

/** Connects to a server that reports ready, which also proves that it responds. */
async function ensureDatabase(connection: EmbeddedConnection): Promise<void> {
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

function connectionTo(socketFolder: string): EmbeddedConnection {
  return {
    host: socketFolder,
    port,
    user: databaseName,
    database: databaseName,
    connectionString: `postgresql://${databaseName}@/${databaseName}?host=${encodeURIComponent(socketFolder)}&port=${port}`,
  };
}

/** Memory of this machine, or container, in megabytes. */
const memoryMb = Math.min(totalmem(), process.constrainedMemory() || Infinity) / 1_048_576;

/** Size of PostgreSQL's page cache in megabytes: a sixteenth of the machine, which it shares with everything else. */
const sharedBuffersMb = Math.round(Math.min(Math.max(memoryMb / 16, 64), 512));

/** Passed on the command line at each start, so that an old cluster runs with the current settings. */
function serverSettings(socketFolder: string, skipSync: boolean): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '',
    port: String(port),
    unix_socket_directories: socketFolder.replaceAll(',', '\\,'),
    unix_socket_permissions: '0600',
    max_connections: '100',
    shared_buffers: `${sharedBuffersMb}MB`,
    effective_cache_size: `${Math.round(memoryMb / 2)}MB`,
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    huge_pages: 'off',
    jit: 'off',
    // Parallel workers need more shared memory than many containers have (64 MB), and short queries gain nothing.
    max_parallel_workers_per_gather: '0',
    random_page_cost: '1.1',
    synchronous_commit: 'on',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    autovacuum_vacuum_scale_factor: '0.05',
    autovacuum_analyze_scale_factor: '0.05',
    autovacuum_vacuum_insert_scale_factor: '0.1',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '',
    log_checkpoints: 'off',
    // Statements contain private texts.
    log_min_error_statement: 'panic',
    log_min_messages: 'warning',
    ...(skipSync ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' } : {}),
  };
  return Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}

/** Clears the PG* variables of the operator's shell, which would change how PostgreSQL works. */
function childEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LC_ALL: process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8',
    TZ: 'UTC',
  };
}

/** Collects the latest output of a program, in one line. */
function collectOutput(child: ChildProcess): () => string {
  let text = '';
  const append = (chunk: Buffer): void => void (text = `${text}${chunk.toString('utf8')}`.slice(-600));
  child.stdout?.on('data', append);
  child.stderr?.on('data', append);
  child.on('error', (error) => (text = error.message));
  return () => text.trim().split('\n').slice(-4).join(' ');
}

/** Messages of PostgreSQL for each connection and helper on startup and shutdown, which is reported once. */
const expectedFatal =
  /^FATAL: {2}(?:terminating .+ due to (?:administrator command|unexpected postmaster exit)|the database system is .+)$/;

function forwardLog(child: ChildProcess, log: Logger): void {
  if (child.stderr === null) return;
  const lines = createInterface({ input: child.stderr });
  lines.on('line', (line) => {
    const severity = /^(\w+):/.exec(line)?.[1];
    const isError = severity === 'PANIC' || (severity === 'FATAL' && !expectedFatal.test(line));
    const level = isError ? 'error' : severity === 'WARNING' ? 'warn' : 'debug';
    log[level]({ from: 'postgres' }, line);
  });
  if ('unref' in child.stderr && typeof child.stderr.unref === 'function') child.stderr.unref();
}

async function waitForExit(child: ChildProcess): Promise<string | number> {
  return await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? code ?? 0));
  });
}
