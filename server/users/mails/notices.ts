import { defineJob } from '../../platform/jobs/define-job.ts';
import { Type } from 'typebox';
import type { Transaction } from '../../platform/database/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { siteSettings } from '../../site/index.ts';
import { composeMail, type MailContext } from './mails.ts';

const Notice = Type.Enum(['approved', 'rejected', 'disabled', 'suspended']);
/** A decision of staff about a user, who is notified by mail. */
export type Notice = 'approved' | 'rejected' | 'disabled' | 'suspended';

/** Mails a decision of staff. The job contains the address, because the user may be deleted before it runs. */
export const sendNotice = defineJob(
  'user.send_notice',
  Type.Object({ notice: Notice, email: Type.String(), username: Type.String(), text: Type.String() }),
  async (app, { notice, email, username, text }) => {
    const path = notice === 'approved' ? '/auth/sign_in' : '/about';
    const facts = {
      site: (await siteSettings(app)).title,
      domain: app.config.domain,
      username,
      link: `${app.config.baseUrl}${path}`,
    };
    await app.mail.send({ to: email, ...noticeMail(facts, notice, text) });
  },
  'mail',
);

/** Queues the mail about a decision, with an optional text by staff. No-op for an account without a user. */
export async function enqueueNotice(
  { db, enqueue }: Transaction,
  accountId: AccountId,
  notice: Notice,
  text = '',
): Promise<void> {
  const user = await db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.email', 'accounts.username'])
    .where('users.account_id', '=', accountId)
    .executeTakeFirst();
  if (user !== undefined) enqueue(sendNotice({ notice, ...user, text: text.trim() }));
}

function noticeMail(facts: MailContext, notice: Notice, text: string) {
  const handle = `@${facts.username}@${facts.domain}`;
  const { subject, message, action } = {
    approved: {
      subject: `Your account on ${facts.site} is approved`,
      message: `the staff of ${facts.site} approved your account ${handle}. You can sign in now:`,
      action: 'Sign in',
    },
    rejected: {
      subject: `Your sign-up on ${facts.site} was rejected`,
      message: `the staff of ${facts.site} rejected your sign-up as ${handle}. Your data was deleted.`,
      action: 'How to contact the staff',
    },
    disabled: {
      subject: `Your account on ${facts.site} is disabled`,
      message: `the staff of ${facts.site} disabled your account ${handle}. You cannot use it, but others still see it.`,
      action: 'How to contact the staff',
    },
    suspended: {
      subject: `Your account on ${facts.site} is suspended`,
      message: `the staff of ${facts.site} suspended your account ${handle}. You cannot use it, and others cannot see it.`,
      action: 'How to contact the staff',
    },
  }[notice];
  const reason = text === '' ? [] : [`The staff wrote: ${text}`];
  return composeMail(facts, { subject, before: [message, ...reason], action, after: [] });
}
