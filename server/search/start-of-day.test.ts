import { expect, test } from 'vitest';
import { startOfDay } from './start-of-day.ts';

test.each([
  ['2026-11-21', null, '2026-11-21T00:00:00.000Z'],
  ['2026-11-21', 'Europe/Berlin', '2026-11-20T23:00:00.000Z'],
  ['2026-11-21', 'America/New_York', '2026-11-21T05:00:00.000Z'],
  // Clocks go forward at 16:00 UTC on 3 October, after midnight there and before midnight in UTC.
  ['2026-10-04', 'Australia/Sydney', '2026-10-03T14:00:00.000Z'],
  ['2026-10-05', 'Australia/Sydney', '2026-10-04T13:00:00.000Z'],
  // They go back at 16:00 UTC on 4 April.
  ['2026-04-05', 'Australia/Sydney', '2026-04-04T13:00:00.000Z'],
  ['2026-04-06', 'Australia/Sydney', '2026-04-05T14:00:00.000Z'],
])('%s begins in %s at %s', (day, timeZone, expected) => {
  expect(startOfDay(day, timeZone).toISOString()).toBe(expected);
});
