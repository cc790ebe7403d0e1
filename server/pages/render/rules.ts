import { html, type Html } from '../../platform/http/html.ts';
import { negotiateLanguage } from '../../platform/i18n/locales.ts';
import { siteSettings } from '../../site/index.ts';
import { listRules, type SiteRule } from '../../site/rules/index.ts';
import type { Visitor } from '../visitor.ts';

/** Renders the rules of the server, each in the language of the reader if it has a translation. Nothing if there are none. */
export async function renderRules(visitor: Visitor): Promise<Html | undefined> {
  const { app, t } = visitor;
  const [list, { languages }] = await Promise.all([listRules(app), siteSettings(app)]);
  if (list.length === 0) return undefined;
  return html`<h2>${t('sections.rules')}</h2>
    <ol class="rules">
      ${list.map((rule) => renderRule(visitor, rule, languages[0] ?? ''))}
    </ol>`;
}

function renderRule({ t, session, request }: Visitor, { translations, ...rule }: SiteRule, original: string): Html {
  const acceptLanguage = request.headers['accept-language']?.toString();
  const available = [original, ...Object.keys(translations)];
  const language = negotiateLanguage(available, session?.locale, acceptLanguage) ?? t.locale;
  const translation = translations[language];
  const { text, hint } = translation ?? rule;
  const isForeign = translation !== undefined && language !== t.locale;
  return html`<li${isForeign && html` lang="${language}"`}>
    ${text}${hint !== '' && html` <span class="soft small">${hint}</span>`}
  </li>`;
}
