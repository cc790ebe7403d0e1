import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildCommand, spawnIdentity, type Binaries } from './binaries.ts';
import { databaseName } from './connection.ts';
import { EmbeddedError } from './error.ts';
import { createOwnedFolder } from './owned-folder.ts';
import { childEnvironment, collectOutput, waitForExit } from './child-process.ts';

/** Folder of the cluster, relative to DATA_DIR. */
export function embeddedDataFolder(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/**
 * Returns the major version of the cluster in `dataDir`; undefined if there is none. Throws EmbeddedError if it has another
 * owner or is no cluster.
 */
export function clusterMajor(dataDir: string): number | undefined {
  if (!existsSync(dataDir)) return undefined;
  const uid = process.getuid?.() ?? 0;
  if (uid !== 0 && statSync(dataDir).uid !== uid) {
    throw new EmbeddedError(`${dataDir} belongs to another user. Start as that user, or as root.`);
  }
  const versionFile = join(dataDir, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    throw new EmbeddedError(`${dataDir} is not a database. Move it away, or set DATA_DIR to another folder.`);
  }
  return Number(readFileSync(versionFile, 'utf8'));
}

/** PostgreSQL has a locale of its own since 17. */
const localeOptions = (major: number): string[] =>
  major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : [];

/** Creates a cluster under another name and renames it, so that a cluster is complete or absent. */
export async function createCluster(binaries: Binaries, dataDir: string, skipSync: boolean): Promise<void> {
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
    ...localeOptions(binaries.major),
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
