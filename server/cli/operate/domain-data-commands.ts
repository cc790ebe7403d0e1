import type { Command } from 'commander';
import type { CrawledServer } from '../../federation/hosts/index.ts';
import type { DomainData } from '../../federation/retention/index.ts';
import { CliError } from '../cli-error.ts';
import { withCommandApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { parseLimit } from '../parse-options.ts';
import { createProgressBar } from '../progress-bar.ts';
import { requireDomain } from '../require-domain.ts';

interface PurgeOptions extends OutputOptions {
  readonly subdomains?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

interface CrawlOptions extends OutputOptions {
  readonly limit: number;
  readonly excludeSuspended?: boolean;
}

/** Adds the commands that delete and explore the data of servers to the `domain` group. */
export function addDomainDataCommands(group: Command): void {
  group
    .command('purge <domain>')
    .description('Delete all accounts, posts and emojis of a server, by jobs. Block it first, or they will come back')
    .option('--subdomains', 'also those of its subdomains')
    .option('--dry-run', 'only count them')
    .option('--yes', 'confirm; this cannot be undone')
    .option(...jsonOption)
    .action(purge);
  group
    .command('crawl [start...]')
    .description('Ask servers, and those that they know, for their software and size. Starts with the known ones')
    .option('--limit <number>', 'maximum number of servers', parseLimit, 1_000)
    .option('--exclude-suspended', 'skip servers that are suspended here')
    .option(...jsonOption)
    .action(crawl);
}

async function purge(
  text: string,
  { subdomains = false, dryRun = false, yes, ...options }: PurgeOptions,
): Promise<void> {
  const domain = requireDomain(text);
  if (!dryRun && yes !== true)
    throw new CliError(`This cannot be undone. To confirm, add --yes: domain purge ${domain} --yes`);
  await withCommandApp(options, async (app) => {
    const { listDomainData, purgeDomain } = await import('../../federation/retention/index.ts');
    const data = await listDomainData(app, domain, subdomains);
    if (data.length === 0) throw new CliError(`Nothing is stored of ${domain}.`);
    const purged: (DomainData & { readonly queued: boolean })[] = [];
    for (const server of data)
      purged.push({ ...server, queued: !dryRun && (await purgeDomain(app, 'system', server.domain)) });
    print(options, purged, () => [
      ...formatTable(purged.map((server) => ({ ...server }))),
      ...(dryRun ? [] : ['The running server deletes them: see jobs list --name federation.delete_domain_data']),
    ]);
  });
}

async function crawl(
  texts: readonly string[],
  { limit, excludeSuspended = false, ...options }: CrawlOptions,
): Promise<void> {
  const given = texts.map(requireDomain);
  await withCommandApp(options, async (app) => {
    const { listKnownDomains } = await import('../../accounts/remote/index.ts');
    const { crawlDomains } = await import('../../federation/hosts/index.ts');
    const start = given.length > 0 ? given : await listKnownDomains(app);
    const servers: CrawledServer[] = [];
    const bar = createProgressBar(options);
    await crawlDomains(app, {
      start,
      limit,
      excludeSuspended,
      onServer(server, known) {
        servers.push(server);
        bar.show('Asking servers', servers.length / known);
      },
    }).finally(bar.end);
    print(options, servers, () => summarize(servers));
  });
}

/** Counts servers and users by software. */
function summarize(servers: readonly CrawledServer[]): string[] {
  const answered = servers.filter(({ error }) => error === null);
  const rows = [...Map.groupBy(answered, ({ software }) => software ?? 'unknown')]
    .map(([software, group]) => ({
      software,
      servers: group.length,
      users: group.reduce((sum, { users }) => sum + (users ?? 0), 0),
    }))
    .toSorted((a, b) => b.servers - a.servers);
  return [...(rows.length === 0 ? [] : formatTable(rows)), `${answered.length} of ${servers.length} servers answered.`];
}
