import { Option, type Command } from 'commander';
import {
  allowDomain,
  blockDomain,
  disallowDomain,
  listAllowedDomains,
  listBlockedDomains,
  unblockDomain,
  type DomainBlockChanges,
} from '../../site/domains/index.ts';
import { jsonOption, print, formatTable, type OutputOptions } from '../output.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { addDomainDataCommands } from '../operate/domain-data-commands.ts';
import { addDomainListCommands } from './domain-list-commands.ts';

interface BlockOptions extends OutputOptions {
  readonly severity?: NonNullable<DomainBlockChanges['severity']>;
  readonly rejectMedia?: boolean;
  readonly rejectReports?: boolean;
  readonly obfuscate?: boolean;
  readonly privateComment?: string;
  readonly publicComment?: string;
}

export function addDomainCommands(group: Command): void {
  group
    .command('block <domain>')
    .description('Limit or block a server and its subdomains, or change its block')
    .addOption(
      new Option(
        '--severity <severity>',
        'silence: hide its accounts from everyone but their followers (default); suspend: exchange nothing; noop: only the other options apply',
      ).choices(['silence', 'suspend', 'noop']),
    )
    .option('--reject-media', 'do not show its images, videos and audio')
    .option('--no-reject-media', 'show them again')
    .option('--reject-reports', 'ignore its reports')
    .option('--no-reject-reports', 'accept them again')
    .option('--obfuscate', 'mask the domain in the public list of blocks')
    .option('--no-obfuscate', 'show the full domain again')
    .option('--private-comment <text>', 'note for staff; empty to remove it')
    .option('--public-comment <text>', 'public reason; empty to remove it')
    .option(...jsonOption)
    .action(block);
  addDomainAction(group, 'unblock', 'Remove the block of a server and undo its effects', {
    run: unblockDomain,
    changedMessage: (domain) => `${domain} is no longer blocked.`,
    unchangedMessage: (domain) => `${domain} was not blocked.`,
  });
  addDomainAction(group, 'allow', 'Allow a server to federate when LIMITED_FEDERATION is on', {
    run: async (...args) => (await allowDomain(...args)) !== undefined,
    changedMessage: (domain) => `${domain} is allowed.`,
    unchangedMessage: (domain) => `${domain} is allowed.`,
  });
  addDomainAction(group, 'disallow', 'Remove a server from the allowed ones', {
    run: disallowDomain,
    changedMessage: (domain) => `${domain} is no longer allowed.`,
    unchangedMessage: (domain) => `${domain} was not allowed.`,
  });
  group
    .command('list')
    .description('List the blocked and the allowed servers')
    .option(...jsonOption)
    .action(list);
  addDomainListCommands(group);
  addDomainDataCommands(group);
}

async function block(domain: string, options: BlockOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const changed = await blockDomain(app, 'system', { ...options, domain });
    print(options, changed, () => [`${changed.domain} is blocked (${changed.severity}).`]);
  });
}

interface DomainAction {
  /** Returns whether anything changed. */
  readonly run: typeof unblockDomain;
  readonly changedMessage: (domain: string) => string;
  readonly unchangedMessage: (domain: string) => string;
}

function addDomainAction(
  group: Command,
  name: string,
  description: string,
  { run, changedMessage, unchangedMessage }: DomainAction,
): void {
  group
    .command(`${name} <domain>`)
    .description(description)
    .option(...jsonOption)
    .action(async (domain: string, options: OutputOptions) => {
      await withCommandApp(options, async (app) => {
        const changed = await run(app, 'system', domain);
        print(options, { domain, changed }, () => [changed ? changedMessage(domain) : unchangedMessage(domain)]);
      });
    });
}

const toBlockRow = (block: Awaited<ReturnType<typeof listBlockedDomains>>[number]) => ({
  domain: block.domain,
  severity: block.severity,
  reject_media: block.reject_media,
  reject_reports: block.reject_reports,
  public_comment: block.public_comment,
  private_comment: block.private_comment,
});

async function list(options: OutputOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
    const [blocks, allows] = await Promise.all([listBlockedDomains(app), listAllowedDomains(app)]);
    print(options, { blocks, allows }, () => [
      ...(blocks.length === 0 ? ['No server is blocked.'] : formatTable(blocks.map(toBlockRow))),
      ...(allows.length === 0 ? [] : ['', 'Allowed in limited federation mode:']),
      ...allows.map(({ domain }) => domain),
    ]);
  });
}
