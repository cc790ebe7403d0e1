// The command line: `fieldfare serve`, and the commands to manage a server.
import type { Command } from 'commander';
import { addAccountCommands } from './account-commands.ts';
import { addDatabaseCommands } from './database-commands.ts';
import { addDemoCommands } from './demo-commands.ts';
import { addDoctorCommand } from './doctor-command.ts';
import { addDomainCommands } from './domain-commands.ts';
import { addEmojiCommands } from './emoji-commands.ts';
import { createBaseProgram } from './program.ts';
import { addRuleCommands } from './rule-commands.ts';
import { addServeCommand } from './serve-command.ts';
import { addSiteCommands } from './site-commands.ts';
import { addTokenCommands } from './token-commands.ts';

/** Creates the program with all commands. */
export function createProgram(): Command {
  const program = createBaseProgram();
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
