import type { Command } from 'commander';
import type { RemoteAccountFilter } from '../../federation/retention/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { MergeProblem } from '../../profiles/index.ts';
import { CliError } from '../cli-error.ts';
import { withCommandApp } from '../open/command-app.ts';
import { jsonOption, print, type OutputOptions } from '../output.ts';
import { createProgressBar } from '../progress-bar.ts';
import { loadTargetAccount } from './load-target-account.ts';

interface RefreshOptions extends OutputOptions {
  readonly domain?: string;
  readonly all?: boolean;
}

interface CullOptions extends OutputOptions {
  readonly dryRun?: boolean;
}

// Loaded only by these commands, so that the others of the group start fast.
const loadRetention = () => import('../../federation/retention/index.ts');
const loadDomains = () => import('../require-domain.ts');

/** Adds the commands for remote accounts to the `account` group. */
export function addRemoteAccountCommands(group: Command): void {
  group
    .command('refresh [names...]')
    .description('Fetch the profiles and keys of remote accounts (name@domain) again from their servers')
    .option('--domain <domain>', 'all accounts of this domain')
    .option('--all', 'all remote accounts')
    .option(...jsonOption)
    .action(refresh);
  group
    .command('cull [domains...]')
    .description('Delete the remote accounts that their servers no longer have, of these domains or of all')
    .option('--dry-run', 'only list them')
    .option(...jsonOption)
    .action(cull);
  group
    .command('merge <old> <new>')
    .description('Let a remote account (name@domain) continue as another one of the same person, as if it had moved')
    .option('--force', 'also if nothing shows that both belong to the same person')
    .option(...jsonOption)
    .action(merge);
}

async function refresh(names: readonly string[], { domain, all = false, ...options }: RefreshOptions): Promise<void> {
  if ([names.length > 0, domain !== undefined, all].filter(Boolean).length !== 1)
    throw new CliError('Pass names of remote accounts, --domain or --all.');
  await withCommandApp(options, async (app) => {
    const { refreshAccounts } = await loadRetention();
    const { requireDomain } = await loadDomains();
    const filter = {
      ...(names.length > 0 && { ids: await findRemoteAccounts(app, names) }),
      ...(domain !== undefined && { domains: [requireDomain(domain)] }),
    };
    const bar = await countVisits(app, options, filter);
    const label = domain ?? (all ? '*' : names.join(' '));
    const result = await refreshAccounts(app, 'system', { ...filter, label, onAccount: bar.visit }).finally(bar.end);
    print(options, result, () => [
      ...result.failed.map((acct) => `@${acct} could not be fetched.`),
      `${result.refreshed} accounts are refreshed.`,
    ]);
  });
}

/** Checks all names before the first account is fetched. */
async function findRemoteAccounts(app: App, names: readonly string[]): Promise<AccountId[]> {
  const ids: AccountId[] = [];
  for (const name of names) {
    const { accountId, acct } = await loadTargetAccount(app, name, true);
    if (!acct.includes('@')) throw new CliError(`${name} is a local account.`);
    ids.push(accountId);
  }
  return ids;
}

async function cull(texts: readonly string[], { dryRun = false, ...options }: CullOptions): Promise<void> {
  const { requireDomain } = await loadDomains();
  const domains = texts.length === 0 ? undefined : texts.map(requireDomain);
  await withCommandApp(options, async (app) => {
    const { cullAccounts, cullFilter } = await loadRetention();
    const bar = await countVisits(app, options, cullFilter(app, { domains }));
    const result = await cullAccounts(app, 'system', { domains, dryRun, onAccount: bar.visit }).finally(bar.end);
    print(options, result, () => [
      ...result.culled.map((acct) => `@${acct} ${dryRun ? 'is gone.' : 'is gone, and was deleted.'}`),
      ...result.unreachable.map((domain) => `${domain} does not answer. If it is gone: domain purge ${domain}`),
      `Asked for ${result.asked} accounts; ${result.culled.length} are gone.`,
    ]);
  });
}

async function merge(
  oldName: string,
  newName: string,
  { force = false, ...options }: OutputOptions & { readonly force?: boolean },
): Promise<void> {
  await withCommandApp(options, async (app) => {
    const { mergeAccounts } = await import('../../profiles/index.ts');
    const [old, target] = [await loadTargetAccount(app, oldName, true), await loadTargetAccount(app, newName, true)];
    const ids = { accountId: old.accountId, targetId: target.accountId };
    const problem = await mergeAccounts(app, 'system', { ...ids, force });
    if (problem !== undefined) throw new CliError(describeMergeProblem(problem, old.acct, target.acct));
    const result = { account: old.acct, id: old.accountId, moved_to: target.acct, moved_to_id: target.accountId };
    print(options, result, () => [
      `@${old.acct} continues as @${target.acct}. Followers, lists, notes, blocks and mutes go over in the background.`,
    ]);
  });
}

function describeMergeProblem(problem: MergeProblem, old: string, target: string): string {
  switch (problem) {
    case 'gone':
      return `@${old} or @${target} was deleted.`;
    case 'local':
      return `@${old} is a local account, which moves in its own settings.`;
    case 'merged':
      return `@${old} has moved to @${target} already.`;
    case 'moved':
      return `@${target} has moved itself. Name the account that it moved to.`;
    case 'same':
      return `@${old} cannot continue as itself.`;
    case 'suspended':
      return `@${target} is suspended.`;
    case 'unproven':
      return `Nothing shows that @${old} and @${target} belong to the same person: they have different keys, and @${target} does not list @${old} as an alias. If you are sure, add --force.`;
  }
}

/** Shows how many of the accounts were visited. */
async function countVisits(app: App, options: OutputOptions, filter: RemoteAccountFilter) {
  const { countRemoteAccounts } = await loadRetention();
  const total = Math.max(await countRemoteAccounts(app, filter), 1);
  const bar = createProgressBar(options);
  let visited = 0;
  const visit = (): void => bar.show('Asking servers', Math.min(++visited / total, 1));
  return { visit, end: bar.end };
}
