import type { Command } from 'commander';
import type { RetentionResult } from '../../federation/retention/index.ts';
import { withCommandApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';

export function addRetentionCommand(command: Command): void {
  command
    .option('--dry-run', 'only count what the settings delete')
    .option(...jsonOption)
    .action(apply);
}

/** What the setting of each kind deletes. */
const descriptions: Readonly<Record<RetentionResult['kind'], string>> = {
  posts: 'remote posts that no local user needs',
  edits: 'histories of edited remote posts',
  files: 'remote files in the cache of this machine',
  notifications: 'notifications',
};

async function apply({ dryRun = false, ...options }: OutputOptions & { readonly dryRun?: boolean }): Promise<void> {
  await withCommandApp(options, async (app) => {
    const { applyRetentionNow } = await import('../../federation/retention/index.ts');
    const results = await applyRetentionNow(app, { dryRun });
    print(options, results, () =>
      formatTable(
        results.map(({ kind, days, removed }) => ({
          what: descriptions[kind],
          'older than': days === 0 ? 'retained' : `${days} days`,
          [dryRun ? 'would delete' : 'deleted']: removed,
        })),
      ),
    );
  });
}
