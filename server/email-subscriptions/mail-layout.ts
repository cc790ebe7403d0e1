import type { App } from '../platform/app.ts';
import { html, type Html } from '../platform/http/html.ts';
import { textDirection, type Locale } from '../platform/i18n/locales.ts';
import { loadCachedAccounts, parseAccount } from '../accounts/present/index.ts';
import type { AccountId } from '../platform/ids.ts';

/** The author of a newsletter, as mails name it. */
export interface Author {
  /** Display name, or the username if it is empty. */
  readonly name: string;
  readonly username: string;
  readonly handle: string;
  readonly url: string;
}

/** Loads the author. Undefined if the account was deleted. */
export async function loadAuthor(app: App, accountId: AccountId): Promise<Author | undefined> {
  const body = (await loadCachedAccounts(app, [accountId])).get(accountId);
  if (body === undefined) return undefined;
  const { display_name: displayName, username, url } = parseAccount(body);
  return { name: displayName.trim() || username, username, handle: `@${username}@${app.config.domain}`, url };
}

/** Returns the headers by which mail programs sort a newsletter and end it with one click (RFC 2919, RFC 8058). */
export function listHeaders(app: App, { username }: Author, unsubscribe: string): Record<string, string> {
  return {
    'List-Id': `<${username}.${app.config.domain.replace(/:\d+$/, '')}>`,
    'List-Unsubscribe': `<${unsubscribe}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/** Renders the HTML of a mail. */
export function renderMailHtml(locale: Locale, subject: string, body: Html): string {
  return html`<!doctype html>
    <html lang="${locale}" dir="${textDirection(locale)}">
      <head>
        <meta charset="utf-8" />
        <title>${subject}</title>
      </head>
      <body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1d2430;background:#f4f5f8">
        <div style="max-width:32rem;margin:0 auto;padding:24px;background:#fff;border-radius:12px">${body}</div>
      </body>
    </html>`.text;
}

/** Renders plain text as paragraphs, with its line breaks. */
export const renderParagraphs = (text: string): Html[] =>
  text
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => html`<p dir="auto" style="white-space:pre-line">${part}</p>`);

/** Renders the end of a mail in small type. */
export const renderFooter = (lines: readonly string[], link: { readonly url: string; readonly label: string }): Html =>
  html`<div style="margin-top:32px;color:#5a6372;font-size:14px">
    ${lines.map((line) => html`<p>${line}</p>`)}
    <p><a href="${link.url}" style="color:#5a6372">${link.label}</a></p>
  </div>`;
