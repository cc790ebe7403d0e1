import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, rmSync, statSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { prepareDataFolder } from '../data-folder.ts';
import { userOf } from '../processes.ts';
import { writeAccessRules } from './embedded-access.ts';
import { commandOf, findBinaries, identityOf, type Binaries } from './embedded-binaries.ts';
import { EmbeddedError } from './embedded-error.ts';
import { findHolder, LockHeld, takeLock, type LockHolder, type Purpose } from './embedded-lock.ts';
import { Supervisor, type Launched } from './embedded-supervisor.ts';
import { isServerAlive, readPidFile, stopLeftovers } from './embedded-orphans.ts';
import { chooseDatabaseUser, takeOverCluster } from './embedded-user.ts';

export { EmbeddedError };

/** Where an embedded server is reached: a socket that lets in the user that started it, without a password. */
export interface EmbeddedConnection {
  /** Folder of the unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** The same as one text, for `pg` and for libpq. */
  readonly connectionString: string;
}

export interface EmbeddedServer extends EmbeddedConnection {
  /** Resolves with a sentence when PostgreSQL ended by itself and is not started again; never otherwise. */
  readonly died: Promise<string>;
  /** Ends open sessions, writes a checkpoint and stops. Safe to call twice. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Folder of the cluster; socket, lock and copied programs stand beside it under names that begin like it. */
  readonly dataDir: string;
  readonly log: Logger;
  readonly purpose?: Purpose;
  /** Starts PostgreSQL again when it ends by itself, unless that happens too often. */
  readonly restart?: boolean;
  /** For tests: what is committed need not survive a power cut. */
  readonly fast?: boolean;
  /** Told before the slow steps, in words for people. */
  readonly progress?: (step: string) => void;
}

const major = '18';
const port = 5432;
const name = 'fieldfare';
/** Linux allows 107 bytes for a socket's path, macOS 103. */
const longestSocketPath = 103;

