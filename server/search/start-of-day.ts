import type { Day } from './parse-query.ts';

/** Returns the time at which a day begins in a time zone (IANA name; null: UTC). */
export function startOfDay(day: Day, timeZone: string | null): Date {
  const zone = timeZone ?? 'UTC';
  const inUtc = new Date(`${day}T00:00:00Z`);
  // Clocks may change between midnight there and midnight in UTC.
  const estimate = new Date(inUtc.getTime() - offsetMs(inUtc, zone));
  return new Date(inUtc.getTime() - offsetMs(estimate, zone));
}

/** Returns by how much the clocks of a time zone are ahead of UTC. */
function offsetMs(time: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(time);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = '0', minutes = '0'] = /^GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
