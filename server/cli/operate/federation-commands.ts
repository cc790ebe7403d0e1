import type { Command } from 'commander';
import { normalizeDomain } from '../../accounts/find/index.ts';
import {
  countQueues,
  deleteHostQueue,
  findHost,
  listFailingHosts,
  pauseHost,
  resumePausedHost,
  retryHost,
  type ListedHost,
} from '../../federation/hosts/index.ts';
import type { App } from '../../platform/app.ts';
import { CliError } from '../cli-error.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { parseLimit } from '../parse-options.ts';
import { createProgressBar } from '../progress-bar.ts';

interface StatusOptions extends OutputOptions {
  readonly after?: string;
  readonly limit: number;
}

interface QueueOptions extends OutputOptions {
  readonly dryRun?: boolean;
}

export function addFederationCommands(group: Command): void {
  group
    .command('status [host]')
    .description('Count waiting activities, and list the servers to which deliveries fail; or show one server')
    .option('--after <host>', 'only servers after this one')
    .option('--limit <number>', 'maximum number of servers', parseLimit, 100)
    .option(...jsonOption)
    .action(showStatus);
  group
    .command('retry <host>')
    .description('Deliver to a server now, and process activities from it again that failed')
    .option('--dry-run', 'only show its state')
    .option(...jsonOption)
    .action((host: string, options: QueueOptions) => change(host, options, { run: retryHost, done: 'due now' }));
  group
    .command('pause <host>')
    .description('Stop deliveries to a server; they stay stored for a week')
    .option(...jsonOption)
    .action((host: string, options: OutputOptions) => changePause(host, options, pause));
  group
    .command('resume <host>')
    .description('Deliver to a paused server again, oldest first')
    .option(...jsonOption)
    .action((host: string, options: OutputOptions) => changePause(host, options, resume));
  group
    .command('delete <host>')
    .description('Delete the deliveries to a server, and activities from it that failed')
    .option('--dry-run', 'only show its state')
    .option(...jsonOption)
    .action((host: string, options: QueueOptions) => change(host, options, { run: deleteHostQueue, done: 'deleted' }));
}

async function showStatus(host: string | undefined, { after, limit, ...options }: StatusOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
    if (host !== undefined) return printHost(options, await requireHost(app, host));
    const [queues, hosts] = await Promise.all([countQueues(app), listFailingHosts(app, { after, limit })]);
    print(options, { queues, hosts }, () => [
      ...(queues.length === 0 ? ['No activities wait.'] : formatTable(queues.map((queue) => ({ ...queue })))),
      '',
      ...(hosts.length === 0 ? ['Deliveries to no server fail.'] : formatTable(hosts.map(toRow))),
    ]);
  });
}

const toRow = ({ domain, deliveries, last_error, ...host }: ListedHost) => ({
  host: domain,
  failures: host.failures,
  failing_since: host.failing_since,
  next_attempt: host.unavailable_until,
  paused: host.paused_at,
  dead: host.dead,
  deliveries,
  last_error: last_error?.split('\n', 1)[0]?.slice(0, 80),
});

function printHost(options: OutputOptions, host: ListedHost): void {
  print(options, host, () => formatTable(Object.entries(host).map(([property, value]) => ({ property, value }))));
}

async function requireHost(app: App, text: string): Promise<ListedHost> {
  const host = await findHost(app, normalizeDomain(text) ?? text);
  if (host === undefined) throw new CliError(`Unknown server: ${text}`);
  return host;
}

async function change(
  text: string,
  { dryRun = false, ...options }: QueueOptions,
  { run, done }: { readonly run: typeof retryHost; readonly done: string },
): Promise<void> {
  await withCommandApp(options, async (app) => {
    const host = await requireHost(app, text);
    if (dryRun) return printHost(options, host);
    const total = Math.max(host.deliveries + host.failed_received, 1);
    const bar = createProgressBar(options);
    const progress = (changed: number): void => bar.show('Activities', Math.min(changed / total, 1));
    const changed = await run(app, 'system', { host: host.domain, progress }).finally(bar.end);
    print(options, { host: host.domain, ...changed }, () => [
      `${host.domain}: ${changed.deliveries} deliveries and ${changed.received} received activities are ${done}.`,
    ]);
  });
}

type PauseChange = (app: App, text: string) => Promise<string>;

const pause: PauseChange = (app, text) => pauseHost(app, 'system', normalizeDomain(text) ?? text);

const resume: PauseChange = async (app, text) => {
  const { domain } = await requireHost(app, text);
  await resumePausedHost(app, 'system', domain);
  return domain;
};

async function changePause(text: string, options: OutputOptions, run: PauseChange): Promise<void> {
  await withCommandApp(options, async (app) => {
    const host = await requireHost(app, await run(app, text));
    print(options, host, () => [
      host.paused_at === null
        ? `${host.domain}: ${host.deliveries} deliveries are due.`
        : `${host.domain}: deliveries are paused, ${host.deliveries} wait. They are deleted when they are a week old.`,
    ]);
  });
}
