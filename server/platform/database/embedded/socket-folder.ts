import { closeSync, lstatSync, openSync, rmSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { port } from './connection.ts';
import { createOwnedFolder } from './owned-folder.ts';

/** Maximum length of a socket's path: 107 bytes on Linux, 103 on macOS. */
const maxSocketPathBytes = 103;

/** The folder of the socket. It is beside the cluster, so that all containers with the cluster have it. */
const socketFolderBeside = (dataDir: string): string => `${dataDir}-socket`;

const socketIn = (folder: string): string => join(folder, `.s.PGSQL.${port}`);

/**
 * Creates the folder of the socket. Returns its path, or that of a link to it in the temporary folder if its path is too long
 * for a socket.
 */
export async function createSocketFolder(dataDir: string, binaries: Binaries): Promise<string> {
  const beside = socketFolderBeside(dataDir);
  // A lock file in it may name a reused process id.
  await rm(beside, { recursive: true, force: true });
  await createOwnedFolder(beside, binaries);
  if (Buffer.byteLength(socketIn(beside)) <= maxSocketPathBytes) return beside;
  const folder = await mkdtemp(join(shortTemporaryFolder(), 'fieldfare-'));
  await createOwnedFolder(folder, binaries);
  const link = join(folder, 'socket');
  await symlink(beside, link);
  return link;
}

/** Deletes the link that `createSocketFolder` may have returned, with the temporary folder that it is in. */
export function deleteSocketLink(path: string): void {
  const folder = dirname(path);
  const isOurs = dirname(folder) === shortTemporaryFolder() && basename(folder).startsWith('fieldfare-');
  if (isOurs && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    rmSync(folder, { recursive: true, force: true });
}

/**
 * Calls `use` with a path of the socket beside a cluster that is short enough on Linux, however long the path of the cluster
 * is. Throws if the folder of the socket cannot be opened.
 */
export async function withSocketPath<Result>(dataDir: string, use: (path: string) => Promise<Result>): Promise<Result> {
  const folder = openSync(socketFolderBeside(dataDir), 'r');
  try {
    return await use(socketIn(`/proc/self/fd/${folder}`));
  } finally {
    closeSync(folder);
  }
}

function shortTemporaryFolder(): string {
  return tmpdir().length <= 60 ? tmpdir() : '/tmp';
}
