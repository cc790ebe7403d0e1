import type { Command } from 'commander';
import { exportAllows, exportBlocks, importAllows, importBlocks } from '../../moderation/servers/index.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { readTextFile } from './read-text-file.ts';

interface ExportOptions extends OutputOptions {
  readonly allows?: boolean;
}

interface ImportCommandOptions extends ExportOptions {
  readonly dryRun?: boolean;
  readonly weaken?: boolean;
}

/** Adds `import` and `export` to the commands for domains. */
export function addDomainListCommands(group: Command): void {
  group
    .command('export')
    .description('Print the blocked servers as CSV, in the format of Mastodon')
    .option('--allows', 'print the allowed servers')
    .option(...jsonOption)
    .action(exportList);
  group
    .command('import <file>')
    .description('Block the servers of a CSV file in the format of Mastodon')
    .option('--allows', 'allow the servers of the file')
    .option('--dry-run', 'only show what would change, and the follows that would be lost')
    .option('--weaken', 'also weaken blocks that are stricter than the file')
    .option(...jsonOption)
    .action(importList);
}

async function exportList({ allows, ...options }: ExportOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
    const csv = await (allows === true ? exportAllows(app) : exportBlocks(app));
    print(options, { csv }, () => [csv.trimEnd()]);
  });
}

async function importList(file: string, { allows, dryRun, weaken, ...options }: ImportCommandOptions): Promise<void> {
  const csv = await readTextFile(options, file);
  await withCommandApp(options, async (app) => {
    if (allows === true) {
      const result = await importAllows(app, 'system', { csv, dryRun });
      print(options, result, () => describe(result, dryRun, result.domains));
      return;
    }
    const result = await importBlocks(app, 'system', { csv, dryRun, weaken });
    const changed = result.blocks.filter(({ change }) => change !== 'none');
    print(options, result, () =>
      describe(
        result,
        dryRun,
        changed.map(({ domain, change, listed, existing, lost_following, lost_followers }) => ({
          domain,
          change,
          severity: listed.severity,
          before: existing?.severity ?? null,
          lost_following,
          lost_followers,
        })),
      ),
    );
  });
}

function describe(
  { applied, rejected }: { applied: number; rejected: readonly { line: number; domain: string; error: string }[] },
  dryRun: boolean | undefined,
  rows: readonly Record<string, unknown>[],
): string[] {
  return [
    ...(rows.length === 0 ? [] : formatTable(rows)),
    ...rejected.map(({ line, domain, error }) => `Line ${line} is skipped: ${domain} (${error})`),
    dryRun === true ? 'Nothing was changed.' : `${applied} changed.`,
  ];
}
