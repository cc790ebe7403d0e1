import { Type } from 'typebox';
import { idSchema } from '../../platform/ids.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { loadMailContext } from './mail-context.ts';
import { composeMail } from './mails.ts';

/** Mails one staff member paragraphs and a link to a path of this server. No-op if the user was deleted. */
export const sendStaffMail = defineJob(
  'user.send_staff_mail',
  Type.Object({
    userId: idSchema<'user'>(),
    subject: Type.String(),
    paragraphs: Type.Array(Type.String()),
    /** Text of the link. */
    action: Type.String(),
    path: Type.String(),
  }),
  async (app, { userId, subject, paragraphs, action, path }) => {
    const user = await app.db
      .selectFrom('users')
      .innerJoin('accounts', 'accounts.id', 'users.account_id')
      .select(['users.email', 'users.locale', 'accounts.username'])
      .where('users.id', '=', userId)
      .where('accounts.deleted_at', 'is', null)
      .executeTakeFirst();
    if (user === undefined) return;
    const facts = { ...(await loadMailContext(app, user)), link: `${app.config.baseUrl}${path}` };
    await app.mail.send({ to: user.email, ...composeMail(facts, { subject, before: paragraphs, action, after: [] }) });
  },
  'mail',
);
