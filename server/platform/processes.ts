import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

/** One run of one process: a number alone may since have been given to another. */
export interface ProcessMark {
  readonly pid: number;
  /** When it started, in a form that only serves comparison. */
  readonly started: string;
}

/** The mark of this process. */
export function ownMark(): ProcessMark {
  return { pid: process.pid, started: startOf(process.pid) ?? 'unknown' };
}

/** Says whether the very process that `mark` was taken of still runs. */
export function isRunning(mark: ProcessMark): boolean {
  return startOf(mark.pid) === mark.started;
}

/** Number of the user that a process runs as; undefined if it does not run. */
export function userOf(pid: number): number | undefined {
  if (process.platform === 'linux') return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid;
  const said = spawnSync('ps', ['-o', 'uid=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? '';
  return said === '' ? undefined : Number(said);
}

function startOf(pid: number): string | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || undefined;
  }
  const fields = read(`/proc/${pid}/stat`)?.replace(/^.*\)/s, '').trim().split(' ');
  // After the name in parentheses: the state first, the start in ticks since boot as the twentieth.
  if (fields === undefined || fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return `${read('/proc/sys/kernel/random/boot_id')?.trim() ?? ''} ${fields[19] ?? ''}`;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
