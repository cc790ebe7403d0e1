import { signal } from '@preact/signals';
import { locale } from '../i18n/translate.tsx';

/** Ticks once a minute, so that all times on the page stay right. */
const now = signal(Date.now());
setInterval(() => (now.value = Date.now()), 60_000);

const units: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];
const daysShownAsRelative = 7;

/** A time as "5 min. ago", after a week as a date. The full time is its tooltip. */
export function RelativeTime({ time }: { readonly time: string }) {
  const date = new Date(time);
  const full = date.toLocaleString(locale.value, { dateStyle: 'full', timeStyle: 'short' });
  return (
    <time dateTime={time} title={full}>
      {formatRelative(date, now.value)}
    </time>
  );
}

function formatRelative(date: Date, at: number): string {
  const age = at - date.getTime();
  if (Math.abs(age) > daysShownAsRelative * 86_400_000) {
    const isThisYear = date.getFullYear() === new Date(at).getFullYear();
    return date.toLocaleDateString(locale.value, {
      day: 'numeric',
      month: 'short',
      ...(!isThisYear && { year: 'numeric' }),
    });
  }
  const format = new Intl.RelativeTimeFormat(locale.value, { style: 'narrow', numeric: 'auto' });
  const [unit, ms] = units.find(([, length]) => Math.abs(age) >= length) ?? ['second', 1_000];
  return unit === 'second' ? format.format(0, 'second') : format.format(-Math.round(age / ms), unit);
}
