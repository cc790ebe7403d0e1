import type { App } from '../platform/app.ts';
import { html, type Html } from '../platform/http/html.ts';
import type { Locale } from '../platform/i18n/locales.ts';
import { translator, type Translator } from '../platform/i18n/translator.ts';
import type { AccountId } from '../platform/ids.ts';
import type { MailMessage } from '../platform/mail.ts';
import { truncateText } from '../text/index.ts';
import { listHeaders, loadAuthor, renderFooter, renderMailHtml, renderParagraphs, type Author } from './mail-layout.ts';
import { subscriptionUrl } from './links.ts';
import type { MailedPost } from './load-mailed-posts.ts';
import type { EmailSubscriptionId } from './tables.ts';

const maxExcerptCharacters = 60;

interface Subscriber {
  readonly id: EmailSubscriptionId;
  readonly accountId: AccountId;
  readonly email: string;
  readonly locale: Locale;
}

/** Builds the mail about new posts. Undefined if the account was deleted. */
export async function buildPostsMail(
  app: App,
  subscriber: Subscriber,
  posts: readonly MailedPost[],
): Promise<MailMessage | undefined> {
  const t = translator(subscriber.locale);
  const author = await loadAuthor(app, subscriber.accountId);
  if (author === undefined) return undefined;
  const unsubscribe = await subscriptionUrl(app, 'unsubscribe', subscriber);
  const subject = subjectOf(t, author, posts);
  const reason = t('emailSubscriptions.reason', author);
  const stop = t('emailSubscriptions.unsubscribe');
  const text = posts.map((post) => [...linesOf(t, post), post.url].join('\n\n')).join('\n\n* * *\n\n');
  return {
    to: subscriber.email,
    subject,
    text: `${text}\n\n-- \n${reason}\n${stop}: ${unsubscribe}`,
    html: renderMailHtml(
      subscriber.locale,
      subject,
      html`${posts.map((post) => renderPost(t, post))} ${renderFooter([reason], { url: unsubscribe, label: stop })}`,
    ),
    headers: listHeaders(app, author, unsubscribe),
    isBulk: true,
  };
}

function subjectOf(t: Translator, { name }: Author, posts: readonly MailedPost[]): string {
  const [first, ...others] = posts;
  const excerpt = (first?.warning || first?.text || '').replaceAll(/\s+/g, ' ').trim();
  if (others.length > 0 || excerpt === '') return t('emailSubscriptions.newPosts', { name, count: posts.length });
  const cut = truncateText(excerpt, maxExcerptCharacters);
  return `${name}: ${cut === excerpt ? cut : `${cut.trimEnd()}…`}`;
}

/** Returns the content warning or the text of a post, and the number of its attachments. */
const linesOf = (t: Translator, { warning, text, attachments }: MailedPost): string[] => [
  ...(warning === '' ? [] : [t('emailSubscriptions.warning', { warning })]),
  ...(text === '' ? [] : [text]),
  ...(attachments === 0 ? [] : [t('notifications.attachments', { count: attachments })]),
];

const renderPost = (t: Translator, post: MailedPost): Html =>
  html`<div style="margin-bottom:24px;border-bottom:1px solid #d8dce5">
    ${linesOf(t, post).map(renderParagraphs)}
    <p><a href="${post.url}" style="color:#3b4fc4">${t('emailSubscriptions.readPost')}</a></p>
  </div>`;
