import type { App } from '../../platform/app.ts';
import { translatorOf } from '../../platform/i18n/translator.ts';
import { siteSettings } from '../../site/index.ts';
import type { MailContext } from './mails.ts';

/** Returns what every mail to this user contains, but for its link. */
export async function loadMailContext(
  app: App,
  { username, locale }: { readonly username: string; readonly locale: string },
): Promise<Omit<MailContext, 'link'>> {
  return { t: translatorOf(locale), site: (await siteSettings(app)).title, domain: app.config.domain, username };
}
