import { CommanderError } from 'commander';
import { ExitError, userFacingMessage } from './cli-error.ts';
import { commandGroups } from './command-groups.ts';
import { createProgram } from './program.ts';
import { processShell, type Shell } from './shell.ts';

/** Runs a command and exits: with 0 on success, else 1. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  // Files that this process or a library writes are readable by its user only.
  process.umask(0o077);
  process.exit(await runCommand(args, processShell()));
}

/** Runs a command. Prints why it failed, and returns the exit code. */
export async function runCommand(args: readonly string[], shell: Shell): Promise<number> {
  try {
    const program = await createProgram(shell, findGroup(args));
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (error instanceof ExitError) return error.code;
    const message = userFacingMessage(error);
    if (message === undefined) shell.console.error(error);
    else for (const line of message.split('\n')) shell.console.error(`fieldfare: ${line}`);
    return 1;
  }
}

/** Returns the name of the group that arguments use, also after `help`; empty if there is none. */
function findGroup(args: readonly string[]): string[] {
  const [first, second] = args;
  const used = first === 'help' ? second : first;
  return commandGroups.map(({ name }) => name).filter((name) => name === used);
}
