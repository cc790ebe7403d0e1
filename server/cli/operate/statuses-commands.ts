import type { Command } from 'commander';
import { jsonOption, print, type OutputOptions } from '../output.ts';
import { withCommandApp } from '../open/command-app.ts';
import { parseDays } from '../parse-options.ts';
import { createProgressBar } from '../progress-bar.ts';

interface RemoveOptions extends OutputOptions {
  readonly days: number;
  readonly cleanFollowed?: boolean;
  readonly dryRun?: boolean;
}

export function addStatusesCommands(group: Command): void {
  group
    .command('remove')
    .description('Delete old public remote posts that no local user needs. It may be stopped and started again')
    .option('--days <number>', 'minimum age in days', parseDays, 90)
    .option('--clean-followed', 'also posts of accounts that local users follow')
    .option('--dry-run', 'only count them')
    .option(...jsonOption)
    .action(remove);
}

async function remove({ days, cleanFollowed, dryRun, ...options }: RemoveOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const { removeOldStatuses } = await import('../../federation/retention/index.ts');
    const bar = createProgressBar(options);
    const progress = (share: number): void => bar.show('Removing posts', Math.min(share, 1));
    const result = await removeOldStatuses(app, 'system', { days, cleanFollowed, dryRun, progress }).finally(bar.end);
    print(options, result, () => [
      `${dryRun === true ? 'It would remove' : 'Removed'} ${result.removed} of ${result.examined} posts older than ${days} days.`,
    ]);
  });
}
