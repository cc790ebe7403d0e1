import { presentAccounts } from '../accounts/present/index.ts';
import type { App } from '../platform/app.ts';
import { translatorOf } from '../platform/i18n/translator.ts';
import { siteSettings } from '../site/index.ts';
import { htmlToText, truncateText } from '../text/index.ts';
import type { Push } from './load-push.ts';

/** Characters of the body, with the ellipsis (reference/limits.tsv). */
const maxBodyCharacters = 140;
const maxNameCharacters = 100;

/**
 * Returns the text of a push message (WebPushPayload in reference/entities.tsv), as JSON. Undefined if the account that
 * caused the notification is gone. `notification_id` is a number with all its digits.
 */
export async function buildPayload(app: App, push: Push): Promise<string | undefined> {
  const [presented] = await presentAccounts(app, push, [push.from]);
  if (presented === undefined) return undefined;
  const account = presented.parse();
  const { defaultLanguage } = await siteSettings(app);
  const name = shorten(account.display_name.trim() || account.username, maxNameCharacters);
  const fields = {
    access_token: push.token ?? '',
    preferred_locale: push.locale,
    notification_type: push.type,
    icon: account.avatar_static,
    title: translatorOf(push.locale, defaultLanguage)(`push.${textOf(push, account)}`, { name }),
    body: shorten(bodyOf(push, account.note), maxBodyCharacters),
  };
  return `{"notification_id":${push.notificationId},${JSON.stringify(fields).slice(1)}`;
}

/** A report about a post of a group comes from the group. */
const textOf = ({ type }: Push, { group }: { readonly group: boolean }) =>
  type === 'admin.report' && group ? 'admin.group_report' : type;

/** The content warning or the text of the status; without a status, the bio of the account. */
function bodyOf({ status }: Push, note: string): string {
  if (status === undefined) return htmlToText(note);
  return status.spoilerText || htmlToText(status.content);
}

/** Cuts a text to `limit` code points. */
function shorten(text: string, limit: number): string {
  const cut = truncateText(text, limit);
  return cut === text ? text : `${truncateText(text, limit - 1).trimEnd()}…`;
}
