import type { Command } from 'commander';
import { withCommandApp } from '../open/command-app.ts';
import { jsonOption, print, type OutputOptions } from '../output.ts';
import { parseDays } from '../parse-options.ts';

interface RemoveOptions extends OutputOptions {
  readonly days: number;
  readonly includeLocal?: boolean;
  readonly dryRun?: boolean;
}

export function addCardsCommands(group: Command): void {
  group
    .command('remove')
    .description('Remove the previews of links from old remote posts. The links stay')
    .option('--days <number>', 'minimum age of the posts in days', parseDays, 180)
    .option('--include-local', 'also from posts of local accounts')
    .option('--dry-run', 'only count them')
    .option(...jsonOption)
    .action(remove);
}

async function remove({ days, includeLocal, dryRun, ...options }: RemoveOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const { removeCards } = await import('../../statuses/post/index.ts');
    const removed = await removeCards(app, 'system', { days, includeLocal, dryRun });
    print(options, { removed }, () => [
      `${dryRun === true ? 'It would remove' : 'Removed'} the previews of ${removed} posts older than ${days} days.`,
    ]);
  });
}
