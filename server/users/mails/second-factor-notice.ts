import { sql } from 'kysely';
import { Type } from 'typebox';
import { transaction } from '../../platform/write/transaction.ts';
import { formatDay } from '../../platform/i18n/format-day.ts';
import type { UserId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { everyoneRoleId } from '../access/roles.ts';
import { secondFactorFromSql } from '../second-factor/second-factor-from.ts';
import { loadMailContext } from './mail-context.ts';
import { findMailableUser } from './mail-jobs.ts';
import { mailPace } from './mail-pace.ts';
import { composeMail, handleOf } from './mails.ts';
import { sendUserMail } from './send-user-mail.ts';

/** Mails one user from when on the account needs a second factor. No-op if it does not need one any more. */
export const sendSecondFactorNotice = defineJob(
  'user.send_second_factor_notice',
  Type.Object({ userId: idSchema<'user'>() }),
  async (app, { userId }) => {
    const user = await findMailableUser(app, userId);
    const from = await app.db
      .selectFrom('users')
      .select(secondFactorFromSql.as('day'))
      .where('users.id', '=', userId)
      .executeTakeFirst();
    if (user === undefined || from === undefined || from.day === null || from.day <= app.clock.now()) return;
    const facts = { ...(await loadMailContext(app, user)), link: `${app.config.baseUrl}/settings/two_factor` };
    const { t, site } = facts;
    const date = formatDay(t, from.day.toISOString());
    const mail = composeMail(facts, {
      subject: t('security.requiredSubject', { site, date }),
      before: [t('security.requiredMail', { handle: handleOf(facts), date }), t('security.twoFactorAbout')],
      action: t('security.twoFactor'),
      after: [],
    });
    await sendUserMail(app, { to: user.email, ...mail });
  },
  'mail',
);

/** Queues the mails to the users of a role without a second factor, once for each start of the requirement. */
export const announceSecondFactor = defineJob(
  'user.announce_second_factor',
  Type.Object({ roleId: idSchema<'role'>(), from: Type.String({ format: 'date-time' }) }),
  (app, { roleId, from }) =>
    transaction(app, async ({ db, enqueue }) => {
      const now = app.clock.now();
      const { numAffectedRows } = await sql`
        update roles set two_factor_announced_from = ${from}::timestamptz
        where id = ${roleId}::bigint and require_two_factor and require_two_factor_from = ${from}::timestamptz
          and two_factor_announced_from is distinct from ${from}::timestamptz`.execute(db);
      if (numAffectedRows === 0n) return;
      const { rows } = await sql<{ id: UserId }>`
        select users.id from users join accounts on accounts.id = users.account_id
        where (users.role_id = ${roleId}::bigint or ${roleId}::bigint = ${everyoneRoleId}::bigint)
          and not users.has_second_factor and users.confirmed_at is not null and users.approved and not users.disabled
          and accounts.suspended_at is null and accounts.deleted_at is null and not accounts.memorial
        order by users.id`.execute(db);
      for (const [index, { id }] of rows.entries())
        enqueue(sendSecondFactorNotice({ userId: id }, { runAt: mailPace(now, index) }));
    }),
  'background',
);
