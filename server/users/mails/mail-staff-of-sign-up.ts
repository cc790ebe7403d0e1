import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { later } from '../../platform/write/reactions.ts';
import { translatorOf, type Translator } from '../../platform/i18n/translator.ts';
import type { UserId } from '../../platform/ids.ts';
import { siteSettings } from '../../site/index.ts';
import { signUpPending } from '../events.ts';
import { listStaffMailRecipients, sendStaffMail } from './staff-mail.ts';

/** Mails the staff who manage users about a sign-up that waits for approval. No-op if they decided meanwhile. */
export const mailStaffOfSignUp = later('default', [signUpPending], {
  name: 'user.mail_staff_of_sign_up',
  run: async (app, { userId }) => {
    const [describe, staff, { defaultLanguage }] = await Promise.all([
      loadDescription(app, userId),
      listStaffMailRecipients(app, 'sign_ups'),
      siteSettings(app),
    ]);
    if (describe === undefined) return;
    await transaction(app, async ({ enqueue }) => {
      for (const { id, locale } of staff)
        enqueue(sendStaffMail({ kind: 'sign_ups', userId: id, ...describe(translatorOf(locale, defaultLanguage)) }));
    });
  },
});

/** Returns a function that describes a pending sign-up in a language; undefined if it no longer waits. */
async function loadDescription(app: App, userId: UserId) {
  const [user, { title: site }] = await Promise.all([
    app.db
      .selectFrom('users')
      .innerJoin('accounts', 'accounts.id', 'users.account_id')
      .select(['accounts.username', 'users.email', 'users.sign_up_reason', 'users.lacks_proof_of_work'])
      .where('users.id', '=', userId)
      .where('users.approved', '=', false)
      .executeTakeFirst(),
    siteSettings(app),
  ]);
  if (user === undefined) return undefined;
  const { username, email, sign_up_reason: reason, lacks_proof_of_work: lacksProof } = user;
  return (t: Translator) => ({
    subject: t('mail.signUpPendingSubject', { site }),
    paragraphs: [
      t('mail.signUpPending', { handle: `@${username}`, email, site }),
      ...(reason === null ? [] : [t('mail.reportComment', { comment: reason })]),
      ...(lacksProof ? [t('mail.signUpLacksProof')] : []),
      t('mail.signUpPendingHow'),
    ],
    action: t('mail.trendsAction'),
    path: '/',
  });
}
