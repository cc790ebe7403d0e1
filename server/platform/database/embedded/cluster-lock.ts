import { once } from 'node:events';
import { connect } from 'node:net';
import { dirname, resolve } from 'node:path';
import { processUid } from '../../process-identity.ts';
import { connectionTo, type EmbeddedConnection } from './connection.ts';
import { EmbeddedError } from './error.ts';
import { acquireLock, findLockHolder, isElsewhere, LockHeldError, type LockHolder, type Purpose } from './lock.ts';
import { isPostgresRunning, parsePidFile } from './orphans.ts';
import { withSocketPath } from './socket-folder.ts';
import { toError } from '../../errors.ts';

/**
 * Takes the lock of the cluster in `dataDir` and returns a function that releases it. Throws EmbeddedError if another
 * process holds it, also in another container, or if this user may not write beside the cluster.
 */
export async function acquireClusterLock(dataDir: string, purpose: Purpose): Promise<() => void> {
  try {
    return await acquireLock(lockPath(dataDir), purpose, () => isPostgresListening(dataDir));
  } catch (error) {
    if (error instanceof LockHeldError) {
      const place = isElsewhere(error.holder)
        ? 'in another container. Run commands in that container, or stop it'
        : `(process ${error.holder.pid})`;
      throw new EmbeddedError(`Fieldfare is already running on ${dirname(dataDir)} ${place}.`);
    }
    throw isPermissionError(error) ? new EmbeddedError(`This user may not write to ${dirname(dataDir)}.`) : error;
  }
}

/** Whether a server accepts connections on the socket beside the cluster, in whichever container of this machine it is. */
async function isPostgresListening(dataDir: string): Promise<boolean> {
  try {
    await withSocketPath(dataDir, canConnect);
    return true;
  } catch (error) {
    return isPermissionError(error);
  }
}

async function canConnect(path: string): Promise<void> {
  const socket = connect(path);
  await once(socket, 'connect');
  socket.destroy();
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

function isPermissionError(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes(toError(error).code ?? '');
}
