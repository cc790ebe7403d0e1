import { sql } from 'kysely';
import { Type } from 'typebox';
import { later } from '../../platform/write/reactions.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { formatDay } from '../../platform/i18n/format-day.ts';
import { noId, type UserId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { termsAnnounced } from '../../site/index.ts';
import { findTermsOfService } from '../../site/terms/index.ts';
import { loadMailContext } from './mail-context.ts';
import { mailBatchPauseMs, mailBatchSize } from './mail-pace.ts';
import { composeMail, handleOf } from './mails.ts';
import { sendUserMail } from './send-user-mail.ts';

/** Users who were not active for longer get no mail. */
const activeWithinDays = 365;
const dayMs = 86_400_000;

const version = { effectiveDate: Type.String() };

/** Mails one user that the terms of service change. No-op if the user or the version was deleted. */
export const sendTermsNotice = defineJob(
  'user.send_terms_notice',
  Type.Object({ userId: idSchema<'user'>(), ...version }),
  async (app, { userId, effectiveDate }) => {
    const terms = await findTermsOfService(app, effectiveDate);
    const user = await app.db
      .selectFrom('users')
      .innerJoin('accounts', 'accounts.id', 'users.account_id')
      .select(['users.email', 'users.locale', 'accounts.username'])
      .where('users.id', '=', userId)
      .where('accounts.deleted_at', 'is', null)
      .executeTakeFirst();
    if (user === undefined || terms === undefined) return;
    const link = `${app.config.baseUrl}/terms-of-service/${effectiveDate}`;
    const facts = { ...(await loadMailContext(app, user)), link };
    const { t, site } = facts;
    const changes = terms.changelog.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '');
    const mail = composeMail(facts, {
      subject: t('mail.termsSubject', { site }),
      before: [
        t('mail.terms', { site, handle: handleOf(facts), date: formatDay(t, effectiveDate) }),
        ...(changes.length > 0 ? [t('mail.termsChanges'), ...changes] : []),
      ],
      action: t('mail.termsAction'),
      after: [t('mail.termsAccept')],
    });
    await sendUserMail(app, { to: user.email, ...mail });
  },
  'mail',
);

/** Queues the notices to the users after `after`, and the next batch. No-op if a run of this job did so already. */
export const sendTermsNotices = defineJob(
  'user.send_terms_notices',
  Type.Object({ after: idSchema<'user'>(), announcedAt: Type.String(), ...version }),
  async (app, { after, announcedAt, effectiveDate }) => {
    const now = app.clock.now();
    const activeSince = new Date(now.getTime() - activeWithinDays * dayMs);
    await transaction(app, async ({ db, enqueue }) => {
      const { rows } = await sql<{ id: UserId }>`
        select users.id from users join accounts on accounts.id = users.account_id
        where users.id > ${after}::bigint and users.confirmed_at is not null and users.approved and not users.disabled
          and accounts.suspended_at is null and accounts.deleted_at is null
          and coalesce(users.last_active_at, users.created_at) >= ${activeSince}::timestamptz
        order by users.id limit ${mailBatchSize}::int`.execute(db);
      const last = rows.at(-1);
      if (last === undefined) return;
      const { numAffectedRows } = await sql`
        update terms_notices set last_user_id = ${last.id}::bigint
        where effective_date = ${effectiveDate}::date and announced_at = ${announcedAt}::timestamptz
          and last_user_id = ${after}::bigint`.execute(db);
      if (numAffectedRows === 0n) return;
      for (const { id } of rows) enqueue(sendTermsNotice({ userId: id, effectiveDate }));
      const runAt = new Date(now.getTime() + mailBatchPauseMs);
      enqueue(sendTermsNotices({ after: last.id, announcedAt, effectiveDate }, { runAt }));
    });
  },
  'background',
);

/** Starts to notify users of new terms of service. */
export const announceTerms = later('default', [termsAnnounced], {
  name: 'user.announce_terms',
  run: (app, { effectiveDate, announcedAt }) =>
    transaction(app, async ({ db, enqueue }) => {
      const { numAffectedRows } = await sql`
        insert into terms_notices (effective_date, announced_at, last_user_id)
        values (${effectiveDate}::date, ${announcedAt}::timestamptz, 0) on conflict do nothing`.execute(db);
      if (numAffectedRows === 0n) return;
      enqueue(sendTermsNotices({ after: noId, announcedAt, effectiveDate }));
    }),
});
