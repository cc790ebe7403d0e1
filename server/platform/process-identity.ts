import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, statSync } from 'node:fs';

/** Identifies one run of a process: process ids are reused. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time, for comparison only: on Linux the boot id and the ticks since the boot. */
  readonly started: string;
}

/** The identity of this process. */
export const currentProcessIdentity = (): ProcessIdentity => identifyProcess(process.pid);

/** The identity of the process that has this id now. */
export const identifyProcess = (pid: number): ProcessIdentity => ({ pid, started: processStartTime(pid) ?? 'unknown' });

/**
 * Returns a text that is the same for all processes that see the same process ids: of a machine since its start, or of a
 * container. Undefined if the system does not tell.
 */
export function currentMachine(): string | undefined {
  const bootId = readFileIfExists('/proc/sys/kernel/random/boot_id')?.trim();
  const processIds = currentProcessIds();
  return bootId === undefined || processIds === undefined ? undefined : `${bootId} ${processIds}`;
}

/** Returns a text that is the same for all processes of this machine that see the same process ids. */
export function currentProcessIds(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}

/**
 * Returns whether an identified process still runs. The boot id is not compared: in a container (LXC, systemd-nspawn),
 * a service with its own mounts reads another one than a command beside it.
 */
export function isProcessRunning({ pid, started }: ProcessIdentity): boolean {
  const now = processStartTime(pid);
  return now !== undefined && withoutBootId(now) === withoutBootId(started);
}

const withoutBootId = (started: string): string => started.replace(/^[\da-f]{8}-[\da-f-]{27} /, '');

/** Returns the user id of a process; undefined if it does not run. */
export function processUid(pid: number): number | undefined {
  if (process.platform === 'linux') return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid;
  const output = spawnSync('ps', ['-o', 'uid=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? '';
  return output === '' ? undefined : Number(output);
}

function processStartTime(pid: number): string | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || undefined;
  }
  const fields = readFileIfExists(`/proc/${pid}/stat`)?.replace(/^.*\)/s, '').trim().split(' ');
  // Fields after the name in parentheses: the state is the first, the start in ticks since boot the twentieth.
  if (fields === undefined || fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return `${readFileIfExists('/proc/sys/kernel/random/boot_id')?.trim() ?? ''} ${fields[19] ?? ''}`;
}

function readFileIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
