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

/** Returns a format for the language of the client. It is kept, because making it takes longer than all else that a post needs. */
function formatOf<Format>(make: (language: string) => Format): ReadonlySignal<Format> {
  return computed(() => make(locale.value));
}

const fullFormat = formatOf((language) => new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' }));
const relativeFormat = formatOf(
  (language) => new Intl.RelativeTimeFormat(language, { style: 'narrow', numeric: 'auto' }),
);
const dayFormat = formatOf((language) => new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' }));
const yearFormat = formatOf(
  (language) => new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric' }),
);

const timeFormat = formatOf((language) => new Intl.DateTimeFormat(language, { timeStyle: 'short' }));
const weekdayTimeFormat = formatOf(
  (language) => new Intl.DateTimeFormat(language, { weekday: 'long', hour: 'numeric', minute: 'numeric' }),
);
const dayTimeFormat = formatOf(
  (language) =>
    new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', hour: 'numeric', minute: 'numeric' }),
);

/** Returns a moment of the last days for a sentence: the time of today, or the day and the time. */
export function formatMoment(at: number): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  const isThisWeek = Date.now() - at < (daysShownAsRelative - 1) * 86_400_000;
  return (isToday ? timeFormat : isThisWeek ? weekdayTimeFormat : dayTimeFormat).value.format(date);
}

/** A time as "5 min. ago", after a week as a date. The full time is its tooltip, made when a pointer is over it. */
export function RelativeTime({ time }: { readonly time: string }) {
  const date = new Date(time);
  return (
    <time dateTime={time} onPointerEnter={({ currentTarget }) => (currentTarget.title = fullFormat.value.format(date))}>
      {formatRelative(date, now.value)}
    </time>
  );
}

function formatRelative(date: Date, at: number): string {
  const age = at - date.getTime();
  if (Math.abs(age) > daysShownAsRelative * 86_400_000) {
    const isThisYear = date.getFullYear() === new Date(at).getFullYear();
    return (isThisYear ? dayFormat : yearFormat).value.format(date);
  }
  const [unit, ms] = units.find(([, length]) => Math.abs(age) >= length) ?? ['second', 1_000];
  return relativeFormat.value.format(unit === 'second' ? 0 : -Math.round(age / ms), unit);
}
