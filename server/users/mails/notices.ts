import { suspensionRetentionDays } from '../../accounts/lifecycle/index.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { Type, type Static } from 'typebox';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { loadMailContext } from './mail-context.ts';
import { composeMail, handleOf, type MailContext } from './mails.ts';
import { sendUserMail } from './send-user-mail.ts';

const Notice = Type.Enum([
  'approved',
  'rejected',
  'postRejected',
  'warned',
  'sensitized',
  'disabled',
  'silenced',
  'suspended',
  'statusesDeleted',
  'statusesSensitized',
  'appealApproved',
  'appealApprovedDeleted',
  'appealRejected',
  'archiveReady',
]);
/** A decision of staff about a user, or work that was done for the user, who is notified by mail. */
export type Notice = Static<typeof Notice>;

/** Mails a notice. The job contains the address, because the user may be deleted before it runs. */
export const sendNotice = defineJob(
  'user.send_notice',
  Type.Object({
    notice: Notice,
    email: Type.String(),
    username: Type.String(),
    /** Language tag of the user. */
    locale: Type.Optional(Type.String()),
    text: Type.String(),
    /** The beginnings of the posts that it is about; empty for one without text. */
    posts: Type.Optional(Type.Array(Type.String())),
    /** How many posts are not among them. */
    morePosts: Type.Optional(Type.Integer()),
  }),
  async (app, { notice, email, username, locale = 'en', ...content }) => {
    const { path, action } = linkOf(notice);
    const facts = { ...(await loadMailContext(app, { username, locale })), link: `${app.config.baseUrl}${path}` };
    await sendUserMail(app, { to: email, ...noticeMail(facts, { notice, action, ...content }) });
  },
  'mail',
);

/** What a notice contains beside its own text. */
export interface NoticeContent {
  /** Message of staff. */
  readonly text?: string | undefined;
  readonly posts?: readonly string[];
  readonly morePosts?: number;
}

/** Queues the mail with a notice. No-op for an account without a user. */
export async function enqueueNotice(
  { db, enqueue }: Transaction,
  accountId: AccountId,
  notice: Notice,
  { text = '', posts, morePosts }: NoticeContent = {},
): Promise<void> {
  const user = await db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.email', 'users.locale', 'accounts.username'])
    .where('users.account_id', '=', accountId)
    .executeTakeFirst();
  if (user !== undefined) {
    enqueue(
      sendNotice({
        notice,
        ...user,
        text: text.trim(),
        ...(posts !== undefined && { posts: [...posts] }),
        ...(morePosts !== undefined && { morePosts }),
      }),
    );
  }
}

/** Where a notice leads: decisions that can be appealed lead to the page that shows them. */
function linkOf(notice: Notice) {
  if (notice === 'approved') return { path: '/auth/sign_in', action: 'session.signIn' } as const;
  if (notice === 'archiveReady') return { path: '/preferences/data', action: 'mail.archiveAction' } as const;
  if (notice === 'rejected' || notice === 'postRejected')
    return { path: '/about', action: 'mail.contactAction' } as const;
  return { path: '/settings/strikes', action: 'mail.strikeAction' } as const;
}

interface NoticeMail extends NoticeContent {
  readonly notice: Notice;
  readonly action: ReturnType<typeof linkOf>['action'];
}

function noticeMail(facts: MailContext, { notice, action, text = '', posts = [], morePosts = 0 }: NoticeMail) {
  const { t, site } = facts;
  const reason = text === '' ? [] : [t('mail.staffWrote', { text })];
  return composeMail(facts, {
    subject: t(`mail.${notice}Subject`, { site }),
    before: [t(`mail.${notice}`, { site, handle: handleOf(facts) }), ...reason],
    action: t(action),
    after: [
      ...(notice === 'suspended' ? [t('mail.suspendedRetention', { days: suspensionRetentionDays })] : []),
      ...quotePosts(facts, posts, morePosts),
    ],
  });
}

function quotePosts({ t }: MailContext, posts: readonly string[], more: number): string[] {
  if (posts.length === 0) return [];
  const quotes = posts.map((text) => (text === '' ? t('mail.postWithoutText') : t('mail.quotedPost', { text })));
  return [t('mail.aboutPosts'), ...quotes, ...(more > 0 ? [t('mail.morePosts', { count: more })] : [])];
}
