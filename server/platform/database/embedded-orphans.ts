import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

/** What PostgreSQL writes about itself into its data folder while it runs, and leaves there when it is killed. */
export interface PidFile {
  readonly pid: number;
  readonly socketFolder: string;
  /** `starting`, `ready`, `stopping` … */
  readonly status: string;
}

/** Reads postmaster.pid; undefined when there is none. */
export function parsePidFile(dataDir: string): PidFile | undefined {
  try {
    const lines = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), socketFolder: lines[4]?.trim() ?? '', status: lines[7]?.trim() ?? '' };
  } catch {
    return undefined;
  }
}

/** Says whether the process `pid` is a PostgreSQL on this very cluster, rather than a stranger with a number used again. */
export function isPostgresRunning(dataDir: string, pid: number): boolean {
  return findPostgresProcesses(dataDir).includes(pid);
}

/**
 * Leaves the cluster without any process on it, and without a pid file that would keep PostgreSQL from starting: asks a
 * server that is still alive to stop, and waits for backends whose server was killed.
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
  // Nothing lives here: whoever has the number in the file now is a stranger.
  rmSync(join(dataDir, 'postmaster.pid'), { force: true });
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The PostgreSQL processes that work in `dataDir`: all of them keep it as their current folder. */
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
      // Gone meanwhile, or of another user.
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
