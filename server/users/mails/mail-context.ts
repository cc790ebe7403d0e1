import type { App } from '../../platform/app.ts';
import { translatorOf } from '../../platform/i18n/translator.ts';
import { siteSettings } from '../../site/index.ts';
import type { MailContext } from './mails.ts';

/** Returns what every mail to this user contains, but for its link. */
export async function loadMailContext(
  app: App,
  { username, locale }: { readonly username: string; readonly locale: string },
): Promise<Omit<MailContext, 'link'>> {
  const { title: site, defaultLanguage } = await siteSettings(app);
  return { t: translatorOf(locale, defaultLanguage), site, domain: app.config.domain, username };
}
