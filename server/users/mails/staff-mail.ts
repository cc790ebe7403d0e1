import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { listUsersWithPermission, type PermittedUser } from '../access/list-users-with-permission.ts';
import type { Permission } from '../access/roles.ts';
import type { StaffMailKind } from '../tables.ts';
import { loadMailContext } from './mail-context.ts';
import { composeMail } from './mails.ts';
import { sendUserMail } from './send-user-mail.ts';

/** The permission of the staff who get a kind of mail. */
export const staffMailPermissions: Readonly<Record<StaffMailKind, Permission>> = {
  appeals: 'manage_appeals',
  held_posts: 'manage_reports',
  reports: 'manage_reports',
  sign_ups: 'manage_users',
  trends: 'manage_taxonomies',
};

/** Returns the staff who get a kind of mail: those with the permission who have not turned it off. */
export async function listStaffMailRecipients(app: App, kind: StaffMailKind): Promise<PermittedUser[]> {
  const staff = await listUsersWithPermission(app, staffMailPermissions[kind]);
  return staff.filter(({ staffMailsOff }) => !staffMailsOff.includes(kind));
}

/**
 * Mails one staff member paragraphs and a link. No-op if the user was deleted, lost the permission or turned this kind of
 * mail off.
 */
export const sendStaffMail = defineJob(
  'user.send_staff_mail',
  Type.Object({
    kind: Type.Unsafe<StaffMailKind>(Type.String()),
    userId: idSchema<'user'>(),
    subject: Type.String(),
    paragraphs: Type.Array(Type.String()),
    /** Text of the link. */
    action: Type.String(),
    /** Path on this server, or a URL. */
    path: Type.String(),
  }),
  async (app, { kind, userId, subject, paragraphs, action, path }) => {
    const user = (await listStaffMailRecipients(app, kind)).find(({ id }) => id === userId);
    if (user === undefined) return;
    const { baseUrl } = app.config;
    const facts = { ...(await loadMailContext(app, user)), link: new URL(path, baseUrl).href };
    const after = [facts.t('mail.staffMailsOff', { url: `${baseUrl}/settings/staff_mails` })];
    await sendUserMail(app, { to: user.email, ...composeMail(facts, { subject, before: paragraphs, action, after }) });
  },
  'mail',
);
