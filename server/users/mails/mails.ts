import { html, type Html } from '../../platform/http/html.ts';
import type { MailMessage } from '../../platform/mail.ts';

/** Values that every mail to a user contains. */
export interface MailContext {
  /** Title of the server. */
  readonly site: string;
  readonly domain: string;
  readonly username: string;
  readonly link: string;
}

type MailBody = Omit<MailMessage, 'to'>;

/** Asks to confirm an address. */
export function confirmationMail(facts: MailContext): MailBody {
  return composeMail(facts, {
    subject: `Confirm your e-mail address for ${facts.site}`,
    before: [
      `this address was given for the account @${facts.username}@${facts.domain}.`,
      'If that was you, please confirm it within two days:',
    ],
    action: 'Confirm this address',
    after: ['If it was not you, ignore this message: the address stays unconfirmed.'],
  });
}

/** Contains the link that sets a new password. */
export function resetMail(facts: MailContext): MailBody {
  return composeMail(facts, {
    subject: `Set a new password for ${facts.site}`,
    before: [
      `someone requested a new password for @${facts.username}@${facts.domain}.`,
      'If that was you, choose one within six hours:',
    ],
    action: 'Choose a new password',
    after: ['If it was not you, ignore this message: your password does not change.'],
  });
}

/** Notifies of a changed password. */
export function passwordChangedMail(facts: MailContext): MailBody {
  return composeMail(facts, {
    subject: `Your password for ${facts.site} was changed`,
    before: [
      `the password of @${facts.username}@${facts.domain} was changed, and every app and browser was signed out.`,
      'If that was not you, set a new one at once:',
    ],
    action: 'Set a new password',
    after: [],
  });
}

/** Notifies of a requested change of address, and how to cancel it. */
export function emailChangeRequestedMail(facts: MailContext, newEmail: string): MailBody {
  return composeMail(facts, {
    subject: `A new e-mail address for your account on ${facts.site} was requested`,
    before: [
      `the e-mail address of @${facts.username}@${facts.domain} will change to ${newEmail} once that address is confirmed.`,
      'If that was not you, set a new password now. It cancels the change and signs out every app and browser:',
    ],
    action: 'Set a new password',
    after: ['If it was you, you do not need to do anything.'],
  });
}

/** Notifies the old address of the change. */
export function emailChangedMail(facts: MailContext): MailBody {
  return composeMail(facts, {
    subject: `Your e-mail address for ${facts.site} was changed`,
    before: [
      `the e-mail address of @${facts.username}@${facts.domain} was changed.`,
      'If that was not you, contact the staff of the server:',
    ],
    action: 'How to contact the staff',
    after: [],
  });
}

/** Builds a mail as text and as HTML: a greeting, paragraphs, one link and closing paragraphs. */
export function composeMail(
  { site, username, link }: MailContext,
  parts: { subject: string; before: readonly string[]; action: string; after: readonly string[] },
): MailBody {
  const { subject, before, action, after } = parts;
  const greeting = `Hello ${username},`;
  const text = [greeting, before.join('\n'), link, ...after, `-- \n${site}`].join('\n\n');
  const page = html`<!doctype html>
    <html lang="en">
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
