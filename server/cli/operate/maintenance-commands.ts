import type { Command } from 'commander';
import { ExitError } from '../cli-error.ts';
import type { CheckResult } from '../../maintenance/index.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { withCommandApp } from '../open/command-app.ts';

interface CheckCommandOptions extends OutputOptions {
  readonly dryRun?: boolean;
  readonly reindex?: boolean;
}

export function addMaintenanceCommands(group: Command): void {
  group
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
  const { runChecks } = await import('../../maintenance/index.ts');
  const { stderr } = options.shell;
  let page = 0;
  let current = '';
  const onProgress = (name: string): void => {
    page = name === current ? page + 1 : 1;
    current = name;
    if (stderr.isTTY === true) stderr.write(`\r\u001B[K${name}: page ${page}`);
  };
  const results = await withCommandApp(options, (app) =>
    runChecks(app, 'system', { dryRun, reindex, onProgress }),
  ).finally(() => {
    if (stderr.isTTY === true) stderr.write('\r\u001B[K');
  });
  print(options, results, () => formatTable(results.map(toRow)));
  if (results.some(({ found, repaired }) => repaired < found)) throw new ExitError(1);
}

const toRow = ({ description, found, repaired, examples, skipped }: CheckResult): Record<string, unknown> => ({
  checked: description,
  wrong: found,
  repaired,
  examples: examples.slice(0, 3).join(' ') || '-',
  skipped: skipped.join(' ') || '-',
});
