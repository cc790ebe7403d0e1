import type { Command } from 'commander';
import type { App } from '../../platform/app.ts';
import type { FeedOwner } from '../../timelines/index.ts';
import { loadTargetAccount } from '../account/load-target-account.ts';
import { CliError } from '../cli-error.ts';
import { withCommandApp } from '../open/command-app.ts';
import { jsonOption, printEach, type OneResult, type OutputOptions } from '../output.ts';
import { createProgressBar } from '../progress-bar.ts';

interface RebuildOptions extends OutputOptions {
  readonly all?: boolean;
  readonly dryRun?: boolean;
}

export function addFeedsCommands(group: Command): void {
  group
    .command('rebuild [names...]')
    .description('Build the stored timelines of users again. It may be stopped and started again')
    .option('--all', 'those of all users')
    .option('--dry-run', 'only count them')
    .option(...jsonOption)
    .action(rebuild);
}

async function rebuild(
  names: readonly string[],
  { all = false, dryRun = false, ...options }: RebuildOptions,
): Promise<void> {
  if (all === names.length > 0) throw new CliError('Pass either names of users or --all.');
  await withCommandApp(options, async (app) => {
    const owners: (FeedOwner | undefined)[] = all ? [undefined] : [];
    for (const name of names) owners.push(await loadTargetAccount(app, name, false));
    await printEach(options, owners, (owner) => rebuildOf(app, owner, { ...options, dryRun }));
  });
}

async function rebuildOf(app: App, owner: FeedOwner | undefined, options: RebuildOptions): Promise<OneResult> {
  const { countStoredFeeds, rebuildStoredFeeds } = await import('../../timelines/index.ts');
  const total = await countStoredFeeds(app, owner);
  const who = owner === undefined ? 'All users' : `@${owner.acct}`;
  if (options.dryRun === true)
    return { value: { feeds: total, rebuilt: 0 }, text: [`${who}: ${total} stored timelines.`] };
  const bar = createProgressBar(options);
  const progress = (rebuilt: number): void => bar.show('Rebuilding timelines', Math.min(rebuilt / total, 1));
  const rebuilt = await rebuildStoredFeeds(app, 'system', { owner, progress }).finally(bar.end);
  return {
    value: { feeds: total, rebuilt },
    text: [`${who}: ${rebuilt} timelines were rebuilt. Others are built when they are read.`],
  };
}
