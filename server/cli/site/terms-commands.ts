import type { Command } from 'commander';
import type { App } from '../../platform/app.ts';
import {
  announceTermsOfService,
  discardTermsDraft,
  findTermsDraft,
  listTermsOfService,
  publishTermsDraft,
  saveTermsDraft,
} from '../../site/terms/index.ts';
import { CliError, isNotFound } from '../cli-error.ts';
import { withCommandApp } from '../open/command-app.ts';
import { jsonOption, print, type OutputOptions } from '../output.ts';
import { parseDay } from '../parse-options.ts';
import { readTextFile } from './read-text-file.ts';

interface DraftOptions extends OutputOptions {
  readonly changelog?: string;
  readonly effective?: string;
}

interface PublishOptions extends OutputOptions {
  readonly effective?: string;
  readonly notify?: boolean;
}

const effectiveOption = ['--effective <date>', 'first day on which they apply, such as 2026-12-31', parseDay] as const;

export function addTermsCommands(group: Command): void {
  group
    .command('draft <file>')
    .description('Store an HTML file as the draft of the next version, in place of the last draft')
    .option('--changelog <path>', 'text file with a summary of the changes')
    .option(...effectiveOption)
    .option(...jsonOption)
    .action(draft);
  group
    .command('show')
    .description('Show the draft and the published versions')
    .option(...jsonOption)
    .action((options: OutputOptions) => run(options, async () => []));
  group
    .command('publish')
    .description('Publish the draft; it applies from its day on, or else today')
    .option(...effectiveOption)
    .option('--notify', 'mail it to all users who were active in the last year')
    .option(...jsonOption)
    .action(publish);
  group
    .command('notify')
    .argument('[date]', 'first day of the version, such as 2026-12-31', parseDay)
    .description('Mail a published version, by default the newest, to all users who were active in the last year')
    .option(...jsonOption)
    .action(notify);
  group
    .command('discard')
    .description('Delete the draft')
    .option(...jsonOption)
    .action((options: OutputOptions) =>
      run(options, async (app) => {
        await discardTermsDraft(app, 'system').catch(rethrowMissing('There is no draft.'));
        return ['The draft was deleted.'];
      }),
    );
}

async function draft(file: string, { changelog, effective, ...options }: DraftOptions): Promise<void> {
  const content = await readTextFile(options, file);
  const changes = changelog === undefined ? undefined : await readTextFile(options, changelog);
  await run(options, async (app) => {
    await saveTermsDraft(app, 'system', { content, changelog: changes, effectiveDate: effective });
    return ['The draft was stored. Publish it with: terms publish'];
  });
}

function publish({ effective, notify: notifies, ...options }: PublishOptions): Promise<void> {
  return run(options, async (app) => {
    const date = await publishTermsDraft(app, 'system', effective).catch(rethrowMissing('There is no draft.'));
    if (notifies === true) await announceTermsOfService(app, 'system', date);
    return [
      `The terms of service apply from ${date} on.`,
      notifies === true ? 'Users are being notified by mail.' : 'Notify users by mail with: terms notify',
    ];
  });
}

function notify(date: string | undefined, options: OutputOptions): Promise<void> {
  return run(options, async (app) => {
    const chosen = date ?? (await listTermsOfService(app)).at(-1)?.effectiveDate;
    if (chosen === undefined) throw new CliError('There are no terms of service.');
    await announceTermsOfService(app, 'system', chosen).catch(rethrowMissing(`There is no version of ${chosen}.`));
    return ['Users are being notified by mail.'];
  });
}

/** Runs a change, then prints its message, or as JSON the draft and all versions. */
async function run(options: OutputOptions, change: (app: App) => Promise<string[]>): Promise<void> {
  await withCommandApp(options, async (app) => {
    const message = await change(app);
    const stored = await findTermsDraft(app);
    const versions = await listTermsOfService(app);
    print(options, { draft: stored ?? null, versions }, () => [
      ...message,
      ...(stored === undefined ? [] : [`draft, from ${stored.effectiveDate ?? 'the day of its publication'} on`]),
      ...versions.map(
        ({ effectiveDate, isAnnounced }) => `from ${effectiveDate} on${isAnnounced ? ', users were notified' : ''}`,
      ),
    ]);
  });
}

const rethrowMissing =
  (message: string) =>
  (error: unknown): never => {
    if (isNotFound(error)) throw new CliError(message);
    throw error;
  };
