import type { Command } from 'commander';
import { runChecks, type CheckResult } from '../../maintenance/index.ts';
import { commandConfig } from '../command-config.ts';
import { withApp } from '../open/open-app.ts';
import { commandLog, formatTable, jsonOption, print, type OutputOptions } from '../output.ts';

interface CheckCommandOptions extends OutputOptions {
  readonly dryRun?: boolean;
  readonly reindex?: boolean;
}

export function addMaintenanceCommands(program: Command): void {
  program
    .command('maintenance')
    .description('Find and repair data that contradicts other data')
    .command('check')
    .description(
      'Count posts, followers and reactions again, find entries of lost posts, and repair them; find missing files and broken unique indexes',
    )
    .option('--dry-run', 'repair nothing')
    .option('--reindex', 'also rebuild broken unique indexes, while the server runs')
    .option(...jsonOption)
    .action(check);
}

async function check({ dryRun = false, reindex = false, ...options }: CheckCommandOptions): Promise<void> {
  let page = 0;
  let current = '';
  const onProgress = (name: string): void => {
    page = name === current ? page + 1 : 1;
    current = name;
    if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${name}: page ${page}`);
  };
  const results = await withApp(commandConfig(), commandLog(), (app) =>
    runChecks(app, 'system', { dryRun, reindex, onProgress }),
  ).finally(() => {
    if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
  });
  print(options, results, () => formatTable(results.map(toRow)));
  process.exitCode = results.some(({ found, repaired }) => repaired < found) ? 1 : 0;
}

const toRow = ({ description, found, repaired, examples, skipped }: CheckResult): Record<string, unknown> => ({
  checked: description,
  wrong: found,
  repaired,
  examples: examples.slice(0, 3).join(' ') || '-',
  skipped: skipped.join(' ') || '-',
});
