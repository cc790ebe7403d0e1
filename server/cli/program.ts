import { Command } from 'commander';
import { version } from '../platform/version.ts';
import { commandGroups } from './command-groups.ts';
import { processShell, type Shell } from './shell.ts';

/**
 * Creates the program with all groups of commands. Only those of `names` have their commands; all by default. The code of the
 * others is not loaded.
 */
export async function createProgram(shell: Shell = processShell(), names?: readonly string[]): Promise<Command> {
  const program = createBaseProgram(shell);
  for (const { name, description, load, isCommand } of commandGroups) {
    const group = program.command(name).description(description);
    if (names === undefined || names.includes(name) || (isCommand === true && names.length === 0))
      (await load())(group);
  }
  return program;
}

const defaultColumns = 80;

function createBaseProgram(shell: Shell): Command {
  const { stdout, stderr } = shell;
  return new Command('fieldfare')
    .description(
      'Run and manage a Fieldfare server. Settings come from the environment and .env: docs/configuration.md',
    )
    .version(version)
    .showHelpAfterError('(add --help for usage)')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      getOutHelpWidth: () => stdout.columns ?? defaultColumns,
      getErrHelpWidth: () => stderr.columns ?? defaultColumns,
    })
    .hook('preAction', (_program, command) => void command.setOptionValue('shell', shell));
}
