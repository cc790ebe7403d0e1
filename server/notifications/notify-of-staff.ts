import type { App } from '../platform/app.ts';
import type { AccountId } from '../platform/ids.ts';
import type { WarningId } from '../moderation/warnings/index.ts';
import type { ReportId } from '../reports/index.ts';
import type { SeveranceId } from '../relationships/severances/index.ts';
import { findReportedGroups } from '../groups/index.ts';
import { listUsersWithPermission, type Permission } from '../users/access/index.ts';
import { notify, type NewNotification } from './notify.ts';
import { isNameOf } from '../platform/known-names.ts';

const staffPermissions = { 'admin.sign_up': 'manage_users', 'admin.report': 'manage_reports' } as const;

/** Returns the permission that the recipients of a type of notification need; undefined for those to every user. */
export const staffPermissionOf = (type: string): Permission | undefined =>
  isNameOf(staffPermissions, type) ? staffPermissions[type] : undefined;

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
