import type { Locale } from './locales.ts';

/**
 * Returns a day, in UTC, as people write it: "December 31, 2026", "31. Dezember 2026". A string has the form
 * `2026-12-31`.
 */
export const formatDay = ({ locale }: { readonly locale: Locale }, day: Date | string): string =>
  new Date(day).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' });
