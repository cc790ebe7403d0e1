import type { App } from '../platform/app.ts';
import { html } from '../platform/http/html.ts';
import { translator } from '../platform/i18n/translator.ts';
import type { Locale } from '../platform/i18n/locales.ts';
import type { AccountId } from '../platform/ids.ts';
import type { MailMessage } from '../platform/mail.ts';
import { listHeaders, loadAuthor, renderFooter, renderMailHtml, renderParagraphs } from './mail-layout.ts';
import { subscriptionUrl } from './links.ts';
import type { EmailSubscriptionId } from './tables.ts';

interface Subscription {
  readonly id: EmailSubscriptionId;
  readonly accountId: AccountId;
  readonly email: string;
  readonly locale: Locale;
}

/** Builds the mail that asks to confirm a subscription. Undefined if the account was deleted. */
export async function buildConfirmationMail(app: App, subscription: Subscription): Promise<MailMessage | undefined> {
  const { accountId, email, locale } = subscription;
  const t = translator(locale);
  const author = await loadAuthor(app, accountId);
  if (author === undefined) return undefined;
  const [confirm, unsubscribe] = await Promise.all([
    subscriptionUrl(app, 'confirm', subscription),
    subscriptionUrl(app, 'unsubscribe', subscription),
  ]);
  const subject = t('emailSubscriptions.confirmSubject', { handle: author.handle });
  const request = t('emailSubscriptions.confirmRequest', author);
  const ignore = t('emailSubscriptions.confirmIgnore');
  const action = t('emailSubscriptions.confirmAction');
  const stop = t('emailSubscriptions.unsubscribe');
  return {
    to: email,
    subject,
    text: [request, confirm, ignore, `-- \n${stop}: ${unsubscribe}`].join('\n\n'),
    html: renderMailHtml(
      locale,
      subject,
      html`${renderParagraphs(request)}
        <p style="margin:24px 0">
          <a
            href="${confirm}"
            style="display:inline-block;padding:12px 20px;border-radius:8px;background:#3b4fc4;color:#fff;text-decoration:none;font-weight:600"
            >${action}</a
          >
        </p>
        ${renderFooter([ignore], { url: unsubscribe, label: stop })}`,
    ),
    headers: listHeaders(app, author, unsubscribe),
  };
}