/**
 * Starts the PostgreSQL that comes with the packages on the cluster in `dataDir`, which is made when it does not exist.
 * Takes the cluster for this process: throws EmbeddedError when another one has it, when the cluster is of another
 * version or belongs to another user. A server left running by a process that was killed is stopped first.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const dataDir = resolve(options.dataDir);
  prepareDataFolder(dirname(dataDir));
  const release = lock(dataDir, options.purpose ?? 'server');
  try {
    const user = await chooseDatabaseUser(dataDir, {
      mayCreate: options.purpose !== 'tests',
      created: options.progress ?? ((sentence) => options.log.warn(sentence)),
      refused: (sentence) => options.log.warn(sentence),
    });
    const binaries = await findBinaries(dataDir, user);
    checkCluster(dataDir);
    const left = readPidFile(dataDir);
    await stopLeftovers(dataDir, options.log);
    if (left !== undefined && isOwnSocketFolder(left.socketFolder)) {
      await rm(left.socketFolder, { recursive: true, force: true });
    }
    if (!existsSync(dataDir)) {
      options.progress?.('Preparing the database (only the first time)');
      await createCluster(binaries, dataDir, options.fast ?? false);
    }
    if (user !== undefined) takeOverCluster(dataDir, user);
    await writeAccessRules(dataDir, name, user);
    const socketFolder = await makeSocketFolder(dataDir, binaries);
    return await run({ ...options, dataDir }, binaries, socketFolder, release);
  } catch (error) {
    release();
    throw error;
  }
}

/** Folder of the cluster below DATA_DIR. */
export function embeddedFolder(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** Who runs the server on the cluster in `dataDir` now, if anybody does. Throws EmbeddedError if this user may not know. */
export function embeddedHolder(dataDir: string): LockHolder | undefined {
  try {
    return findHolder(lockPath(resolve(dataDir)));
  } catch (error) {
    throw denied(error) ? new EmbeddedError(`This user may not read ${dirname(resolve(dataDir))}.`) : error;
  }
}

/**
 * How to reach the server that another process of ours runs on the cluster in `dataDir`; undefined when none is ready.
 * Throws EmbeddedError if that process runs as another user, the only one that the database accepts.
 */
export function findEmbedded(dataDir: string): EmbeddedConnection | undefined {
  const folder = resolve(dataDir);
  const holder = embeddedHolder(folder);
  if (holder === undefined) return undefined;
  const user = userOf(holder.pid);
  if (user !== undefined && user !== process.getuid?.()) {
    throw new EmbeddedError(
      `The server on ${dirname(folder)} runs as another user (number ${user}). Run this command as that user.`,
    );
  }
  const found = readPidFile(folder);
  if (found === undefined || found.status !== 'ready' || !isServerAlive(folder, found.pid)) return undefined;
  return connectionTo(found.socketFolder);
}

function lockPath(dataDir: string): string {
  return `${dataDir}.lock`;
}

function lock(dataDir: string, purpose: Purpose): () => void {
  try {
    return takeLock(lockPath(dataDir), purpose);
  } catch (error) {
    if (error instanceof LockHeld) {
      throw new EmbeddedError(`Fieldfare is already running on ${dirname(dataDir)} (process ${error.holder.pid}).`);
    }
    throw denied(error) ? new EmbeddedError(`This user may not write to ${dirname(dataDir)}.`) : error;
  }
}

function denied(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function checkCluster(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  const uid = process.getuid?.() ?? 0;
  if (uid !== 0 && statSync(dataDir).uid !== uid) {
    throw new EmbeddedError(`${dataDir} belongs to another user. Start as that user, or as root.`);
  }
  const versionFile = join(dataDir, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    throw new EmbeddedError(`${dataDir} is no database. Move it away, or set DATA_DIR to another folder.`);
  }
  const version = readFileSync(versionFile, 'utf8').trim();
  if (version !== major) {
    throw new EmbeddedError(
      `${dataDir} was made by PostgreSQL ${version}, and this is PostgreSQL ${major}. ` +
        'Go back to the Fieldfare that made it and move its data, or set DATABASE_URL to a server of that version.',
    );
  }
}

/** Made under another name first: a cluster is there whole or not at all. */
async function createCluster(binaries: Binaries, dataDir: string, fast: boolean): Promise<void> {
  const draft = `${dataDir}.new`;
  await rm(draft, { recursive: true, force: true });
  await makeOwned(draft, binaries);
  const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  const [command, args] = commandOf(binaries, 'initdb', [
    `--pgdata=${draft}`,
    `--username=${name}`,
    '--auth-local=peer',
    '--auth-host=reject',
    '--encoding=UTF8',
    `--locale=${locale}`,
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(fast ? ['--no-sync'] : []),
  ]);
  const child = spawn(command, args, {
    ...identityOf(binaries),
    cwd: '/',
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = tail(child);
  const code = await ended(child);
  if (code !== 0) throw new EmbeddedError(`The database could not be made: ${said() || `initdb ended with ${code}`}`);
  await rename(draft, dataDir);
}

async function makeOwned(folder: string, { user }: Binaries): Promise<void> {
  await mkdir(folder, { mode: 0o700, recursive: true });
  await chmod(folder, 0o700);
  if (user !== undefined) await chown(folder, user.uid, user.gid);
}

async function makeSocketFolder(dataDir: string, binaries: Binaries): Promise<string> {
  const beside = `${dataDir}-socket`;
  if (Buffer.byteLength(join(beside, `.s.PGSQL.${port}`)) <= longestSocketPath) {
    // A lock file in it may name a process number that a stranger has by now.
    await rm(beside, { recursive: true, force: true });
    await makeOwned(beside, binaries);
    return beside;
  }
  const folder = await mkdtemp(join(shortTemporaryFolder(), 'fieldfare-'));
  await makeOwned(folder, binaries);
  return folder;
}

function shortTemporaryFolder(): string {
  return tmpdir().length <= 60 ? tmpdir() : '/tmp';
}

/** A folder that `makeSocketFolder` put under the temporary one, where nothing else would ever remove it. */
function isOwnSocketFolder(folder: string): boolean {
  return (
    dirname(folder) === shortTemporaryFolder() &&
    basename(folder).startsWith('fieldfare-') &&
    existsSync(folder) &&
    lstatSync(folder).isDirectory()
  );
}

async function run(
  options: EmbeddedOptions,
  binaries: Binaries,
  socketFolder: string,
  release: () => void,
): Promise<EmbeddedServer> {
  const supervisor = new Supervisor({
    launch: () => launch(options, binaries, socketFolder),
    prepare: async () => {
      await stopLeftovers(options.dataDir, options.log);
      // They may name a process number that a stranger has by now.
      for (const file of [`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`])
        await rm(join(socketFolder, file), { force: true });
    },
    restart: options.restart ?? false,
    log: options.log,
    onEnd: () => {
      if (isOwnSocketFolder(socketFolder)) rmSync(socketFolder, { recursive: true, force: true });
      release();
    },
  });
  await supervisor.start();
  return { ...connectionTo(socketFolder), died: supervisor.died, stop: () => supervisor.stop() };
}

function launch(options: EmbeddedOptions, binaries: Binaries, socketFolder: string): Launched {
  const [command, args] = commandOf(binaries, 'postgres', [
    '-D',
    options.dataDir,
    ...serverSettings(socketFolder, options.fast ?? false),
  ]);
  // A process group of its own: Ctrl-C reaches the app, which drains and then stops the database.
  const child = spawn(command, args, {
    ...identityOf(binaries),
    cwd: '/',
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const said = tail(child);
  forwardLog(child, options.log);
  const onExit = (): void => void child.kill('SIGINT');
  process.on('exit', onExit);
  const gone = ended(child).finally(() => process.off('exit', onExit));
  return {
    gone,
    said,
    ready: answering(options, child, { said, socketFolder }),
    async stop() {
      child.kill('SIGINT');
      const late = [setTimeout(() => child.kill('SIGQUIT'), 60_000), setTimeout(() => child.kill('SIGKILL'), 70_000)];
      await gone;
      for (const timer of late) clearTimeout(timer);
    },
  };
}

async function answering(
  options: EmbeddedOptions,
  child: ChildProcess,
  { said, socketFolder }: { said: () => string; socketFolder: string },
): Promise<void> {
  await ready(options, child, said);
  await ensureDatabase(connectionTo(socketFolder));
  child.unref();
}

async function ready(options: EmbeddedOptions, child: ChildProcess, said: () => string): Promise<void> {
  const begun = Date.now();
  let told = false;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
      throw new EmbeddedError(`PostgreSQL did not start: ${said()}`);
    }
    const found = readPidFile(options.dataDir);
    if (found?.pid === child.pid && found.status === 'ready') return;
    if (!told && Date.now() - begun > 3000) {
      told = true;
      options.progress?.('The database is catching up after an unclean stop');
    }
    await pause(10);
  }
}

/** The first thing asked of a server that says it is ready, so also the proof that it answers. */
async function ensureDatabase(connection: EmbeddedConnection): Promise<void> {
  const { host, user, database } = connection;
  const client = new pg.Client({ host, port, user, database: 'postgres' });
  // It may end again at once: the statement that waits rejects.
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
    user: name,
    database: name,
    connectionString: `postgresql://${name}@/${name}?host=${encodeURIComponent(socketFolder)}&port=${port}`,
  };
}

/** Megabytes that this machine, or the container, has. */
const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity) / 1_048_576;

/** Megabytes of pages that PostgreSQL keeps itself: a sixteenth of the machine, which it shares with everything else. */
const sharedBuffers = Math.round(Math.min(Math.max(memory / 16, 64), 512));

/** Given on the command line at each start, so that an old cluster runs with the settings of today. */
function serverSettings(socketFolder: string, fast: boolean): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '',
    port: String(port),
    unix_socket_directories: socketFolder.replaceAll(',', '\\,'),
    unix_socket_permissions: '0600',
    max_connections: '100',
    shared_buffers: `${sharedBuffers}MB`,
    effective_cache_size: `${Math.round(memory / 2)}MB`,
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    huge_pages: 'off',
    jit: 'off',
    // The shared memory that parallel workers need is 64 MB in many containers, and short queries gain nothing.
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
    // Statements carry what people wrote and who they are.
    log_min_error_statement: 'panic',
    log_min_messages: 'warning',
    ...(fast ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' } : {}),
  };
  return Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}

/** PG* variables of the person's shell would change how PostgreSQL works. */
function environment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LC_ALL: process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8',
    TZ: 'UTC',
  };
}

