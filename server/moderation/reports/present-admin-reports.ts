import { loadDeletedAccounts } from '../../accounts/present/index.ts';
import type { App } from '../../platform/app.ts';
import { asciiJson, joinJsonList, JsonText } from '../../platform/http/http-response.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { ReportId } from '../../reports/index.ts';
import type { ReportRow } from '../../reports/review/index.ts';
import { findRules, type SiteRule } from '../../site/rules/index.ts';
import type { Status } from '../../statuses/index.ts';
import { presentStatusesById } from '../../statuses/read/index.ts';
import {
  presentAdminAccounts,
  presentDeletedAccount,
  type PresentedAccount,
} from '../accounts/present-admin-accounts.ts';
import { loadCopies, renderCopy, type CopyRow } from './present-copies.ts';
import type { AdminReport } from './schema.ts';

type Viewer = { readonly accountId: AccountId };

/** What reports refer to, by id. */
interface Subjects {
  readonly accounts: ReadonlyMap<AccountId, PresentedAccount>;
  readonly statuses: ReadonlyMap<string, JsonText<Status>>;
  readonly copies: ReadonlyMap<ReportId, readonly CopyRow[]>;
  readonly rules: ReadonlyMap<string, SiteRule>;
}

/** Returns reports as staff see them, in the given order. The number of statements does not depend on their number. */
export async function presentAdminReports(
  app: App,
  viewer: Viewer,
  reports: readonly ReportRow[],
): Promise<JsonText<AdminReport>[]> {
  if (reports.length === 0) return [];
  const [accounts, statuses, copies, rules] = await Promise.all([
    presentAccounts(app, viewer, listAccountIds(reports)),
    presentStatusesById(app, viewer, [...new Set(reports.flatMap(({ status_ids: ids }) => ids))]),
    loadCopies(
      app,
      reports.map(({ id }) => id),
    ),
    findRules(app, [...new Set(reports.flatMap(({ rule_ids: ids }) => ids ?? []))]),
  ]);
  const subjects = {
    accounts,
    statuses,
    copies: Map.groupBy(copies, ({ report_id: id }) => id),
    rules: new Map(rules.map((rule) => [rule.id, rule])),
  };
  return reports.map((report) => render(report, subjects));
}

/** Returns one report as staff see it. Throws 404 if there is none with this id. */
export async function presentAdminReport(app: App, viewer: Viewer, id: ReportId): Promise<JsonText<AdminReport>> {
  const row = await app.db.selectFrom('reports').selectAll().where('id', '=', id).executeTakeFirst();
  const [report] = row === undefined ? [] : await presentAdminReports(app, viewer, [row]);
  if (report === undefined) throw notFound();
  return report;
}

/** Also presents deleted accounts, because reports about them remain. */
async function presentAccounts(
  app: App,
  viewer: Viewer,
  ids: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, PresentedAccount>> {
  const accounts = await presentAdminAccounts(app, viewer, ids);
  const deleted = await loadDeletedAccounts(
    app,
    ids.filter((id) => !accounts.has(id)),
  );
  return new Map([...accounts, ...deleted.map((account) => [account.id, presentDeletedAccount(account)] as const)]);
}

/** Returns the accounts of a report by the names of their members. */
const accountsOf = (report: ReportRow) =>
  [
    ['account', report.account_id],
    ['target_account', report.target_account_id],
    ['assigned_account', report.assigned_account_id],
    ['action_taken_by_account', report.action_taken_by_account_id],
  ] as const;

const listAccountIds = (reports: readonly ReportRow[]): AccountId[] => [
  ...new Set(reports.flatMap(accountsOf).flatMap(([, id]) => id ?? [])),
];

function render(report: ReportRow, { accounts, statuses, copies, rules }: Subjects): JsonText<AdminReport> {
  const target = accounts.get(report.target_account_id);
  const copyOf = new Map(copies.get(report.id)?.map((copy) => [copy.status_id, copy]));
  const shown = report.status_ids.flatMap((id) => {
    const copy = copyOf.get(id);
    const fromCopy = copy !== undefined && target !== undefined ? renderCopy(copy, target.profile) : undefined;
    return statuses.get(id) ?? fromCopy ?? [];
  });
  const members = {
    id: report.id,
    action_taken: report.action_taken_at !== null,
    action_taken_at: report.action_taken_at,
    category: report.category,
    comment: report.comment,
    forwarded: report.forwarded,
    created_at: report.created_at,
    updated_at: report.updated_at,
    rules: (report.rule_ids ?? []).flatMap((id) => rules.get(id) ?? []),
  };
  const pieces = [asciiJson(members).slice(0, -1)];
  for (const [name, id] of accountsOf(report))
    pieces.push(`,"${name}":`, (id === null ? undefined : accounts.get(id)?.json.text) ?? 'null');
  return new JsonText([...pieces, ',"statuses":', ...joinJsonList(shown).fragments, '}']);
}
