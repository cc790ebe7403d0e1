import { loadCachedAccounts } from '../accounts/present/index.ts';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { later } from '../platform/write/reactions.ts';
import { translatorOf, type Translator } from '../platform/i18n/translator.ts';
import { siteSettings } from '../site/index.ts';
import { listStaffMailRecipients, sendStaffMail } from '../users/mails/index.ts';
import { reportCreated } from './events.ts';
import type { ReportId } from './tables.ts';

/**
 * Mails the staff who manage reports about a new one. While an older report about the same account is open, they know
 * about it already.
 */
export const mailStaff = later('default', [reportCreated], {
  name: 'report.mail_staff',
  run: async (app, { reportId }) => {
    if (!(await isFirstOpenReport(app, reportId))) return;
    const [describe, staff, { defaultLanguage }] = await Promise.all([
      loadDescription(app, reportId),
      listStaffMailRecipients(app, 'reports'),
      siteSettings(app),
    ]);
    if (describe === undefined) return;
    await transaction(app, async ({ enqueue }) => {
      for (const { id: userId, locale } of staff)
        enqueue(sendStaffMail({ kind: 'reports', userId, ...describe(translatorOf(locale, defaultLanguage)) }));
    });
  },
});

/** Loads a report and returns a function that describes it in a language. Undefined if the report or its target is gone. */
async function loadDescription(app: App, id: ReportId) {
  const report = await app.db.selectFrom('reports').selectAll().where('id', '=', id).executeTakeFirst();
  if (report === undefined) return undefined;
  const [accounts, { title: site }] = await Promise.all([
    loadCachedAccounts(app, [report.account_id, report.target_account_id]),
    siteSettings(app),
  ]);
  const account = accounts.get(report.target_account_id);
  if (account === undefined) return undefined;
  const target = `@${account.acct}`;
  const { domain, comment, status_ids: statusIds, category } = report;
  const reporterOf = (t: Translator): string =>
    domain === null ? `@${accounts.get(report.account_id)?.acct ?? 'unknown'}` : t('mail.someoneOn', { domain });
  return (t: Translator) => ({
    subject: t('mail.reportSubject', { target, site }),
    paragraphs: [
      t('mail.reported', { reporter: reporterOf(t), target, category: t(categoryKeys[category]) }),
      ...(statusIds.length === 0 ? [] : [t('mail.reportPosts', { count: statusIds.length })]),
      ...(comment === '' ? [] : [t('mail.reportComment', { comment })]),
    ],
    action: t('mail.reportAction'),
    path: account.url,
  });
}

const categoryKeys = {
  spam: 'mail.reportSpam',
  legal: 'mail.reportLegal',
  violation: 'mail.reportViolation',
  other: 'mail.reportOther',
} as const;

/** Whether no older report about the same account is open. */
async function isFirstOpenReport({ db }: App, id: ReportId): Promise<boolean> {
  const older = await db
    .selectFrom('reports as older')
    .innerJoin('reports as report', 'report.target_account_id', 'older.target_account_id')
    .select('older.id')
    .where('report.id', '=', id)
    .whereRef('older.id', '<', 'report.id')
    .where('older.action_taken_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return older === undefined;
}
