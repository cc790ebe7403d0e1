import { Option, type Command } from 'commander';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { ReportCategory, ReportId } from '../../reports/index.ts';
import { loadTargetAccount } from '../account/load-target-account.ts';
import { CliError } from '../cli-error.ts';
import { withCommandApp } from '../open/command-app.ts';
import { jsonOption, print, type OutputOptions } from '../output.ts';
import { parseId, parseLimit } from '../parse-options.ts';
import { addStatusActions } from './status-action-commands.ts';
import type { listReportsCommand, showReport } from './show-reports.ts';
import { parseReportId, rethrowUnknown } from './parse-report-id.ts';

interface UpdateOptions extends OutputOptions {
  readonly category?: ReportCategory;
  readonly rule?: readonly string[];
}

const load = () => import('../../moderation/reports/index.ts');

/** A change of a report: the use case, which returns whether anything changed, and what is printed. */
interface ReportChange {
  readonly run: (app: App, id: ReportId) => Promise<boolean>;
  readonly changedMessage: string;
  readonly unchangedMessage: string;
}

export function addReportCommands(group: Command): void {
  group
    .command('list')
    .description('List reports, newest first; the unresolved ones by default')
    .option('--resolved', 'only resolved ones')
    .option('--all', 'resolved and unresolved ones')
    .option('--account <name>', 'only reports by this account')
    .option('--target <name>', 'only reports about this account')
    .option('--before <id>', 'only reports older than this one', parseId)
    .option('--limit <number>', 'maximum number', parseLimit, 100)
    .option(...jsonOption)
    .action(async (...args: Parameters<typeof listReportsCommand>) =>
      (await import('./show-reports.ts')).listReportsCommand(...args),
    );
  group
    .command('show <id>')
    .description('Show a report with its notes and the posts as they were when they were reported')
    .option(...jsonOption)
    .action(async (...args: Parameters<typeof showReport>) => (await import('./show-reports.ts')).showReport(...args));
  group
    .command('update <id>')
    .description('Change the category and the broken rules of a report')
    .addOption(new Option('--category <category>').choices(['spam', 'legal', 'violation', 'other']))
    .option('--rule <id...>', 'broken rule; only with the category violation')
    .option(...jsonOption)
    .action((id: string, { category, rule, ...options }: UpdateOptions) =>
      change(id, options, {
        run: async (app, reportId) =>
          (await load()).updateReport(app, 'system', { id: reportId, category, ruleIds: rule }),
        changedMessage: 'is changed',
        unchangedMessage: 'was so before',
      }),
    );
  group
    .command('assign <id> <username>')
    .description('Assign a report to a staff member')
    .option(...jsonOption)
    .action((id: string, username: string, options: OutputOptions) =>
      change(id, options, {
        run: async (app, reportId) =>
          (await load()).assignReport(app, 'system', { id: reportId, assigneeId: await requireStaff(app, username) }),
        changedMessage: `is assigned to @${username.replace(/^@/, '')}`,
        unchangedMessage: 'was assigned to them before',
      }),
    );
  addAction(group, 'unassign', 'Let others take on a report', {
    run: async (app, id) => (await load()).assignReport(app, 'system', { id, assigneeId: null }),
    changedMessage: 'is assigned to nobody',
    unchangedMessage: 'was assigned to nobody',
  });
  addAction(group, 'resolve', 'Close a report', {
    run: async (app, id) => (await load()).resolveReport(app, 'system', id),
    changedMessage: 'is resolved',
    unchangedMessage: 'was already resolved',
  });
  addAction(group, 'reopen', 'Open a resolved report again', {
    run: async (app, id) => (await load()).reopenReport(app, 'system', id),
    changedMessage: 'is open again',
    unchangedMessage: 'was open',
  });
  addAction(group, 'forward', 'Send a copy to the server of the account, without the name of the reporter', {
    run: async (app, id) => (await load()).forwardReport(app, 'system', id),
    changedMessage: 'is forwarded',
    unchangedMessage: 'was already forwarded',
  });
  addStatusActions(group);
  group
    .command('note <id> <text>')
    .description('Add a note for staff to a report')
    .option(...jsonOption)
    .action(note);
}

function addAction(group: Command, name: string, description: string, action: ReportChange): void {
  group
    .command(`${name} <id>`)
    .description(description)
    .option(...jsonOption)
    .action((id: string, options: OutputOptions) => change(id, options, action));
}

async function change(
  text: string,
  options: OutputOptions,
  { run, changedMessage, unchangedMessage }: ReportChange,
): Promise<void> {
  const id = parseReportId(text);
  await withCommandApp(options, async (app) => {
    const changed = await run(app, id).catch(rethrowUnknown(id));
    print(options, { id, changed }, () => [`Report ${id} ${changed ? changedMessage : unchangedMessage}.`]);
  });
}

async function requireStaff(app: App, username: string): Promise<AccountId> {
  const { accountId, acct } = await loadTargetAccount(app, username, false);
  const { listUsersWithPermission } = await import('../../users/access/index.ts');
  const staff = await listUsersWithPermission(app, 'manage_reports');
  if (!staff.some((user) => user.accountId === accountId)) throw new CliError(`@${acct} may not manage reports.`);
  return accountId;
}

async function note(text: string, content: string, options: OutputOptions): Promise<void> {
  const reportId = parseReportId(text);
  await withCommandApp(options, async (app) => {
    const { addReportNote } = await load();
    const added = await addReportNote(app, 'system', { reportId, content }).catch(rethrowUnknown(reportId));
    print(options, added, () => [`The note is added to report ${reportId}.`]);
  });
}
