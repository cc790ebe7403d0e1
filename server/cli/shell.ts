import { Console } from 'node:console';
import type { Readable, Writable } from 'node:stream';
import type { App } from '../platform/app.ts';

type Input = Readable & { readonly isTTY?: boolean };
type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Which domains the App of a command has: all, those of accounts and tokens, or none because the command only reads. */
export type AppKind = 'full' | 'accounts' | 'reading';

/** What surrounds a command: that of this process, or one made by a test. */
export interface ShellParts {
  /** The environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that paths in arguments are relative to. */
  readonly cwd: string;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** For tests with many commands: returns an App that stays open. By default, each command opens one and closes it. */
  readonly findApp?: (kind: AppKind) => Promise<App>;
}

export interface Shell extends ShellParts {
  /** Prints lines. Ignores that nobody reads them, such as at the end of a pipe to `head`. */
  readonly console: Pick<Console, 'log' | 'error'>;
}

/** Options of every command. Added before its action runs. */
export interface CommandOptions {
  readonly shell: Shell;
}

export const createShell = (parts: ShellParts): Shell => ({
  ...parts,
  console: new Console({ stdout: parts.stdout, stderr: parts.stderr }),
});

/** Returns the shell of this process. */
export function processShell(): Shell {
  const { env, stdin, stdout, stderr } = process;
  return { env, cwd: process.cwd(), stdin, stdout, stderr, console };
}
