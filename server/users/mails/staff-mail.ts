import { sql } from 'kysely';
import { Type } from 'typebox';
import type { Transaction } from '../../platform/database/transaction.ts';
import { idSchema, type UserId } from '../../platform/ids.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { siteSettings } from '../../site/index.ts';
import { everyoneRoleId, permissionBits, type Permission } from '../access/roles.ts';
import { composeMail } from './mails.ts';

/** A mail to staff: paragraphs, and a link to a path of this server. */
export interface StaffMail {
  readonly subject: string;
  readonly paragraphs: string[];
  /** Text of the link. */
  readonly action: string;
  readonly path: string;
}

/** Mails one staff member. No-op if the user was deleted. */
export const sendStaffMail = defineJob(
  'user.send_staff_mail',
  Type.Object({
    userId: idSchema<'user'>(),
    subject: Type.String(),
    paragraphs: Type.Array(Type.String()),
    action: Type.String(),
    path: Type.String(),
  }),
  async (app, { userId, subject, paragraphs, action, path }) => {
    const user = await app.db
      .selectFrom('users')
      .innerJoin('accounts', 'accounts.id', 'users.account_id')
      .select(['users.email', 'accounts.username'])
      .where('users.id', '=', userId)
      .where('accounts.deleted_at', 'is', null)
      .executeTakeFirst();
    if (user === undefined) return;
    const facts = {
      site: (await siteSettings(app)).title,
      domain: app.config.domain,
      username: user.username,
      link: `${app.config.baseUrl}${path}`,
    };
    await app.mail.send({ to: user.email, ...composeMail(facts, { subject, before: paragraphs, action, after: [] }) });
  },
  'mail',
);

/** Queues a mail to each user who may sign in and has a permission. */
export async function enqueueStaffMail(
  { db, enqueue }: Transaction,
  permission: Permission,
  mail: StaffMail,
): Promise<void> {
  const mask = permissionBits.administrator | permissionBits[permission];
  const { rows } = await sql<{ id: UserId }>`
    select users.id from users
    join accounts on accounts.id = users.account_id
    join roles role on role.id = users.role_id
    left join roles everyone on everyone.id = ${everyoneRoleId}
    where (role.permissions | coalesce(everyone.permissions, 0)) & ${String(mask)}::bigint <> 0
      and users.confirmed_at is not null and users.approved and not users.disabled
      and accounts.suspended_at is null and accounts.deleted_at is null and not accounts.memorial`.execute(db);
  for (const { id: userId } of rows) enqueue(sendStaffMail({ userId, ...mail }));
}
