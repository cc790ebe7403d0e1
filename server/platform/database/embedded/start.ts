import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { prepareDataFolder } from '../../files/data-folder.ts';
import { writeAccessRules } from './access.ts';
import { prepareBinaries, type Binaries } from './binaries.ts';
import { clusterMajor, createCluster } from './cluster.ts';
import { acquireClusterLock } from './cluster-lock.ts';
import { connectionTo, databaseName, port, type EmbeddedConnection } from './connection.ts';
import { launchPostgres, type LaunchOptions } from './launch-postgres.ts';
import type { Purpose } from './lock.ts';
import { parsePidFile, stopOrphans } from './orphans.ts';
import { findPrograms, newestMajor } from './programs.ts';
import { createSocketFolder, deleteSocketLink } from './socket-folder.ts';
import { Supervisor } from './supervisor.ts';
import { assertNoUpgrade } from './upgrade-folders.ts';
import { chooseDatabaseUser, chownCluster } from './user.ts';
import { EmbeddedError } from './error.ts';

export interface EmbeddedServer extends EmbeddedConnection {
  /** Resolves with a message if PostgreSQL ended and is not restarted. */
  readonly crashed: Promise<string>;
  /** Ends open sessions, writes a checkpoint and stops. Idempotent. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions extends LaunchOptions {
  readonly purpose?: Purpose;
  /** Folder of programs that are used if they are newer: the setting POSTGRES_BIN. */
  readonly postgresBin?: string | undefined;
  /** Of a cluster that is created. Default: the newest. */
  readonly major?: number;
  /** Restarts PostgreSQL if it ends unexpectedly, unless that happens too often. */
  readonly restart?: boolean;
  /** Called when the process exists and is starting. */
  readonly onLaunched?: () => void;
}

/**
 * Starts the bundled PostgreSQL on the cluster in `dataDir`, which is created if needed. Throws EmbeddedError if
 * another process uses the cluster, or if it has another version or owner. Stops a server that a killed process left
 * running.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const dataDir = resolve(options.dataDir);
  prepareDataFolder(dirname(dataDir));
  const release = await acquireClusterLock(dataDir, options.purpose ?? 'server');
  try {
    if (options.purpose !== 'upgrade') assertNoUpgrade(dataDir);
    const major = clusterMajor(dataDir) ?? options.major ?? newestMajor(options.postgresBin);
    const programs = findPrograms({ postgresBin: options.postgresBin, major });
    if (programs === undefined) throw otherVersionError(dataDir, major, newestMajor(options.postgresBin));
    const user = await chooseDatabaseUser(dataDir, {
      canCreate: options.purpose !== 'tests',
      onCreated: options.onProgress ?? ((sentence) => options.log.warn(sentence)),
      onRefused: (sentence) => options.log.warn(sentence),
    });
    const binaries = await prepareBinaries(programs, dataDir, user);
    const pidFile = parsePidFile(dataDir);
    await stopOrphans(dataDir, options.log);
    if (pidFile !== undefined) deleteSocketLink(pidFile.socketFolder);
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

const otherVersionError = (dataDir: string, major: number, newest: number): EmbeddedError =>
  new EmbeddedError(
    major < newest
      ? `${dataDir} was created by PostgreSQL ${major}, and this is PostgreSQL ${newest}. Run: fieldfare db upgrade`
      : `${dataDir} was created by PostgreSQL ${major}, which is not installed. Install it, and name its folder by POSTGRES_BIN.`,
  );

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
      deleteSocketLink(socketFolder);
      release();
    },
  });
  options.onLaunched?.();
  await supervisor.start();
  return { ...connectionTo(socketFolder), crashed: supervisor.crashed, stop: () => supervisor.stop() };
}
