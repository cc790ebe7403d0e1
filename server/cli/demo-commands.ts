import { InvalidArgumentError, type Command } from 'commander';
import { seedDemo } from './demo/seed-demo.ts';
import { withApp } from './open-app.ts';
import { commandLog, jsonOption, print, type OutputOptions } from './output.ts';
import { createProgressBar } from './progress-bar.ts';
import { commandConfig } from './command-config.ts';

interface SeedOptions extends OutputOptions {
  readonly accounts: number;
  readonly statuses: number;
  readonly followsPerAccount: number;
  readonly seed: number;
}

export function addDemoCommands(program: Command): void {
  program
    .command('demo')
    .description('Demonstration data, for trying things out and for measuring')
    .command('seed')
    .description('Fill an empty server with people and a year of what they did. A running server has to wait meanwhile')
    .requiredOption('--accounts <number>', 'how many people, a fifth of them on other servers', parseCount)
    .requiredOption('--statuses <number>', 'how many posts, replies and reblogs', parseCount)
    .option('--follows-per-account <number>', 'how many others each follows, on average', parseCount, 50)
    .option('--seed <number>', 'another number gives other data, the same number the same', parseCount, 1)
    .option(...jsonOption)
    .action(async (options: SeedOptions) => {
      const bar = createProgressBar();
      const demo = await withApp(commandConfig(), commandLog(), (app) => seedDemo(app, options, bar.show)).finally(
        bar.end,
      );
      print(options, demo, () => [
        `Made ${demo.accounts} people, ${demo.follows} follows and ${demo.statuses} posts in ${demo.seconds} s.`,
        `To be one of them: fieldfare token create ${demo.active[0] ?? ''} --scopes "read write follow"`,
        `A long thread: status ${demo.longest_thread}`,
        'Anyone may sign up.',
      ]);
    });
}

function parseCount(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 100_000_000)
    throw new InvalidArgumentError('It must be a whole number from 1 on.');
  return number;
}
