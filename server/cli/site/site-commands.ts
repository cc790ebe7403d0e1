import { Argument, type Command } from 'commander';
import { changeSettings } from '../../instance/settings/index.ts';
import { siteSettings, type SiteSettingsChanges } from '../../site/index.ts';
import { listTermsOfService, publishTermsOfService } from '../../site/terms/index.ts';
import { CliError } from '../cli-error.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { jsonOption, print, type OutputOptions } from '../output.ts';
import { addSiteImageCommands } from './site-image-commands.ts';
import { parseDay } from '../parse-options.ts';
import { readTextFile } from './read-text-file.ts';

type SettingKey = keyof SiteSettingsChanges;

/** Settings by their names on the command line. */
const settingsByOption: Readonly<
  Record<string, { readonly name: SettingKey; readonly kind: 'text' | 'boolean' | 'list' | 'number' }>
> = {
  title: { name: 'title', kind: 'text' },
  description: { name: 'description', kind: 'text' },
  'extended-description': { name: 'extendedDescription', kind: 'text' },
  'privacy-policy': { name: 'privacyPolicy', kind: 'text' },
  'contact-email': { name: 'contactEmail', kind: 'text' },
  'contact-username': { name: 'contactUsername', kind: 'text' },
  'sign-up-proof-of-work': { name: 'signUpProofOfWork', kind: 'text' },
  'registrations-message': { name: 'registrationsMessage', kind: 'text' },
  languages: { name: 'languages', kind: 'list' },
  'default-language': { name: 'defaultLanguage', kind: 'text' },
  'suggested-accounts': { name: 'suggestedAccounts', kind: 'list' },
  'show-trends': { name: 'showTrends', kind: 'boolean' },
  'annual-reports': { name: 'annualReports', kind: 'boolean' },
  'email-subscriptions': { name: 'emailSubscriptions', kind: 'boolean' },
  'show-peers': { name: 'showPeers', kind: 'boolean' },
  'show-activity': { name: 'showActivity', kind: 'boolean' },
  'show-domain-blocks': { name: 'showDomainBlocks', kind: 'text' },
  'show-domain-block-reasons': { name: 'showDomainBlockReasons', kind: 'text' },
  'local-live-feed-access': { name: 'localLiveFeedAccess', kind: 'text' },
  'remote-live-feed-access': { name: 'remoteLiveFeedAccess', kind: 'text' },
  'local-topic-feed-access': { name: 'localTopicFeedAccess', kind: 'text' },
  'remote-topic-feed-access': { name: 'remoteTopicFeedAccess', kind: 'text' },
  'remote-post-retention-days': { name: 'remotePostRetentionDays', kind: 'number' },
  'remote-edit-retention-days': { name: 'remoteEditRetentionDays', kind: 'number' },
  'remote-media-retention-days': { name: 'remoteMediaRetentionDays', kind: 'number' },
  'notification-retention-days': { name: 'notificationRetentionDays', kind: 'number' },
  'custom-css': { name: 'customCss', kind: 'text' },
  'source-url': { name: 'sourceUrl', kind: 'text' },
};
const nameArgument = (): Argument =>
  new Argument('<name>', 'name of a setting: see site show').choices(Object.keys(settingsByOption));

interface SetOptions extends OutputOptions {
  readonly file?: string;
}

export function addSiteCommands(group: Command): void {
  group
    .command('show')
    .description('Show all settings and texts')
    .option(...jsonOption)
    .action(show);
  group
    .command('set')
    .description(
      'Change a setting or text. Long texts are HTML, custom-css is a stylesheet; languages and accounts are separated by commas',
    )
    .addArgument(nameArgument())
    .argument('[value]', 'the new value')
    .option('--file <path>', 'read the value from a file')
    .option(...jsonOption)
    .action(set);
  group
    .command('reset')
    .description('Reset a setting or text to its default')
    .addArgument(nameArgument())
    .option(...jsonOption)
    .action((name: string, options: OutputOptions) => change(name, null, options));
  addSiteImageCommands(group);
  group
    .command('terms <file>')
    .description('Publish the terms of service from an HTML file')
    .option('--effective <date>', 'first day on which they apply, such as 2026-12-31; today by default', parseDay)
    .option(...jsonOption)
    .action(publish);
}

async function show(options: OutputOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
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
    throw new CliError('Pass either a value or --file.');
  }
  const text = options.file === undefined ? (value ?? '') : await readTextFile(options, options.file);
  await change(name, text, options);
}

/** Changes a setting; null resets it to the default. */
async function change(written: string, text: string | null, options: OutputOptions): Promise<void> {
  const setting = settingsByOption[written];
  if (setting === undefined) throw new CliError(`Unknown setting: ${written}`);
  await withCommandApp(options, async (app) => {
    const value = text === null ? null : parseSettingValue(setting.kind, text);
    await changeSettings(app, 'system', { [setting.name]: value });
    const current = (await siteSettings(app))[setting.name];
    print(options, { [setting.name]: current }, () => [`${written}: ${formatSettingValue(current)}`]);
  });
}

function parseSettingValue(kind: 'text' | 'boolean' | 'list' | 'number', text: string): unknown {
  if (kind === 'text') return text.trim();
  if (kind === 'number') {
    if (/^\d+$/.test(text.trim())) return Number(text);
    throw new CliError(`The value must be a whole number, not ${text}.`);
  }
  if (kind === 'list') return text.split(/[\s,]+/).filter((code) => code !== '');
  if (/^(?:on|true|yes)$/i.test(text.trim())) return true;
  if (/^(?:off|false|no)$/i.test(text.trim())) return false;
  throw new CliError(`The value must be on or off, not ${text}.`);
}

async function publish(file: string, options: OutputOptions & { effective?: string }): Promise<void> {
  const content = await readTextFile(options, file);
  await withCommandApp(options, async (app) => {
    const effectiveDate = await publishTermsOfService(app, 'system', { content, effectiveDate: options.effective });
    print(options, { effective_date: effectiveDate }, () => [`The terms of service apply from ${effectiveDate} on.`]);
  });
}
