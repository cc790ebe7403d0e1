import { request } from '../../api/client.ts';
import type { AdminReport } from '../../api/entities.ts';

/** What staff can do about a report, in the order of its keys 1 to 6. */
export const decisions = ['warn', 'sensitive', 'delete', 'limit', 'disable', 'suspend'] as const;
export type Decision = (typeof decisions)[number];

/** A decision about a report, with the text of the mail to the reported user. */
export interface ReportAnswer {
  readonly decision: Decision;
  /** The message in the mail. */
  readonly text: string;
  readonly sendMail: boolean;
  /** The posts that it concerns. */
  readonly statusIds: readonly string[];
}

/** Returns whether a decision is possible for what was reported. */
export function isPossible(decision: Decision, report: AdminReport, statusIds: readonly string[]): boolean {
  if (decision === 'delete') return statusIds.length > 0;
  if (decision === 'disable') return report.target_account.domain === null;
  return true;
}

/** Returns whether the API can take a decision back. Warnings, and decisions about posts, stay. */
export const isReversible = ({ decision, statusIds }: Pick<ReportAnswer, 'decision' | 'statusIds'>): boolean =>
  decision === 'limit' ||
  decision === 'disable' ||
  decision === 'suspend' ||
  (decision === 'sensitive' && statusIds.length === 0);

/** Returns whether a decision closes all open reports of the account, not only this one. */
export const closesAllReports = ({ decision, statusIds }: Pick<ReportAnswer, 'decision' | 'statusIds'>): boolean =>
  decision !== 'warn' && decision !== 'delete' && !(decision === 'sensitive' && statusIds.length > 0);

const accountActions = {
  warn: 'none',
  sensitive: 'sensitive',
  limit: 'silence',
  disable: 'disable',
  suspend: 'suspend',
} as const;

const reversals = {
  sensitive: 'unsensitive',
  limit: 'unsilence',
  disable: 'enable',
  suspend: 'unsuspend',
} as const;

/** Sends a decision. It also closes the report. */
export async function decide(
  report: AdminReport,
  { decision, text, sendMail, statusIds }: ReportAnswer,
): Promise<void> {
  const common = { text, send_email_notification: sendMail };
  if (decision === 'delete' || (decision === 'sensitive' && statusIds.length > 0)) {
    const type = decision === 'delete' ? 'delete_statuses' : 'mark_statuses_as_sensitive';
    const body = { type, status_ids: statusIds, ...common };
    await request('POST', `/api/v1/fieldfare/admin/reports/${report.id}/status_action`, { body });
    return;
  }
  await decideAboutAccount(report.target_account.id, { decision, text, sendMail, reportId: report.id });
}

interface AccountAnswer extends Pick<ReportAnswer, 'text' | 'sendMail'> {
  readonly decision: Exclude<Decision, 'delete'>;
  /** The report that it answers. */
  readonly reportId?: string;
}

/** Sends a decision about an account. */
export async function decideAboutAccount(
  id: string,
  { decision, text, sendMail, reportId }: AccountAnswer,
): Promise<void> {
  const body = {
    type: accountActions[decision],
    text,
    send_email_notification: sendMail,
    ...(reportId !== undefined && { report_id: reportId }),
  };
  await request('POST', `/api/v1/admin/accounts/${id}/action`, { body });
}

/** Takes a reversible decision back. The reports that it closed are opened by `reopen`. */
export async function reverse(accountId: string, decision: keyof typeof reversals): Promise<void> {
  await request('POST', `/api/v1/admin/accounts/${accountId}/${reversals[decision]}`);
}

type ReportChange = 'assign_to_self' | 'unassign' | 'resolve' | 'reopen';

/** Changes who works on a report, or its state. Returns the report. */
export const changeReport = (id: string, change: ReportChange): Promise<AdminReport> =>
  request<AdminReport>('POST', `/api/v1/admin/reports/${id}/${change}`);

/** Sends a copy of a report to the server of the account. */
export const forwardReport = (id: string): Promise<AdminReport> =>
  request<AdminReport>('POST', `/api/v1/fieldfare/admin/reports/${id}/forward`);
