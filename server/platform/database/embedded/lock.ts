import { chownSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  currentProcessIdentity,
  currentProcessIds,
  isProcessRunning,
  type ProcessIdentity,
} from '../../process-identity.ts';
import { UserFacingError } from '../../user-facing-error.ts';
import { toError } from '../../errors.ts';

/** Holder of the embedded database: the server, a command that started it briefly, or one that moves it to a newer version. */
export type Purpose = 'server' | 'command' | 'upgrade' | 'tests';

export interface LockHolder extends ProcessIdentity {
  readonly purpose: Purpose;
  /** Where its process id is valid (`currentProcessIds`). Absent in locks of 0.1.0. */
  readonly processIds?: string | undefined;
}

/** Within this time a holder in another container may still be starting what `isUsed` asks for. */
const startMs = 15_000;

/** Thrown if another running process holds the lock. */
export class LockHeldError extends UserFacingError {
  override name = 'LockHeldError';
  readonly holder: LockHolder;

  constructor(holder: LockHolder) {
    super(`held by process ${holder.pid}${isElsewhere(holder) ? ' of another container' : ''}`);
    this.holder = holder;
  }
}

/** Whether the process ids of a holder are those of another container. Whether it runs cannot be seen from here. */
export const isElsewhere = ({ processIds }: LockHolder): boolean =>
  processIds !== undefined && processIds !== currentProcessIds();

/** Returns the holder of the lock at `path`; undefined if there is none, or it has died or is in another container. */
export function findLockHolder(path: string): LockHolder | undefined {
  const holder = parseLockFile(path);
  return holder !== undefined && !isElsewhere(holder) && isProcessRunning(holder) ? holder : undefined;
}

/**
 * Takes the lock at `path` and returns a function that releases it. Replaces the lock of a dead holder. `isUsed` returns whether a
 * holder in another container still uses what is locked. Throws LockHeldError.
 */
export async function acquireLock(path: string, purpose: Purpose, isUsed: () => Promise<boolean>): Promise<() => void> {
  const own: LockHolder = { ...currentProcessIdentity(), purpose, processIds: currentProcessIds() };
  // Processes of two containers may have the same id.
  const temporaryPath = `${path}.${process.pid}-${/\d+/.exec(own.processIds ?? '')?.[0] ?? ''}`;
  writeFileSync(temporaryPath, JSON.stringify(own), { mode: 0o600 });
  try {
    chownToFolderOwner(temporaryPath);
    while (!tryLink(temporaryPath, path)) {
      const holder = parseLockFile(path);
      if (holder !== undefined && (await isAlive(holder, path, isUsed))) throw new LockHeldError(holder);
      removeStale(path, `${temporaryPath}.stale`, holder);
    }
  } finally {
    rmSync(temporaryPath, { force: true });
  }
  return () => {
    if (isDeepStrictEqual(parseLockFile(path), toStored(own))) rmSync(path, { force: true });
  };
}

async function isAlive(holder: LockHolder, path: string, isUsed: () => Promise<boolean>): Promise<boolean> {
  if (!isElsewhere(holder)) return isProcessRunning(holder);
  while (!(await isUsed())) {
    const lockedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (lockedAt === undefined || Date.now() - lockedAt > startMs) return false;
    await pause(100);
  }
  return true;
}

/** As it is read from a lock file. */
const toStored = (holder: LockHolder): unknown => JSON.parse(JSON.stringify(holder));

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

/** Moved away before it is deleted, and restored if another process than `stale` took the lock in between. */
function removeStale(path: string, aside: string, stale: LockHolder | undefined): void {
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (!isDeepStrictEqual(parseLockFile(aside), stale)) tryLink(aside, path);
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
