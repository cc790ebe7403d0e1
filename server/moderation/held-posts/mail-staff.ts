import { acctOf } from '../../accounts/present/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { later } from '../../platform/write/reactions.ts';
import { translatorOf } from '../../platform/i18n/translator.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { Schedule } from '../../platform/work/run-schedules.ts';
import { siteSettings } from '../../site/index.ts';
import { claimHeldPostsToMail, isAnyUnmailed, statusHeld, type HeldPostToMail } from '../../statuses/held/index.ts';
import { htmlToText, truncateText } from '../../text/index.ts';
import { claimStaffMail, listStaffMailRecipients, sendStaffMail } from '../../users/mails/index.ts';

/** Staff get at most one mail in this time, however many posts are held. */
const intervalMs = 3_600_000;
/** Posts that a mail quotes. */
const maxQuoted = 5;
const maxQuotedLength = 200;

/** Mails staff about the first held post at once. */
export const mailStaffAboutHeldPost = later('default', [statusHeld], {
  name: 'moderation.mail_staff_about_held_post',
  run: (app) => mailStaff(app),
});

/** Mails staff about the posts that were held since the last mail. */
export const mailStaffAboutHeldPosts: Schedule = {
  name: 'moderation.mail_staff_about_held_posts',
  pattern: '*/10 * * * *',
  run: mailStaff,
};

async function mailStaff(app: App): Promise<void> {
  const [{ title: site, defaultLanguage }, staff] = await Promise.all([
    siteSettings(app),
    listStaffMailRecipients(app, 'held_posts'),
  ]);
  await transaction(app, async (tx) => {
    // Most runs find none.
    if (!(await isAnyUnmailed(tx)) || !(await claimStaffMail(tx, app, 'held_posts', intervalMs))) return;
    const { count, newest } = await claimHeldPostsToMail(tx, app, maxQuoted);
    if (count === 0) return;
    const lines = await describePosts(tx, newest);
    for (const { id: userId, locale } of staff) {
      const t = translatorOf(locale, defaultLanguage);
      const subject = t('mail.heldPostsSubject', { count, site });
      const paragraphs = [t('mail.heldPosts', { count }), ...lines, t('mail.heldPostsHow')];
      const action = t('mail.trendsAction');
      tx.enqueue(sendStaffMail({ kind: 'held_posts', userId, subject, paragraphs, action, path: '/' }));
    }
  });
}

async function describePosts({ db }: Transaction, posts: readonly HeldPostToMail[]): Promise<string[]> {
  const authorIds = [...new Set(posts.map(({ accountId }) => accountId))];
  const authors = await db
    .selectFrom('accounts')
    .select(['id', 'username', 'domain'])
    .where('id', 'in', authorIds)
    .execute();
  const names = new Map(authors.map((author) => [author.id, acctOf(author)]));
  const nameOf = (id: AccountId): string => `@${names.get(id) ?? ''}`;
  return posts.map(
    ({ accountId, preview: { spoilerText, content } }) =>
      `${nameOf(accountId)}: ${truncateText(`${spoilerText}\n${htmlToText(content)}`.trim(), maxQuotedLength)}`,
  );
}
