import { expect, test } from 'vitest';
import { continueVisit, isLongAbsence, lastSeenBefore } from './visits.ts';

const hour = 3_600_000;

test('a short pause continues a visit, a long one begins the next', () => {
  const first = continueVisit(undefined, 0);
  expect(first).toEqual({ startedAt: 0, seenAt: 0 });
  const later = continueVisit({ ...first, isCaughtUp: true }, hour / 2);
  expect(later).toEqual({ startedAt: 0, seenAt: hour / 2, isCaughtUp: true });
  expect(continueVisit(later, 9 * hour)).toEqual({ before: hour / 2, startedAt: 9 * hour, seenAt: 9 * hour });
});

test('catching up is offered after an absence of hours, until the reader decided', () => {
  expect(isLongAbsence({ startedAt: 9 * hour, seenAt: 9 * hour })).toBe(false);
  const visit = { before: hour, startedAt: 9 * hour, seenAt: 10 * hour };
  expect(isLongAbsence(visit)).toBe(true);
  expect(isLongAbsence({ ...visit, isCaughtUp: true })).toBe(false);
  expect(isLongAbsence({ ...visit, before: 7 * hour })).toBe(false);
  expect(lastSeenBefore(visit)).toBe(hour);
  expect(lastSeenBefore({ ...visit, elsewhere: 2 * hour })).toBe(2 * hour);
  expect(lastSeenBefore({ startedAt: 0, seenAt: 0 })).toBeUndefined();
});
