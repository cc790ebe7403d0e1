import { readFile } from 'node:fs/promises';
import { Argument, type Command } from 'commander';
import { findLocalAccount } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import {
  changeSiteSettings,
  listTermsOfService,
  publishTermsOfService,
  siteSettings,
  type SiteSettingsChanges,
} from '../site/index.ts';
import { CliError } from './cli-error.ts';
import { withApp } from './open-app.ts';
import { commandLog, jsonOption, print, type OutputOptions } from './output.ts';
import { commandConfig } from './command-config.ts';

type SettingKey = keyof SiteSettingsChanges;

/** Settings by the names that people type, with how their values are written. */
const settingsByOption: Readonly<
  Record<string, { readonly name: SettingKey; readonly kind: 'text' | 'boolean' | 'list' }>
> = {
  title: { name: 'title', kind: 'text' },
  description: { name: 'description', kind: 'text' },
  'extended-description': { name: 'extendedDescription', kind: 'text' },
  'privacy-policy': { name: 'privacyPolicy', kind: 'text' },
  'contact-email': { name: 'contactEmail', kind: 'text' },
  'contact-username': { name: 'contactUsername', kind: 'text' },
  'registrations-message': { name: 'registrationsMessage', kind: 'text' },
  languages: { name: 'languages', kind: 'list' },
  'show-peers': { name: 'showPeers', kind: 'boolean' },
  'show-activity': { name: 'showActivity', kind: 'boolean' },
  'show-domain-blocks': { name: 'showDomainBlocks', kind: 'text' },
  'show-domain-block-reasons': { name: 'showDomainBlockReasons', kind: 'text' },
  'source-url': { name: 'sourceUrl', kind: 'text' },
};
const nameArgument = (): Argument =>
  new Argument('<name>', 'one of the settings that site show lists').choices(Object.keys(settingsByOption));

interface SetOptions extends OutputOptions {
  readonly file?: string;
}

export function addSiteCommands(program: Command): void {
  const group = program.command('site').description('What the server says about itself');
  group
    .command('show')
    .description('Show the texts and settings that can be changed while the server runs')
    .option(...jsonOption)
    .action(show);
  group
    .command('set')
    .description('Change a text or setting. Long texts are HTML; languages are codes with commas between them')
    .addArgument(nameArgument())
    .argument('[value]', 'the new value')
    .option('--file <path>', 'read the value from a file')
    .option(...jsonOption)
    .action(set);
  group
    .command('reset')
    .description('Go back to the default of a text or setting')
    .addArgument(nameArgument())
    .option(...jsonOption)
    .action((name: string, options: OutputOptions) => change(name, null, options));
  group
    .command('terms <file>')
    .description('Publish the terms of service from an HTML file')
    .option('--effective <date>', 'day from which they apply, such as 2026-12-31; today by default')
    .option(...jsonOption)
    .action(publish);
  program
    .command('registrations')
    .description('Choose who may sign up: anyone, those whom staff approve, or nobody')
    .addArgument(new Argument('<mode>', 'who may sign up').choices(['open', 'approval', 'closed']))
    .option('--message <html>', 'what to tell people while they cannot simply sign up')
    .option(...jsonOption)
    .action(changeRegistrations);
}

async function show(options: OutputOptions): Promise<void> {
  await withApp(commandConfig(), commandLog(), async (app) => {
    const current = await siteSettings(app);
    const terms = await listTermsOfService(app);
    const shown = Object.entries(settingsByOption).map(([written, { name }]) => [written, current[name]] as const);
    print(options, { ...current, termsOfService: terms }, () => [
      ...shown.map(([name, value]) => `${name.padEnd(26)} ${formatSettingValue(value)}`),
      `${'registrations'.padEnd(26)} ${current.registrations}`,
      ...terms.map(({ effectiveDate }) => `${'terms'.padEnd(26)} from ${effectiveDate} on`),
    ]);
  });
}

function formatSettingValue(value: unknown): string {
  const text = Array.isArray(value)
    ? value.join(',')
    : typeof value === 'boolean'
      ? value
        ? 'on'
        : 'off'
      : String(value);
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 100)}…` : line || '-';
}

async function set(name: string, value: string | undefined, options: SetOptions): Promise<void> {
  if ((value === undefined) === (options.file === undefined)) {
    throw new CliError('Give either a value or --file.');
  }
  const text = options.file === undefined ? (value ?? '') : await readTextFile(options.file);
  await change(name, text, options);
}

/** Sets a setting to what was typed; null goes back to the default. */
async function change(written: string, text: string | null, options: OutputOptions): Promise<void> {
  const setting = settingsByOption[written];
  if (setting === undefined) throw new CliError(`There is no setting ${written}.`);
  await withApp(commandConfig(), commandLog(), async (app) => {
    const value = text === null ? null : parseSettingValue(setting.kind, text);
    if (setting.name === 'contactUsername' && typeof value === 'string') await assertContactExists(app, value);
    await changeSiteSettings(app, 'system', { [setting.name]: value });
    const current = (await siteSettings(app))[setting.name];
    print(options, { [setting.name]: current }, () => [`${written}: ${formatSettingValue(current)}`]);
  });
}

function parseSettingValue(kind: 'text' | 'boolean' | 'list', text: string): unknown {
  if (kind === 'text') return text.trim().replace(/^@(?=\w+$)/, '');
  if (kind === 'list') return text.split(/[\s,]+/).filter((code) => code !== '');
  if (/^(?:on|true|yes)$/i.test(text.trim())) return true;
  if (/^(?:off|false|no)$/i.test(text.trim())) return false;
  throw new CliError(`The value must be on or off, not ${text}.`);
}

async function assertContactExists(app: App, username: string): Promise<void> {
  if (username !== '' && (await findLocalAccount(app, username)) === undefined) {
    throw new CliError(`There is no account ${username} on this server.`);
  }
}

async function changeRegistrations(
  mode: 'open' | 'approval' | 'closed',
  options: OutputOptions & { message?: string },
): Promise<void> {
  const { message } = options;
  await withApp(commandConfig(), commandLog(), async (app) => {
    await changeSiteSettings(app, 'system', {
      registrations: mode,
      ...(message !== undefined && { registrationsMessage: message }),
    });
    const sentences = {
      open: 'Anyone may sign up.',
      approval: 'Sign-ups wait for approval: see account list --pending.',
      closed: 'Nobody may sign up.',
    };
    print(options, { registrations: mode }, () => [sentences[mode]]);
  });
}

async function publish(file: string, options: OutputOptions & { effective?: string }): Promise<void> {
  const content = await readTextFile(file);
  await withApp(commandConfig(), commandLog(), async (app) => {
    const effectiveDate = await publishTermsOfService(app, 'system', { content, effectiveDate: options.effective });
    print(options, { effective_date: effectiveDate }, () => [`The terms of service apply from ${effectiveDate} on.`]);
  });
}

async function readTextFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CliError(`The file ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'}).`);
  }
}
