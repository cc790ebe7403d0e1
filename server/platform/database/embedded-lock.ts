import { chownSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isRunning, ownMark, type ProcessMark } from '../processes.ts';

/** Who keeps the embedded database: the server itself, or a command that started it for a moment. */
export type Purpose = 'server' | 'command' | 'tests';

export interface LockHolder extends ProcessMark {
  readonly purpose: Purpose;
}

/** Thrown when another process that still runs holds the lock. */
export class LockHeld extends Error {
  override name = 'LockHeld';
  readonly holder: LockHolder;

  constructor(holder: LockHolder) {
    super(`held by process ${holder.pid}`);
    this.holder = holder;
  }
}

/** Who holds the lock at `path` now; undefined when nobody does, or its holder has died. */
export function findHolder(path: string): LockHolder | undefined {
  const holder = readHolder(path);
  return holder !== undefined && isRunning(holder) ? holder : undefined;
}

/**
 * Takes the lock at `path` for this process and gives the function that lets it go. A holder that was killed keeps
 * nobody out. Throws LockHeld.
 */
export function takeLock(path: string, purpose: Purpose): () => void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ ...ownMark(), purpose } satisfies LockHolder), { mode: 0o600 });
  try {
    giveToOwner(draft);
    while (!tryLink(draft, path)) {
      const holder = findHolder(path);
      if (holder !== undefined) throw new LockHeld(holder);
      removeStale(path, `${draft}.stale`);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (readHolder(path)?.pid === process.pid) rmSync(path, { force: true });
  };
}

/** What root leaves behind when it is killed must be readable to the user whose folder it is. */
function giveToOwner(draft: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(draft));
  chownSync(draft, uid, gid);
}

function tryLink(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** Moved away before it is removed, and put back when somebody quicker has taken the lock in between. */
function removeStale(path: string, aside: string): void {
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (findHolder(aside) !== undefined) tryLink(aside, path);
  rmSync(aside, { force: true });
}

/** A lock that this user may not read is not free. */
function readHolder(path: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockHolder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw error;
    return undefined;
  }
}
