import { InvalidArgumentError, type Command } from 'commander';
import { seedDemo } from './seed-demo.ts';
import { withApp } from '../open/open-app.ts';
import { commandLog, jsonOption, print, type OutputOptions } from '../output.ts';
import { createProgressBar } from '../progress-bar.ts';
import { commandConfig } from '../command-config.ts';

interface SeedOptions extends OutputOptions {
  readonly accounts: number;
  readonly statuses: number;
  readonly followsPerAccount: number;
  readonly seed: number;
}

export function addDemoCommands(program: Command): void {
  program
    .command('demo')
    .description('Manage demo data, for development and benchmarks')
    .command('seed')
    .description('Fill an empty server with accounts and a year of posts. Blocks a running server until it is done')
    .requiredOption('--accounts <number>', 'number of accounts, a fifth of them remote', parseCount)
    .requiredOption('--statuses <number>', 'number of posts, replies and reblogs', parseCount)
    .option('--follows-per-account <number>', 'average number of accounts that each follows', parseCount, 50)
    .option('--seed <number>', 'the same number creates the same data', parseCount, 1)
    .option(...jsonOption)
    .action(async (options: SeedOptions) => {
      const bar = createProgressBar();
      const demo = await withApp(commandConfig(), commandLog(), (app) => seedDemo(app, options, bar.show)).finally(
        bar.end,
      );
      print(options, demo, () => [
        `Created ${demo.accounts} accounts, ${demo.follows} follows and ${demo.statuses} posts in ${demo.seconds} s.`,
        `To act as one of them: fieldfare token create ${demo.active[0] ?? ''} --scopes "read write follow"`,
        `A long thread: status ${demo.longest_thread}`,
        'Registrations are open.',
      ]);
    });
}

function parseCount(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 100_000_000)
    throw new InvalidArgumentError('It must be a positive whole number.');
  return number;
}
