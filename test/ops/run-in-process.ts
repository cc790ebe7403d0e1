import { Readable, Writable } from 'node:stream';
import { runCommand } from '../../server/cli/run.ts';
import { createShell } from '../../server/cli/shell.ts';
import type { Installation } from './cli-process.ts';
import type { OpenApps } from './open-apps.ts';

/** What a command printed, and its exit code. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What surrounds a command. */
export interface CommandSurroundings {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin?: string;
  /** Those of the same settings. By default, the command opens an App of its own. */
  readonly apps?: OpenApps;
}

/** Runs a command in this process. */
export async function runInProcess(
  args: readonly string[],
  { env, cwd, stdin = '', apps }: CommandSurroundings,
): Promise<CommandResult> {
  const output = { stdout: '', stderr: '' };
  const collect = (name: 'stdout' | 'stderr'): Writable =>
    new Writable({
      write(chunk, _encoding, done) {
        output[name] += String(chunk);
        done();
      },
    });
  const stderr = collect('stderr');
  if (apps !== undefined) apps.stderr = stderr;
  const shell = createShell({
    env,
    cwd,
    stdin: Readable.from(stdin === '' ? [] : [stdin]),
    stdout: collect('stdout'),
    stderr,
    ...(apps && { findApp: (kind) => apps.find(kind) }),
  });
  const code = await runCommand(args, shell);
  return { code, ...output };
}

/** Runs a command of an installation in this process: to start another one costs most of the time of a command. */
export const runHere = (installation: Installation, ...args: string[]): Promise<CommandResult> =>
  runInProcess(args, { env: installation.environment(), cwd: installation.cwd });
