import { CommanderError, type Command } from 'commander';
import { userFacingMessage } from './cli-error.ts';
import { createBaseProgram } from './program.ts';

type AddCommands = (program: Command) => void;

/** Loads one group of commands by its name: each loads another part of the server, and a start costs what it loads. */
export const commandGroups: Readonly<Record<string, () => Promise<AddCommands>>> = {
  serve: async () => (await import('./serve-command.ts')).addServeCommand,
  db: async () => (await import('./database-commands.ts')).addDatabaseCommands,
  account: async () => (await import('./account-commands.ts')).addAccountCommands,
  token: async () => (await import('./token-commands.ts')).addTokenCommands,
  site: async () => (await import('./site-commands.ts')).addSiteCommands,
  registrations: async () => (await import('./site-commands.ts')).addSiteCommands,
  rules: async () => (await import('./rule-commands.ts')).addRuleCommands,
  domain: async () => (await import('./domain-commands.ts')).addDomainCommands,
  emoji: async () => (await import('./emoji-commands.ts')).addEmojiCommands,
  demo: async () => (await import('./demo-commands.ts')).addDemoCommands,
  doctor: async () => (await import('./doctor-command.ts')).addDoctorCommand,
};

/** Runs one command and ends the process: 0 when it did what was asked, 1 otherwise. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  // Whatever this process or a library writes is for its user alone.
  process.umask(0o077);
  try {
    const program = await loadProgram(args[0] ?? '');
    await program.parseAsync([...args], { from: 'user' });
    process.exit();
  } catch (error) {
    if (error instanceof CommanderError) process.exit(error.exitCode);
    const words = userFacingMessage(error);
    if (words === undefined) console.error(error);
    else for (const line of words.split('\n')) console.error(`fieldfare: ${line}`);
    process.exit(1);
  }
}

async function loadProgram(name: string): Promise<Command> {
  const load = Object.hasOwn(commandGroups, name) ? commandGroups[name] : undefined;
  if (load === undefined) return (await import('./index.ts')).createProgram();
  const program = createBaseProgram();
  (await load())(program);
  return program;
}
