import { chownSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isProcessRunning, currentProcessIdentity, type ProcessIdentity } from '../../process-identity.ts';
import { UserFacingError } from '../../user-facing-error.ts';
import { toError } from '../../errors.ts';

/** Holder of the embedded database: the server, a command that started it briefly, or one that moves it to a newer version. */
export type Purpose = 'server' | 'command' | 'upgrade' | 'tests';

export interface LockHolder extends ProcessIdentity {
  readonly purpose: Purpose;
}

/** Thrown if another running process holds the lock. */
export class LockHeldError extends UserFacingError {
  override name = 'LockHeldError';
  readonly holder: LockHolder;

  constructor(holder: LockHolder) {
    super(`held by process ${holder.pid}`);
    this.holder = holder;
  }
}

/** Returns the holder of the lock at `path`; undefined if there is none or it has died. */
export function findLockHolder(path: string): LockHolder | undefined {
  const holder = parseLockFile(path);
  return holder !== undefined && isProcessRunning(holder) ? holder : undefined;
}

/**
 * Takes the lock at `path` and returns a function that releases it. Replaces the lock of a dead holder. Throws
 * LockHeldError.
 */
export function acquireLock(path: string, purpose: Purpose): () => void {
  const temporaryPath = `${path}.${process.pid}`;
  writeFileSync(temporaryPath, JSON.stringify({ ...currentProcessIdentity(), purpose } satisfies LockHolder), {
    mode: 0o600,
  });
  try {
    chownToFolderOwner(temporaryPath);
    while (!tryLink(temporaryPath, path)) {
      const holder = findLockHolder(path);
      if (holder !== undefined) throw new LockHeldError(holder);
      removeStale(path, `${temporaryPath}.stale`);
    }
  } finally {
    rmSync(temporaryPath, { force: true });
  }
  return () => {
    if (parseLockFile(path)?.pid === process.pid) rmSync(path, { force: true });
  };
}

/** A lock that root left behind must be readable to the owner of the folder. */
function chownToFolderOwner(draft: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(draft));
  chownSync(draft, uid, gid);
}

function tryLink(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (toError(error).code !== 'EEXIST') throw error;
    return false;
  }
}

/** Moved away before it is deleted, and restored if another process took the lock in between. */
function removeStale(path: string, aside: string): void {
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (findLockHolder(aside) !== undefined) tryLink(aside, path);
  rmSync(aside, { force: true });
}

/** A lock that this user may not read counts as held. */
function parseLockFile(path: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (toError(error).code === 'EACCES') throw error;
    return undefined;
  }
}
