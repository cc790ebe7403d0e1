// The command line: `fieldfare serve`, and what the person who runs a server does from a terminal.
import { Command, CommanderError } from 'commander';
import { version } from '../platform/version.ts';
import { addAccountCommands } from './account-commands.ts';
import { addDatabaseCommands } from './database-commands.ts';
import { addDemoCommands } from './demo-commands.ts';
import { addDoctorCommand } from './doctor-command.ts';
import { addDomainCommands } from './domain-commands.ts';
import { addEmojiCommands } from './emoji-commands.ts';
import { explain } from './failure.ts';
import { addRuleCommands } from './rule-commands.ts';
import { addServeCommand } from './serve-command.ts';
import { addSiteCommands } from './site-commands.ts';
import { addTokenCommands } from './token-commands.ts';

/** Runs one command and ends the process: 0 when it did what was asked, 1 otherwise. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  // Whatever this process or a library writes is for its user alone.
  process.umask(0o077);
  try {
    await commandLine().parseAsync([...args], { from: 'user' });
    process.exit();
  } catch (error) {
    if (error instanceof CommanderError) process.exit(error.exitCode);
    const words = explain(error);
    if (words === undefined) console.error(error);
    else for (const line of words.split('\n')) console.error(`fieldfare: ${line}`);
    process.exit(1);
  }
}

/** Every command, not yet run. */
export function commandLine(): Command {
  const program = new Command('fieldfare')
    .description(
      'Runs a Fieldfare server and looks after it. Settings come from the environment and .env: docs/configuration.md',
    )
    .version(version)
    .showHelpAfterError('(add --help for what is possible)')
    .enablePositionalOptions()
    .exitOverride();
  addServeCommand(program);
  addDatabaseCommands(program);
  addAccountCommands(program);
  addTokenCommands(program);
  addSiteCommands(program);
  addRuleCommands(program);
  addDomainCommands(program);
  addEmojiCommands(program);
  addDemoCommands(program);
  addDoctorCommand(program);
  return program;
}
