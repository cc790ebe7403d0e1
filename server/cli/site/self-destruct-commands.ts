import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { SelfDestructStatus } from '../../instance/self-destruct/index.ts';
import type { App } from '../../platform/app.ts';
import { CliError } from '../cli-error.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { ask } from '../confirm.ts';
import { commandConfig } from '../command-config.ts';
import type { Shell } from '../shell.ts';
import { jsonOption, print, type OutputOptions } from '../output.ts';

const load = () => import('../../instance/self-destruct/index.ts');

/** How long a batch of accounts may take. */
const maxBatchMs = 60_000;

interface StartOptions extends OutputOptions {
  readonly confirm?: string;
  readonly dryRun?: boolean;
}

export function addSelfDestructCommands(group: Command): void {
  group
    .command('start')
    .description('Close registrations and start to delete all accounts, or continue. Cannot be undone')
    .option('--confirm <domain>', 'the domain of this instance; without it, you are asked to type it')
    .option('--dry-run', 'only show how much would be deleted')
    .option(...jsonOption)
    .action(start);
  group
    .command('status')
    .description('Show how many accounts and deliveries are left')
    .option(...jsonOption)
    .action((options: OutputOptions) =>
      withReadingApp(options, async (app) => {
        const { selfDestructStatus } = await load();
        printStatus(options, await selfDestructStatus(app));
      }),
    );
  group
    .command('stop')
    .description('Delete no more accounts. Those that were deleted stay deleted')
    .option(...jsonOption)
    .action(stop);
}

async function start({ confirm, dryRun = false, ...options }: StartOptions): Promise<void> {
  const config = commandConfig(options);
  if (!dryRun) await confirmDomain(options.shell, config.domain, confirm);
  await withCommandApp(options, async (app) => {
    const { selfDestructStatus, startSelfDestruct } = await load();
    if (!dryRun) await startSelfDestruct(app, 'system');
    printStatus(options, await selfDestructStatus(app));
  });
}

async function stop(options: OutputOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const { selfDestructStatus } = await load();
    const stopped = await stopBetweenBatches(app);
    const status = await selfDestructStatus(app);
    print(options, { stopped, ...status }, () => [
      stopped ? 'No more accounts are deleted.' : 'No accounts were being deleted.',
      ...describe(status),
    ]);
  });
}

/** Stops the job, waiting for its current batch to end. */
async function stopBetweenBatches(app: App): Promise<boolean> {
  const { selfDestructStatus, stopSelfDestruct } = await load();
  for (const deadline = Date.now() + maxBatchMs; ;) {
    if (await stopSelfDestruct(app, 'system')) return true;
    if ((await selfDestructStatus(app)).job !== 'running') return false;
    if (Date.now() > deadline) throw new CliError('The current batch takes long. Try again.');
    await pause(500);
  }
}

/** Throws unless the domain was typed. */
async function confirmDomain(shell: Shell, domain: string, confirm: string | undefined): Promise<void> {
  const typed =
    confirm ?? (await ask(shell, `All accounts of ${domain} will be deleted. Type its domain to continue: `));
  if (typed.trim().toLowerCase() !== domain) throw new CliError(`Nothing was done: the domain is ${domain}.`);
}

function printStatus(options: OutputOptions, status: SelfDestructStatus): void {
  print(options, status, () => describe(status));
}

const jobSentences = {
  waiting: 'Accounts are being deleted. Keep the server running.',
  running: 'Accounts are being deleted. Keep the server running.',
  retrying: 'The last attempt failed and is repeated: see jobs list.',
  exhausted: 'The deletion failed: see jobs list, then start it again.',
} as const;

function describe({ job, accounts, deliveries }: SelfDestructStatus): string[] {
  const left = `${accounts} accounts and ${deliveries} deliveries are left.`;
  if (job !== null) return [jobSentences[job], left];
  if (accounts > 0) return ['No accounts are being deleted.', left];
  return deliveries > 0
    ? ['All accounts are deleted. Keep the server running until other servers have received it.', left]
    : ['All accounts are deleted, and other servers have received it. You can stop the server.'];
}
