import Negotiator from 'negotiator';

/** The languages of the server's own texts. The first one is the default. */
export const locales = ['en', 'ar', 'de', 'es', 'fr', 'ja', 'pt'] as const;
export type Locale = (typeof locales)[number];

/**
 * Returns the locale for a reader: that of the account, else the best one of an Accept-Language header, else
 * `fallback`. An account's language without texts counts as none.
 */
export function chooseLocale(
  accountTag: string | undefined,
  acceptLanguage: string | undefined,
  fallback: Locale = locales[0],
): Locale {
  return negotiateLanguage(locales, accountTag, acceptLanguage) ?? fallback;
}

/** Matches the parameter `lang` of a URL, or of the path to which a page returns. */
const languageParameter = /(?:[?&]|%3F|%26)lang(?:=|%3D)([A-Za-z]{2,3}(?:[_-][A-Za-z0-9]{2,8})*)/i;

/**
 * Returns the language tag of a reader: the parameter `lang` of the URL if there are texts in that language, else the one
 * of the account.
 */
export function readerTag(url: string, accountTag: string | undefined): string | undefined {
  const [, requested] = languageParameter.exec(url) ?? [];
  const tag = requested?.replaceAll('_', '-');
  return tag !== undefined && findByTag(locales, tag) !== undefined ? tag : accountTag;
}

/**
 * Returns the best of the available languages for a reader: that of the account, else by an Accept-Language header.
 * Undefined if the reader prefers none of them. `de` also serves `de-AT`.
 */
export function negotiateLanguage<Language extends string>(
  available: readonly Language[],
  accountTag: string | undefined,
  acceptLanguage: string | undefined,
): Language | undefined {
  const headers = { 'accept-language': acceptLanguage ?? '' };
  return (
    (accountTag === undefined ? undefined : findByTag(available, accountTag)) ??
    (new Negotiator({ headers }).language([...available]) as Language | undefined)
  );
}

/** Returns the locale for a language tag, such as `de` for `de-AT`; undefined if there are no texts in the language. */
export const findLocale = (tag: string): Locale | undefined => findByTag(locales, tag);

/** Returns the direction of texts in a language. */
export function textDirection(tag: string): 'ltr' | 'rtl' {
  const [primary = ''] = tag.toLowerCase().split('-', 1);
  return rightToLeft.has(primary) ? 'rtl' : 'ltr';
}

const rightToLeft: ReadonlySet<string> = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']);

function findByTag<Language extends string>(available: readonly Language[], tag: string): Language | undefined {
  const wanted = tag.trim().toLowerCase().replaceAll('_', '-');
  const [primary = ''] = wanted.split('-', 1);
  return (
    available.find((language) => language.toLowerCase() === wanted) ??
    available.find((language) => language.toLowerCase() === primary)
  );
}
