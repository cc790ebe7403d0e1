import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { App } from '../../platform/app.ts';
import type { FinishedImport, PlannedImport, ServerImport } from '../../server-imports/index.ts';
import { CliError, ExitError } from '../cli-error.ts';
import { withCommandApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { createProgressBar } from '../progress-bar.ts';

interface ImportOptions extends OutputOptions {
  readonly database: string;
  readonly media?: string;
  readonly remote: 'all' | 'needed';
  readonly dryRun?: boolean;
}

interface MastodonOptions extends ImportOptions {
  readonly env: string;
}

export function addImportCommands(group: Command): void {
  const mastodon = group
    .command('mastodon')
    .description(
      'Import a Mastodon (4.2 or newer) of the same domain into an empty database, while both servers are stopped. Run it again to take only what changed: docs/migration.md',
    )
    .requiredOption('--database <url>', 'address of its PostgreSQL, which is only read')
    .requiredOption('--env <file>', 'its .env.production')
    .option('--media <folder>', 'its public/system. Default: the files are where MEDIA or S3_BUCKET has them')
    .action(importMastodon);
  const gotosocial = group
    .command('gotosocial')
    .description(
      'Import a GoToSocial (0.17 or newer) of the same host into an empty database, while both servers are stopped. Run it again to take only what changed: docs/migration.md',
    )
    .requiredOption(
      '--database <file or url>',
      'its file of SQLite, or the address of its PostgreSQL, which is only read',
    )
    .option('--media <folder>', 'its storage-local-base-path. Default: the files are where MEDIA or S3_BUCKET has them')
    .action(importGotosocial);
  for (const command of [mastodon, gotosocial]) addCommonOptions(command);
}

function addCommonOptions(command: Command): void {
  command
    .addOption(
      new Option('--remote <posts>', 'remote posts: all, or those that local accounts have to do with')
        .choices(['all', 'needed'])
        .default('all'),
    )
    .option('--dry-run', 'only show what is taken and what is not')
    .option(...jsonOption);
}

async function importMastodon({ env, ...options }: MastodonOptions): Promise<void> {
  const { openMastodonImport, readMastodonEnvironment } = await import('../../server-imports/index.ts');
  const environment = await readMastodonEnvironment(resolve(options.shell.cwd, env));
  await importServer(options, (app, { database, remote, mediaFolder }) =>
    openMastodonImport(app, { databaseUrl: database, environment, remote, mediaFolder }),
  );
}

async function importGotosocial(options: ImportOptions): Promise<void> {
  const { isDatabaseUrl, openGotosocialImport } = await import('../../server-imports/index.ts');
  await importServer(options, (app, { database, remote, mediaFolder, onProgress }) => {
    const path = isDatabaseUrl(database) ? database : resolve(options.shell.cwd, database);
    return openGotosocialImport(app, { database: path, remote, mediaFolder }, onProgress);
  });
}

type OpenImport = (
  app: App,
  options: {
    readonly database: string;
    readonly remote: 'all' | 'needed';
    readonly mediaFolder: string | undefined;
    readonly onProgress: (step: string, share: number) => void;
  },
) => Promise<ServerImport>;

async function importServer(
  { database, media, remote, dryRun = false, ...options }: ImportOptions,
  open: OpenImport,
): Promise<void> {
  const mediaFolder = media === undefined ? undefined : requireFolder(resolve(options.shell.cwd, media));
  const bar = createProgressBar(options);
  const { planned, finished } = await withCommandApp(options, async (app) => {
    await using opened = await open(app, { database, remote, mediaFolder, onProgress: bar.show });
    const plan = await opened.plan(bar.show);
    bar.end();
    if (options.json !== true) for (const line of describePlan(plan)) options.shell.console.log(line);
    return { planned: plan, finished: dryRun ? undefined : await opened.run(plan, bar.show) };
  }).finally(bar.end);
  print(options, toJson(planned, finished), () =>
    finished === undefined ? ['Nothing was written.'] : describeResult(finished),
  );
  if (finished !== undefined && !isComplete(finished)) throw new ExitError(1);
}

function requireFolder(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new CliError(`--media: ${path} is no folder. Files in a bucket stay there: docs/migration.md.`);
  return path;
}

function describePlan({ tables, losses }: PlannedImport): string[] {
  const rows = tables
    .filter(({ total }) => total > 0)
    .map(({ table, total, taken, leftOut }) => ({
      what: table.name,
      rows: total,
      taken,
      'not taken': leftOut.map(({ reason, count }) => `${count} ${reason}`).join('; ') || '-',
    }));
  const lost = losses.map(({ from, count, reason }) => ({ 'not imported': from, rows: count, why: reason }));
  return [...formatTable(rows), '', ...(lost.length === 0 ? [] : [...formatTable(lost), ''])];
}

function describeResult({ isLater, deleted, refused, examples, verified, files }: FinishedImport): string[] {
  const wrong = verified.filter(({ sampled, equal }) => equal < sampled);
  const other = verified.filter(({ expected, total }) => total !== expected);
  return [
    isLater ? `Took what changed, and deleted ${deleted} rows that the source no longer has.` : 'Imported.',
    ...(refused === 0 ? [] : [`The database refused ${refused} rows:`]),
    ...examples.map(({ step, row, reason }) => `  ${step} ${JSON.stringify(row)}: ${reason}`),
    ...wrong.map(
      ({ name, sampled, stored, equal }) =>
        `${name}: of ${sampled} sampled rows, ${stored} are stored and ${equal} are the same.`,
    ),
    ...other.map(({ name, expected, total }) =>
      total < expected
        ? `${name}: ${total} of ${expected} rows are stored. The others belong to what was not taken.`
        : `${name}: ${total} rows are stored, ${total - expected} more than the source has by now.`,
    ),
    ...(files === undefined
      ? []
      : [`Files: ${files.copied} copied, ${files.present} were there, ${files.missingCount} are missing.`]),
    ...(files?.missing ?? []).map((key) => `  missing: ${key}`),
    'Next: fieldfare maintenance check, fieldfare search reindex, then start the server.',
  ];
}

const isComplete = ({ refused, verified }: FinishedImport): boolean =>
  refused === 0 && verified.every(({ sampled, equal }) => equal === sampled);

const toJson = ({ tables, losses }: PlannedImport, finished: FinishedImport | undefined): unknown => ({
  tables: tables.map(({ table, total, taken, leftOut }) => ({ name: table.name, total, taken, left_out: leftOut })),
  not_imported: losses,
  result: finished ?? null,
});
