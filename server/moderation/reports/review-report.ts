import { isDeepStrictEqual } from 'node:util';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { invalidField } from '../../platform/http/http-errors.ts';
import type { AccountId } from '../../platform/ids.ts';
import { parseRules, type ReportCategory, type ReportId } from '../../reports/index.ts';
import {
  assignReport as assign,
  changeCategory,
  forwardReport as forward,
  lockReport,
  reopenReport as reopen,
  resolveReport as resolve,
  type ReportRow,
} from '../../reports/review/index.ts';
import { recordStaffAction, type AuditDetails, type AuditVerb } from '../../site/audit/index.ts';
import { loadDomainRule } from '../../site/domains/index.ts';
import { staffAccountId, type Staff } from '../../site/index.ts';
import { labelOf } from './report-label.ts';

/** Absent properties keep their value. */
export interface ReportChanges {
  readonly category?: ReportCategory | undefined;
  /** The broken rules; only with the category violation. */
  readonly ruleIds?: readonly string[] | undefined;
}

/**
 * Changes the category and the broken rules of a report. A category other than violation removes the rules. Returns false if
 * nothing changed. Throws 404 if there is no such report, 422 for unknown rules, or rules without a violation.
 */
export async function updateReport(
  app: App,
  staff: Staff,
  { id, category, ruleIds }: ReportChanges & { readonly id: ReportId },
): Promise<boolean> {
  const rules = ruleIds && (await parseRules(app, ruleIds));
  return review(app, staff, { id, verb: 'update', properties: ['category', 'rule_ids'] }, (tx, report) => {
    const newCategory = category ?? report.category;
    const isViolation = newCategory === 'violation';
    if (!isViolation && rules !== undefined && rules.length > 0)
      throw invalidField('rule_ids', 'problems.onlyForViolation');
    const newRules = isViolation ? (rules ?? report.rule_ids ?? []) : null;
    const isSame = newCategory === report.category && isDeepStrictEqual(newRules, report.rule_ids);
    return isSame ? report : changeCategory(tx, app, report, { category: newCategory, ruleIds: newRules });
  });
}

/** Assigns a report to a staff member, or to nobody. Returns false if it was so before. Throws 404 if there is none. */
export function assignReport(
  app: App,
  staff: Staff,
  { id, assigneeId }: { readonly id: ReportId; readonly assigneeId: AccountId | null },
): Promise<boolean> {
  const verb = assigneeId === null ? 'unassign' : 'assign';
  return review(app, staff, { id, verb, properties: ['assigned_account_id'] }, (tx, report) =>
    report.assigned_account_id === assigneeId ? report : assign(tx, app, report, assigneeId),
  );
}

/** Closes a report. Returns false if it was closed. Throws 404 if there is none. */
export function resolveReport(app: App, staff: Staff, id: ReportId): Promise<boolean> {
  return review(app, staff, { id, verb: 'resolve', properties: ['action_taken_at'] }, (tx, report) =>
    report.action_taken_at === null ? resolve(tx, app, report, staffAccountId(staff)) : report,
  );
}

/** Opens a closed report again. Returns false if it was open. Throws 404 if there is none. */
export function reopenReport(app: App, staff: Staff, id: ReportId): Promise<boolean> {
  return review(app, staff, { id, verb: 'reopen', properties: ['action_taken_at'] }, (tx, report) =>
    report.action_taken_at === null ? report : reopen(tx, app, report),
  );
}

/**
 * Sends a copy of a report to the server of a remote account, without the name of the reporter. Returns false if it was sent
 * before. Throws 404 if there is no such report, 422 for a local account or a suspended server.
 */
export function forwardReport(app: App, staff: Staff, id: ReportId): Promise<boolean> {
  return review(app, staff, { id, verb: 'forward', properties: ['forwarded'] }, async (tx, report) =>
    report.forwarded ? report : forward(tx, app, report, await requireDomain(tx, app, report)),
  );
}

async function requireDomain(tx: Transaction, app: App, { target_account_id: id }: ReportRow): Promise<string> {
  const account = await tx.db
    .selectFrom('accounts')
    .select('domain')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  const domain = account?.domain ?? null;
  if (domain === null) throw invalidField('account', 'problems.notRemote');
  if ((await loadDomainRule(tx, app, domain)).severity === 'suspend')
    throw invalidField('domain', 'problems.suspendedDomain');
  return domain;
}

interface Review {
  readonly id: ReportId;
  readonly verb: AuditVerb;
  /** Columns that may change, for the audit log. */
  readonly properties: readonly (keyof ReportRow)[];
}

/** Runs a change of a report in one transaction. Records it if a property changed, and returns whether one did. */
function review(
  app: App,
  staff: Staff,
  { id, verb, properties }: Review,
  change: (tx: Transaction, report: ReportRow) => Promise<ReportRow> | ReportRow,
): Promise<boolean> {
  return transaction(app, async (tx) => {
    const before = await lockReport(tx, id);
    const after = await change(tx, before);
    const [old, changed] = [detailsOf(before, properties), detailsOf(after, properties)];
    if (isDeepStrictEqual(old, changed)) return false;
    recordStaffAction(tx, staff, {
      target: 'report',
      verb,
      id,
      label: await labelOf(tx, after),
      before: old,
      after: changed,
    });
    return true;
  });
}

const detailsOf = (report: ReportRow, properties: readonly (keyof ReportRow)[]): AuditDetails =>
  Object.fromEntries(properties.map((name) => [name, report[name]]));
