import { computed, signal, type ReadonlySignal } from '@preact/signals';
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

interface Formats {
  readonly full: Intl.DateTimeFormat;
  readonly relative: Intl.RelativeTimeFormat;
  readonly thisYear: Intl.DateTimeFormat;
  readonly otherYear: Intl.DateTimeFormat;
}

/** Making a format takes longer than all else that a post needs, so they are kept for the language. */
const formats: ReadonlySignal<Formats> = computed(() => ({
  full: new Intl.DateTimeFormat(locale.value, { dateStyle: 'full', timeStyle: 'short' }),
  relative: new Intl.RelativeTimeFormat(locale.value, { style: 'narrow', numeric: 'auto' }),
  thisYear: new Intl.DateTimeFormat(locale.value, { day: 'numeric', month: 'short' }),
  otherYear: new Intl.DateTimeFormat(locale.value, { day: 'numeric', month: 'short', year: 'numeric' }),
}));

/** A time as "5 min. ago", after a week as a date. The full time is its tooltip. */
export function RelativeTime({ time }: { readonly time: string }) {
  const date = new Date(time);
  return (
    <time dateTime={time} title={formats.value.full.format(date)}>
      {formatRelative(date, now.value)}
    </time>
  );
}

function formatRelative(date: Date, at: number): string {
  const { relative, thisYear, otherYear } = formats.value;
  const age = at - date.getTime();
  if (Math.abs(age) > daysShownAsRelative * 86_400_000) {
    const isThisYear = date.getFullYear() === new Date(at).getFullYear();
    return (isThisYear ? thisYear : otherYear).format(date);
  }
  const [unit, ms] = units.find(([, length]) => Math.abs(age) >= length) ?? ['second', 1_000];
  return unit === 'second' ? relative.format(0, 'second') : relative.format(-Math.round(age / ms), unit);
}
