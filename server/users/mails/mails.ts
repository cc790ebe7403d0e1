import { html, type Html } from '../../platform/http/html.ts';
import { textDirection } from '../../platform/i18n/locales.ts';
import type { Translator } from '../../platform/i18n/translator.ts';
import type { MailMessage } from '../../platform/mail.ts';

/** Values that every mail to a user contains. */
export interface MailContext {
  /** The texts in the language of the recipient. */
  readonly t: Translator;
  /** Title of the server. */
  readonly site: string;
  readonly domain: string;
  readonly username: string;
  readonly link: string;
}

type MailBody = Omit<MailMessage, 'to'>;

/** Asks to confirm an address. */
export function confirmationMail(facts: MailContext): MailBody {
  const { t, site } = facts;
  return composeMail(facts, {
    subject: t('mail.confirmSubject', { site }),
    before: [t('mail.confirmReason', { handle: handleOf(facts) }), t('mail.confirmAsk')],
    action: t('mail.confirmAction'),
    after: [t('mail.confirmIgnore')],
  });
}

/** Contains the link that sets a new password. */
export function resetMail(facts: MailContext): MailBody {
  const { t, site } = facts;
  return composeMail(facts, {
    subject: t('mail.resetSubject', { site }),
    before: [t('mail.resetReason', { handle: handleOf(facts) }), t('mail.resetAsk')],
    action: t('mail.resetAction'),
    after: [t('mail.resetIgnore')],
  });
}

/** Notifies of a changed password. */
export function passwordChangedMail(facts: MailContext): MailBody {
  const { t, site } = facts;
  return composeMail(facts, {
    subject: t('mail.passwordChangedSubject', { site }),
    before: [t('mail.passwordChanged', { handle: handleOf(facts) }), t('mail.passwordChangedAsk')],
    action: t('mail.newPasswordAction'),
    after: [],
  });
}

/** Notifies of a requested change of address, and how to cancel it. */
export function emailChangeRequestedMail(facts: MailContext, email: string): MailBody {
  const { t, site } = facts;
  return composeMail(facts, {
    subject: t('mail.emailRequestedSubject', { site }),
    before: [t('mail.emailRequested', { handle: handleOf(facts), email }), t('mail.emailRequestedAsk')],
    action: t('mail.newPasswordAction'),
    after: [t('mail.emailRequestedIgnore')],
  });
}

/** Notifies the old address of the change. */
export function emailChangedMail(facts: MailContext): MailBody {
  const { t, site } = facts;
  return composeMail(facts, {
    subject: t('mail.emailChangedSubject', { site }),
    before: [t('mail.emailChanged', { handle: handleOf(facts) }), t('mail.emailChangedAsk')],
    action: t('mail.contactAction'),
    after: [],
  });
}

export const handleOf = ({ username, domain }: MailContext): string => `@${username}@${domain}`;

/** Builds a mail as text and as HTML: a greeting, paragraphs, one link and closing paragraphs. */
export function composeMail(
  { t, site, username, link }: MailContext,
  parts: { subject: string; before: readonly string[]; action: string; after: readonly string[] },
): MailBody {
  const { subject, before, action, after } = parts;
  const greeting = t('mail.greeting', { username });
  const text = [greeting, before.join('\n'), link, ...after, `-- \n${site}`].join('\n\n');
  const page = html`<!doctype html>
    <html lang="${t.locale}" dir="${textDirection(t.locale)}">
      <head>
        <meta charset="utf-8" />
        <title>${subject}</title>
      </head>
      <body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1d2430;background:#f4f5f8">
        <div style="max-width:32rem;margin:0 auto;padding:24px;background:#fff;border-radius:12px">
          ${[greeting, ...before].map(paragraph)}
          <p style="margin:24px 0">
            <a
              href="${link}"
              style="display:inline-block;padding:12px 20px;border-radius:8px;background:#3b4fc4;color:#fff;text-decoration:none;font-weight:600"
              >${action}</a
            >
          </p>
          <p style="word-break:break-all;color:#5a6372;font-size:14px">${link}</p>
          ${after.map(paragraph)}
          <p style="color:#5a6372;font-size:14px">${site}</p>
        </div>
      </body>
    </html>`;
  return { subject: subject.replaceAll(/[\r\n]+/g, ' '), text, html: page.text };
}

const paragraph = (text: string): Html => html`<p>${text}</p>`;
