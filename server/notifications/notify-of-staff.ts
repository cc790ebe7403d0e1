import type { App } from '../platform/app.ts';
import type { AccountId, AnyId } from '../platform/ids.ts';
import type { WarningId } from '../moderation/warnings/index.ts';
import type { ReportId } from '../reports/index.ts';
import type { SeveranceId } from '../relationships/severances/index.ts';
import { findModeratedReports, findReportedGroups } from '../groups/index.ts';
import { hasPermission, listUsersWithPermission } from '../users/access/index.ts';
import { notify, type NewNotification } from './notify.ts';
import { isNameOf } from '../platform/known-names.ts';

const staffPermissions = { 'admin.sign_up': 'manage_users', 'admin.report': 'manage_reports' } as const;

/**
 * Whether a recipient may still be notified: of what is for staff with the permission for it, of a report also as moderator
 * of a group that has a post which it names.
 */
export async function mayBeNotified(
  app: App,
  { accountId, permissions }: { readonly accountId: AccountId; readonly permissions: bigint },
  { type, subject_id: subjectId }: { readonly type: string; readonly subject_id: AnyId | null },
): Promise<boolean> {
  if (!isNameOf(staffPermissions, type) || hasPermission({ permissions }, staffPermissions[type])) return true;
  return (
    type === 'admin.report' && subjectId !== null && (await findModeratedReports(app, accountId, [subjectId])).size > 0
  );
}

/** Notifies staff who manage users of a new user. */
export async function notifyOfSignUp(app: App, { accountId }: { readonly accountId: AccountId }): Promise<void> {
  const staff = await listUsersWithPermission(app, staffPermissions['admin.sign_up']);
  const recipients = staff.map((user) => user.accountId);
  await notify(app, { type: 'admin.sign_up', fromAccountId: accountId, recipients });
}

/**
 * Notifies staff who manage reports of a new report, and moderators of the groups that it concerns. These do not learn who
 * reports: the notification comes from the group.
 */
export async function notifyOfReport(
  app: App,
  { reportId, accountId }: { readonly reportId: ReportId; readonly accountId: AccountId },
): Promise<void> {
  const staff = await listUsersWithPermission(app, staffPermissions['admin.report']);
  const recipients = staff.map((user) => user.accountId);
  const groups = await findReportedGroups(app, reportId);
  await notify(
    app,
    { type: 'admin.report', fromAccountId: accountId, subjectId: reportId, recipients },
    ...groups.map(({ groupId, moderatorIds }): NewNotification => ({
      type: 'admin.report',
      fromAccountId: groupId,
      subjectId: reportId,
      recipients: moderatorIds.filter((id) => !recipients.includes(id)),
    })),
  );
}

/** Notifies accounts of the follows that they lost by the block of a domain. */
export async function notifyOfSeverances(
  app: App,
  severances: readonly { readonly severanceId: SeveranceId; readonly accountId: AccountId }[],
): Promise<void> {
  await notify(
    app,
    ...severances.map(({ severanceId, accountId }) => toOwnNews('severed_relationships', accountId, severanceId)),
  );
}

/** Notifies an account of what staff decided about it. */
export async function notifyOfWarning(
  app: App,
  { warningId, accountId }: { readonly warningId: WarningId; readonly accountId: AccountId },
): Promise<void> {
  await notify(app, toOwnNews('moderation_warning', accountId, warningId));
}

/** A notification that comes from the recipient's own account, because staff stay anonymous. */
function toOwnNews(
  type: 'severed_relationships' | 'moderation_warning',
  accountId: AccountId,
  subjectId: SeveranceId | WarningId,
): NewNotification {
  return { type, fromAccountId: accountId, subjectId, recipients: [accountId] };
}
