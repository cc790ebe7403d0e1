import { Type } from 'typebox';
import { loadCachedAccounts } from '../accounts/present/index.ts';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/database/transaction.ts';
import { on } from '../platform/events/reactions.ts';
import { idSchema } from '../platform/ids.ts';
import { defineJob } from '../platform/jobs/define-job.ts';
import { listUsersWithPermission } from '../users/access/index.ts';
import { composeMail, loadMailContext } from '../users/mails/index.ts';
import { reportCreated } from './events.ts';
import type { ReportId } from './tables.ts';

/** Mails one member of the staff about a report. No-op if the report or the user is gone. */
export const sendReportMail = defineJob(
  'report.send_mail',
  Type.Object({ reportId: idSchema<'report'>(), userId: idSchema<'user'>() }),
  async (app, { reportId, userId }) => {
    const [report, staff] = await Promise.all([
      app.db.selectFrom('reports').selectAll().where('id', '=', reportId).executeTakeFirst(),
      listUsersWithPermission(app, 'manage_reports'),
    ]);
    const user = staff.find(({ id }) => id === userId);
    if (report === undefined || user === undefined) return;
    const accounts = await loadCachedAccounts(app, [report.account_id, report.target_account_id]);
    const target = accounts.get(report.target_account_id);
    if (target === undefined) return;
    const facts = { ...(await loadMailContext(app, user)), link: target.url };
    const { t, site } = facts;
    const handle = `@${target.acct}`;
    const reporter =
      report.domain === null
        ? `@${accounts.get(report.account_id)?.acct ?? 'unknown'}`
        : t('mail.someoneOn', { domain: report.domain });
    const count = report.status_ids.length;
    await app.mail.send({
      to: user.email,
      ...composeMail(facts, {
        subject: t('mail.reportSubject', { target: handle, site }),
        before: [
          t('mail.reported', { reporter, target: handle, category: t(categoryKeys[report.category]) }),
          ...(count === 0 ? [] : [t('mail.reportPosts', { count })]),
          ...(report.comment === '' ? [] : [t('mail.reportComment', { comment: report.comment })]),
        ],
        action: t('mail.reportAction'),
        after: [],
      }),
    });
  },
  'mail',
);

const categoryKeys = {
  spam: 'mail.reportSpam',
  legal: 'mail.reportLegal',
  violation: 'mail.reportViolation',
  other: 'mail.reportOther',
} as const;

/**
 * Mails the staff who manage reports about a new one. While an older report about the same account is open, they know
 * about it already.
 */
export const mailStaff = on([reportCreated], {
  name: 'report.mail_staff',
  run: async (app, { reportId }) => {
    if (!(await isFirstOpenReport(app, reportId))) return;
    const staff = await listUsersWithPermission(app, 'manage_reports');
    await transaction(app, async ({ enqueue }) => {
      for (const { id: userId } of staff) enqueue(sendReportMail({ reportId, userId }));
    });
  },
});

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
