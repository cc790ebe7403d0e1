import { loadCachedAccounts } from '../../accounts/present/index.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { later } from '../../platform/write/reactions.ts';
import { translatorOf } from '../../platform/i18n/translator.ts';
import { siteSettings } from '../../site/index.ts';
import { truncateText } from '../../text/index.ts';
import { listStaffMailRecipients, sendStaffMail } from '../../users/mails/index.ts';
import { appealCreated } from '../events.ts';

const maxTextLength = 500;

/** Mails the staff who decide about appeals about a new one. */
export const mailStaffAboutAppeals = later('default', [appealCreated], {
  name: 'appeal.mail_staff',
  run: async (app, { appealId, accountId }) => {
    const appeal = await app.db
      .selectFrom('appeals')
      .select('text')
      .where('id', '=', appealId)
      .where('state', '=', 'pending')
      .executeTakeFirst();
    const account = (await loadCachedAccounts(app, [accountId])).get(accountId);
    if (appeal === undefined || account === undefined) return;
    const [{ title: site, defaultLanguage }, staff] = await Promise.all([
      siteSettings(app),
      listStaffMailRecipients(app, 'appeals'),
    ]);
    const handle = `@${account.username}@${app.config.domain}`;
    await transaction(app, async ({ enqueue }) => {
      for (const { id: userId, locale } of staff) {
        const t = translatorOf(locale, defaultLanguage);
        enqueue(
          sendStaffMail({
            kind: 'appeals',
            userId,
            subject: t('mail.appealSubject', { handle, site }),
            paragraphs: [t('mail.appeal', { handle, text: truncateText(appeal.text, maxTextLength) })],
            action: t('mail.reportAction'),
            path: account.url,
          }),
        );
      }
    });
  },
});
