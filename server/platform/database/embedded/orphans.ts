import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { toError } from '../../errors.ts';

/** Contents of postmaster.pid, which PostgreSQL writes to its data folder, and leaves there if it is killed. */
export interface PidFile {
  readonly pid: number;
  readonly socketFolder: string;
  /** `starting`, `ready`, `stopping` and so on. */
  readonly status: string;
}

/** Loads postmaster.pid; undefined if it does not exist. */
export function parsePidFile(dataDir: string): PidFile | undefined {
  try {
    const lines = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), socketFolder: lines[4]?.trim() ?? '', status: lines[7]?.trim() ?? '' };
  } catch {
    return undefined;
  }
}

/** Returns whether the process `pid` is a PostgreSQL on this cluster; process ids are reused. */
export function isPostgresRunning(dataDir: string, pid: number): boolean {
  return findPostgresProcesses(dataDir).includes(pid);
}

/**
 * Stops all processes on the cluster and deletes a stale pid file: asks a running server to stop, and waits for
 * backends of a killed one.
 */
export async function stopOrphans(dataDir: string, log: Logger): Promise<void> {
  if (!existsSync(dataDir)) return;
  const startedAt = Date.now();
  const signals: [number, NodeJS.Signals][] = [
    [0, 'SIGINT'],
    [30_000, 'SIGQUIT'],
    [40_000, 'SIGKILL'],
  ];
  for (;;) {
    const running = findPostgresProcesses(dataDir);
    if (running.length === 0) break;
    const next = signals[0];
    if (next !== undefined && Date.now() - startedAt >= next[0]) {
      signals.shift();
      log.warn({ pids: running }, 'stopping a PostgreSQL that an earlier run left behind');
      const server = parsePidFile(dataDir)?.pid;
      const targets = server !== undefined && running.includes(server) ? [server] : running;
      for (const pid of targets) sendSignal(pid, next[1]);
    }
    await pause(20);
  }
  // No process is left, so the pid file is stale.
  rmSync(join(dataDir, 'postmaster.pid'), { force: true });
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (toError(error).code !== 'ESRCH') throw error;
  }
}

/** Lists the PostgreSQL processes whose current folder is `dataDir`. */
function findPostgresProcesses(dataDir: string): number[] {
  if (process.platform !== 'linux') return findProcessesWithPs(dataDir);
  const folder = realpathSync(dataDir);
  const found: number[] = [];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      if (readlinkSync(`/proc/${entry}/cwd`) !== folder) continue;
      if (readFileSync(`/proc/${entry}/comm`, 'utf8').trim() === 'postgres') found.push(Number(entry));
    } catch {
      // The process has ended or belongs to another user.
    }
  }
  return found;
}

function findProcessesWithPs(dataDir: string): number[] {
  const pid = parsePidFile(dataDir)?.pid;
  if (pid === undefined) return [];
  const { stdout } = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout?.includes(dataDir) === true ? [pid] : [];
}
