import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { buildCommand, spawnIdentity, type Binaries } from './binaries.ts';
import { childEnvironment, collectOutput, waitForExit } from './child-process.ts';
import { connectionTo, ensureDatabase } from './connection.ts';
import { EmbeddedError } from './error.ts';
import { parsePidFile } from './orphans.ts';
import { serverSettings } from './server-settings.ts';
import type { PostgresProcess } from './supervisor.ts';

export interface LaunchOptions {
  /**
   * Folder of the cluster. Socket, lock and copied programs are beside it, with names that start with the same text.
   */
  readonly dataDir: string;
  readonly log: Logger;
  /** For tests: commits need not survive a power failure. */
  readonly skipSync?: boolean;
  /** Called before slow steps, with a message for people. */
  readonly onProgress?: (step: string) => void;
}

/** Starts PostgreSQL on an existing cluster. Its log goes to the log of the server. */
export function launchPostgres(options: LaunchOptions, binaries: Binaries, socketFolder: string): PostgresProcess {
  const [command, args] = buildCommand(binaries, 'postgres', [
    '-D',
    options.dataDir,
    ...serverSettings(socketFolder, options.skipSync ?? false),
  ]);
  // Its own process group: Ctrl-C reaches only the app, which drains and then stops the database.
  const child = spawn(command, args, {
    ...spawnIdentity(binaries),
    cwd: '/',
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const recentOutput = collectOutput(child);
  forwardLog(child, options.log);
  const onExit = (): void => void child.kill('SIGINT');
  process.on('exit', onExit);
  const exited = waitForExit(child).finally(() => process.off('exit', onExit));
  return {
    exited,
    recentOutput,
    ready: waitUntilAccepting(options, child, { recentOutput, socketFolder }),
    async stop() {
      child.kill('SIGINT');
      const killTimers = [
        setTimeout(() => child.kill('SIGQUIT'), 60_000),
        setTimeout(() => child.kill('SIGKILL'), 70_000),
      ];
      await exited;
      for (const timer of killTimers) clearTimeout(timer);
    },
  };
}

async function waitUntilAccepting(
  options: LaunchOptions,
  child: ChildProcess,
  { recentOutput, socketFolder }: { recentOutput: () => string; socketFolder: string },
): Promise<void> {
  await waitUntilReady(options, child, recentOutput);
  await ensureDatabase(connectionTo(socketFolder));
  child.unref();
}

async function waitUntilReady(options: LaunchOptions, child: ChildProcess, recentOutput: () => string): Promise<void> {
  const startedAt = Date.now();
  let hasReported = false;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
      throw new EmbeddedError(`PostgreSQL did not start: ${recentOutput()}`);
    }
    const found = parsePidFile(options.dataDir);
    if (found?.pid === child.pid && found.status === 'ready') return;
    if (!hasReported && Date.now() - startedAt > 3000) {
      hasReported = true;
      options.onProgress?.('The database is catching up after an unclean stop');
    }
    await pause(10);
  }
}

/** What PostgreSQL logs for each connection and helper process when it starts or stops, which is logged once elsewhere. */
const expectedFatal =
  /^FATAL: {2}(?:terminating .+ due to (?:administrator command|unexpected postmaster exit)|the database system is .+)$/;

function forwardLog(child: ChildProcess, log: Logger): void {
  if (child.stderr === null) return;
  const lines = createInterface({ input: child.stderr });
  lines.on('line', (line) => {
    const severity = /^(\w+):/.exec(line)?.[1];
    const isError = severity === 'PANIC' || (severity === 'FATAL' && !expectedFatal.test(line));
    const level = isError ? 'error' : severity === 'WARNING' ? 'warn' : 'debug';
    log[level]({ from: 'postgres' }, line);
  });
  if ('unref' in child.stderr && typeof child.stderr.unref === 'function') child.stderr.unref();
}
