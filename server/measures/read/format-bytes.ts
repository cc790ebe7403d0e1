import type { Locale } from '../../platform/i18n/locales.ts';

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;
const step = 1024;

/** Returns a number of bytes for people, such as "1.5 MB". Units are multiples of 1,024. */
export function formatBytes(bytes: number, locale: Locale): string {
  const place = Math.min(Math.max(Math.floor(Math.log(bytes) / Math.log(step)), 0), units.length - 1);
  const unit = units[place] ?? 'byte';
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumSignificantDigits: 3,
  });
  return format.format(bytes / step ** place);
}
