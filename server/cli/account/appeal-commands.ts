import { Option, type Command } from 'commander';
import type { App } from '../../platform/app.ts';
import { isId } from '../../platform/ids.ts';
import type { AppealState } from '../../moderation/appeals/index.ts';
import { CliError, isNotFound } from '../cli-error.ts';
import { withCommandApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { parseLimit } from '../parse-options.ts';
import { loadTargetAccount } from './load-target-account.ts';

interface ListOptions extends OutputOptions {
  readonly state: AppealState;
  readonly limit: number;
}

const loadAppeals = () => import('../../moderation/appeals/index.ts');
/** Shows accounts as to one without relationships. */
const loadViewer = async () => ({ accountId: (await import('../../accounts/index.ts')).instanceActorId });
const firstPage = (limit: number) => ({ limit, maxId: undefined, sinceId: undefined, minId: undefined });

/** Adds the groups `appeal` and `strike`. */
export function addAppealCommands(group: Command): void {
  group
    .command('list')
    .description('List appeals, newest first')
    .addOption(
      new Option('--state <state>', 'which ones').choices(['pending', 'approved', 'rejected']).default('pending'),
    )
    .option('--limit <number>', 'maximum number', parseLimit, 40)
    .option(...jsonOption)
    .action(list);
  group
    .command('approve <id>')
    .description('Approve an appeal: undoes the decision and mails the user')
    .option(...jsonOption)
    .action((id: string, options: OutputOptions) => decide(id, options, { run: 'approveAppeal', state: 'approved' }));
  group
    .command('reject <id>')
    .description('Reject an appeal and mail the user')
    .option(...jsonOption)
    .action((id: string, options: OutputOptions) => decide(id, options, { run: 'rejectAppeal', state: 'rejected' }));
}

export function addStrikeCommands(group: Command): void {
  group
    .command('list <name>')
    .description('List the decisions of staff about an account, newest first')
    .option('--limit <number>', 'maximum number', parseLimit, 40)
    .option(...jsonOption)
    .action(showStrikes);
}

async function list({ state, limit, ...options }: ListOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const { listAppeals } = await loadAppeals();
    const { appeals } = await listAppeals(app, await loadViewer(), { page: firstPage(limit), state });
    const rows = appeals.map(({ id, created_at: at, strike, text }) => ({
      id,
      at,
      account: strike.target_account.acct,
      decision: strike.action,
      text,
    }));
    print(options, appeals, () => (rows.length === 0 ? [`There are no ${state} appeals.`] : formatTable(rows)));
  });
}

async function decide(
  id: string,
  options: OutputOptions,
  { run, state }: { readonly run: 'approveAppeal' | 'rejectAppeal'; readonly state: AppealState },
): Promise<void> {
  if (!isId(id)) throw new CliError(`Invalid id: ${id}. See appeal list.`);
  await withCommandApp(options, async (app: App) => {
    const appeals = await loadAppeals();
    await appeals[run](app, 'system', id).catch((error: unknown) => {
      if (isNotFound(error)) throw new CliError(`Unknown appeal: ${id}`);
      throw error;
    });
    print(options, { id, state }, () => [`The appeal is ${state}.`]);
  });
}

async function showStrikes(name: string, { limit, ...options }: OutputOptions & { limit: number }): Promise<void> {
  await withCommandApp(options, async (app) => {
    const { accountId, acct } = await loadTargetAccount(app, name, true);
    const { listStrikes } = await import('../../moderation/warnings/index.ts');
    const { strikes } = await listStrikes(app, await loadViewer(), { accountId, page: firstPage(limit) });
    const rows = strikes.map(({ id, created_at: at, action, text, appeal }) => ({
      id,
      at,
      action,
      appeal: appeal?.state ?? null,
      text,
    }));
    print(options, strikes, () => (rows.length === 0 ? [`There are no decisions about @${acct}.`] : formatTable(rows)));
  });
}
