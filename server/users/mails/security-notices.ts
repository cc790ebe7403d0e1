import { Type } from 'typebox';
import { formatDay } from '../../platform/i18n/format-day.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { describeBrowser } from '../sessions/describe-browser.ts';
import { loadMailContext } from './mail-context.ts';
import { findMailableUser } from './mail-jobs.ts';
import { composeMail, handleOf } from './mails.ts';
import { sendUserMail } from './send-user-mail.ts';

const SecurityNotice = Type.Enum([
  'totpEnabled',
  'totpDisabled',
  'recoveryCodesRenewed',
  'recoveryCodeUsed',
  'secondFactorFailed',
  'secondFactorRemoved',
  'passkeyAdded',
  'passkeyRemoved',
  'identityLinked',
  'identityUnlinked',
]);

/** Notifies a user of a change of the credentials, or of a threat to them. */
export const sendSecurityNotice = defineJob(
  'user.send_security_notice',
  Type.Object({ userId: idSchema<'user'>(), notice: SecurityNotice }),
  async (app, { userId, notice }) => {
    const user = await findMailableUser(app, userId);
    if (user === undefined) return;
    const facts = { ...(await loadMailContext(app, user)), link: `${app.config.baseUrl}/auth/password/new` };
    const { t, site } = facts;
    const mail = composeMail(facts, {
      subject: t('security.noticeSubject', { site }),
      before: [t(`security.${notice}Mail`, { handle: handleOf(facts) }), t('security.noticeAsk')],
      action: t('mail.newPasswordAction'),
      after: [],
    });
    await sendUserMail(app, { to: user.email, ...mail });
  },
  'mail',
);

/** Notifies a user of a sign-in from a new browser or address. */
export const sendNewSignIn = defineJob(
  'user.send_new_sign_in',
  Type.Object({ userId: idSchema<'user'>(), ip: Type.String(), userAgent: Type.String(), at: Type.String() }),
  async (app, { userId, ip, userAgent, at }) => {
    const user = await findMailableUser(app, userId);
    if (user === undefined) return;
    const facts = { ...(await loadMailContext(app, user)), link: `${app.config.baseUrl}/settings/sessions` };
    const { t, site } = facts;
    const mail = composeMail(facts, {
      subject: t('security.newSignInSubject', { site }),
      before: [
        t('security.newSignIn', { handle: handleOf(facts) }),
        t('security.newSignInFrom', {
          browser: describeBrowser(t, userAgent),
          ip,
          date: formatDay(t, at),
          time: at.slice(11, 16),
        }),
        t('security.newSignInAsk'),
      ],
      action: t('security.sessionsTitle'),
      after: [t('security.newSignInHow')],
    });
    await sendUserMail(app, { to: user.email, ...mail });
  },
  'mail',
);
