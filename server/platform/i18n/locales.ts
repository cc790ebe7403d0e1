import Negotiator from 'negotiator';

/** The languages of the server's own texts. The first one is the default. */
export const locales = ['en', 'de'] as const;
export type Locale = (typeof locales)[number];

/** Returns the locale for a language tag: `de` for `de-AT`. Undefined if the server has no texts in that language. */
export function localeOfTag(tag: string): Locale | undefined {
  const [language = ''] = tag.toLowerCase().split('-', 1);
  return locales.find((locale) => locale === language);
}

/**
 * Returns the locale for a reader: that of the account, else the best one of an Accept-Language header, else
 * `fallback`. An account's language without texts counts as none.
 */
export function chooseLocale(
  accountTag: string | undefined,
  acceptLanguage: string | undefined,
  fallback: Locale = locales[0],
): Locale {
  const headers = { 'accept-language': acceptLanguage ?? '' };
  return (
    (accountTag === undefined ? undefined : localeOfTag(accountTag)) ??
    (new Negotiator({ headers }).language([...locales]) as Locale | undefined) ??
    fallback
  );
}
