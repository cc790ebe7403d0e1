import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { UserFacingError } from '../user-facing-error.ts';
import { toError } from '../errors.ts';

/** Folders below DATA_DIR, besides those of the embedded PostgreSQL. */
const dataSubfolders = ['cache', 'mail', 'media', 'secrets', 'tmp'];

/** Thrown if DATA_DIR cannot be used. The message is for the operator. */
export class DataFolderError extends UserFacingError {
  override name = 'DataFolderError';
}

/**
 * Creates DATA_DIR if needed and closes it and its folders to other users of the machine, whatever the umask. A folder
 * that also holds other files keeps its mode; the folders in it are closed all the same. Throws DataFolderError if it
 * cannot be created or written to.
 */
export function prepareDataFolder(dataDir: string): void {
  try {
    createFolder(dataDir);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    restrictFolder(dataDir);
  } catch (error) {
    throw new DataFolderError(
      `The folder ${dataDir} cannot be ${isPermissionError(error) ? 'used by this user' : 'created'} (${errorReason(error)}). ` +
        'Set DATA_DIR to a folder that the server may write to.',
    );
  }
}

/** Lets a group enter DATA_DIR but not list it: PostgreSQL runs as another user if the server runs as root. */
export function allowGroupTraversal(dataDir: string, gid: number): void {
  const { mode, uid } = lstatSync(dataDir);
  // A mode that the operator chose stays: only a folder that `prepareDataFolder` closed is opened.
  if ((mode & 0o067) !== 0) return;
  chownSync(dataDir, uid, gid);
  chmodSync(dataDir, 0o710);
}

/** Not `recursive`: Node would retry for ever where folders cannot be created, such as below /proc. */
function createFolder(dataDir: string): void {
  const missing: string[] = [];
  for (let folder = dataDir; !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      // Another Fieldfare process may have created it.
      if (!existsSync(folder)) throw error;
    }
    // The database user of a root server may enter parent folders, but not list them.
    if (folder !== dataDir && process.getuid?.() === 0) chmodSync(folder, 0o711);
  }
  if (!statSync(dataDir).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'EEXIST' });
}

function restrictFolder(dataDir: string): void {
  const names = readdirSync(dataDir);
  for (const name of dataSubfolders) if (names.includes(name)) restrictMode(join(dataDir, name), 0o700);
  const isDedicated = names.every((name) => dataSubfolders.includes(name) || /^(?:postgres|lost\+found$)/.test(name));
  // The group is that of the database user of a root server.
  if (isDedicated) restrictMode(dataDir, process.getuid?.() === 0 ? 0o710 : 0o700);
}

function restrictMode(path: string, maxMode: number): void {
  const { mode, uid } = lstatSync(path);
  if (!lstatSync(path).isDirectory() || (mode & 0o777 & ~maxMode) === 0) return;
  const currentUid = process.getuid?.() ?? 0;
  if (currentUid === 0 || currentUid === uid) chmodSync(path, mode & maxMode);
}

function isPermissionError(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(toError(error).code ?? '');
}

function errorReason(error: unknown): string {
  const { code, message } = toError(error);
  const reasons: Record<string, string> = {
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
    ENOTDIR: 'part of the path is a file',
    EEXIST: 'there is a file of this name',
    ENOENT: 'part of the path does not exist',
    ENAMETOOLONG: 'the name is too long',
    ELOOP: 'it is a link that leads to itself',
  };
  return reasons[code ?? ''] ?? message;
}
