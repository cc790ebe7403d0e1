import { existsSync, lstatSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { port } from './connection.ts';
import { createOwnedFolder } from './owned-folder.ts';

/** Maximum length of a socket's path: 107 bytes on Linux, 103 on macOS. */
const maxSocketPathBytes = 103;

/** The folder of the socket, unless its path is too long. */
export const socketFolderBeside = (dataDir: string): string => `${dataDir}-socket`;

/** Creates the folder of the socket: beside the cluster, or in the temporary folder if that path would be too long. */
export async function createSocketFolder(dataDir: string, binaries: Binaries): Promise<string> {
  const beside = socketFolderBeside(dataDir);
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

/** Whether `createSocketFolder` created this folder in the temporary folder, where nothing else deletes it. */
export function isTemporarySocketFolder(folder: string): boolean {
  return (
    dirname(folder) === shortTemporaryFolder() &&
    basename(folder).startsWith('fieldfare-') &&
    existsSync(folder) &&
    lstatSync(folder).isDirectory()
  );
}

function shortTemporaryFolder(): string {
  return tmpdir().length <= 60 ? tmpdir() : '/tmp';
}