/** What a program said last, in one line. */
function tail(child: ChildProcess): () => string {
  let text = '';
  const keep = (chunk: Buffer): void => void (text = `${text}${chunk.toString('utf8')}`.slice(-600));
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  child.on('error', (error) => (text = error.message));
  return () => text.trim().split('\n').slice(-4).join(' ');
}

/** What PostgreSQL writes for each connection and each helper when it starts or stops; that it did is reported once. */
const expected =
  /^FATAL: {2}(?:terminating .+ due to (?:administrator command|unexpected postmaster exit)|the database system is .+)$/;

function forwardLog(child: ChildProcess, log: Logger): void {
  if (child.stderr === null) return;
  const lines = createInterface({ input: child.stderr });
  lines.on('line', (line) => {
    const severity = /^(\w+):/.exec(line)?.[1];
    const isError = severity === 'PANIC' || (severity === 'FATAL' && !expected.test(line));
    const level = isError ? 'error' : severity === 'WARNING' ? 'warn' : 'debug';
    log[level]({ from: 'postgres' }, line);
  });
  if ('unref' in child.stderr && typeof child.stderr.unref === 'function') child.stderr.unref();
}

async function ended(child: ChildProcess): Promise<string | number> {
  return await new Promise((tell) => {
    child.once('error', (error) => tell(error.message));
    child.once('exit', (code, signal) => tell(signal ?? code ?? 0));
  });
}
