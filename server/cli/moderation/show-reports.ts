import { instanceActorId } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import {
  listReportedStatuses,
  listReportNotes,
  presentAdminReport,
  presentAdminReports,
  type AdminReport,
} from '../../moderation/reports/index.ts';
import { listReports } from '../../reports/review/index.ts';
import { htmlToText } from '../../text/index.ts';
import { loadTargetAccount } from '../account/load-target-account.ts';
import { formatTable, print, type OutputOptions } from '../output.ts';
import { withCommandApp } from '../open/command-app.ts';
import { parseReportId, rethrowUnknown } from './parse-report-id.ts';

interface ListOptions extends OutputOptions {
  readonly resolved?: boolean;
  readonly all?: boolean;
  readonly account?: string;
  readonly target?: string;
  readonly before?: string;
  readonly limit: number;
}

/** Notes that are shown of a report. */
const maxNotes = 200;
/** Reports are shown as to an account without relationships. */
const viewer = { accountId: instanceActorId };

export async function listReportsCommand({
  resolved,
  all,
  account,
  target,
  before,
  limit,
  ...options
}: ListOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const page = { limit, maxId: before, sinceId: undefined, minId: undefined };
    const { reports } = await listReports(app, page, {
      state: all === true ? 'all' : resolved === true ? 'resolved' : 'open',
      accountId: await findAccountId(app, account),
      targetAccountId: await findAccountId(app, target),
    });
    const presented = (await presentAdminReports(app, viewer, reports)).map((report) => report.parse());
    print(options, presented, () =>
      presented.length === 0 ? ['There are no such reports.'] : formatTable(presented.map(toRow)),
    );
  });
}

export async function showReport(text: string, options: OutputOptions): Promise<void> {
  const id = parseReportId(text);
  await withCommandApp(options, async (app) => {
    const json = await presentAdminReport(app, viewer, id).catch(rethrowUnknown(id));
    const report = json.parse();
    const page = { limit: maxNotes, maxId: undefined, sinceId: undefined, minId: undefined };
    const [copies, { notes }] = await Promise.all([listReportedStatuses(app, id), listReportNotes(app, page, id)]);
    print(options, { ...report, reported_statuses: copies, notes }, () => [
      ...Object.entries(toRow(report)).map(([name, value]) => `${name.padEnd(10)} ${String(value ?? '-')}`),
      ...report.rules.map((rule) => `rule       ${rule.text}`),
      ...copies.flatMap((copy) => [
        '',
        `post ${copy.id} (${copy.visibility}${copy.deleted ? ', deleted' : ''}): ${copy.url ?? copy.uri}`,
        ...[copy.spoiler_text, htmlToText(copy.content), ...copy.poll_options, ...copy.media_descriptions].filter(
          (line) => line !== '',
        ),
      ]),
      ...notes.flatMap((note) => [
        '',
        `note by ${note.author === null ? 'the command line' : `@${note.author.username}`} at ${note.created_at}:`,
        note.content,
      ]),
    ]);
  });
}

async function findAccountId(app: App, name: string | undefined): Promise<AccountId | undefined> {
  return name === undefined ? undefined : (await loadTargetAccount(app, name, true)).accountId;
}

const toRow = (report: AdminReport) => ({
  id: report.id,
  created_at: report.created_at,
  about: `@${report.target_account.account.acct}`,
  by: `@${report.account.account.acct}`,
  category: report.category,
  posts: report.statuses.length,
  assigned: report.assigned_account === null ? null : `@${report.assigned_account.username}`,
  state: report.action_taken ? 'resolved' : 'open',
  comment: report.comment.replaceAll('\n', ' '),
});
