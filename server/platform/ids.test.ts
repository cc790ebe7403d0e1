import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock } from './clock.ts';
import { bindSequence, compareIds, resumeAfter, dateFromId, idFromDate, isId, newId } from './ids.ts';

test('the ids of a process increase, and contain their time', () => {
  const clock = new ManualClock(new Date('2026-03-01T12:00:00Z'));
  const now = clock.now();
  const ids = Array.from({ length: 1_000 }, () => newId(now));
  expect(ids.toSorted(compareIds)).toEqual(ids);
  expect(new Set(ids).size).toBe(1_000);
  expect(dateFromId(ids[0] as string)).toEqual(now);
  expect(dateFromId(idFromDate(new Date('2001-01-01T00:00:00Z')))).toEqual(new Date('2001-01-01T00:00:00Z'));
});

test('ids increase even when the clock goes back by a second or a year, and once it has caught up', () => {
  const clock = new ManualClock(new Date('2026-03-01T12:00:00Z'));
  const steps = [0, -1, -65, -70, -3_600, -31_536_000, 1, 40_000_000, -100, 3_600];
  const ids = steps.map((seconds) => {
    clock.advance(seconds);
    return newId(clock.now());
  });
  expect(ids.toSorted(compareIds)).toEqual(ids);
  expect(new Set(ids).size).toBe(steps.length);
  expect(dateFromId(ids[7] as string)).toEqual(new Date(clock.now().getTime() - 3_500_000));
});

test('ids continue after the largest id of an earlier process', () => {
  const ahead = idFromDate(new Date(Date.now() + 86_400_000));
  resumeAfter(ahead);
  expect(compareIds(newId(), ahead)).toBe(1);
  resumeAfter('1');
  expect(compareIds(newId(), ahead)).toBe(1);
});

test('processes that continue after the same id, because their clocks are behind, create different ids', () => {
  const last = BigInt(idFromDate(new Date('2026-03-02T12:00:00Z')));
  const listIdsOfProcess = (): string[] => {
    const now = bindSequence(new Date('2026-03-01T12:00:00Z'), { last });
    return Array.from({ length: 20 }, () => newId(now));
  };
  const [one, other] = [listIdsOfProcess(), listIdsOfProcess()];
  expect(one.toSorted(compareIds)).toEqual(one);
  expect(one.filter((id) => other.includes(id)).length).toBeLessThan(5);
});

test('only 64-bit integers are ids', () => {
  fc.assert(
    fc.property(fc.bigInt(), (number) => {
      expect(isId(String(number))).toBe(number <= 2n ** 63n - 1n && number >= -(2n ** 63n - 1n));
    }),
  );
  for (const text of ['', ' 1', '1 ', '1e3', '0x1', '１']) expect(isId(text)).toBe(false);
});

test('ids are compared as numbers', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (a, b) => {
      expect(Math.sign(compareIds(String(a), String(b)))).toBe(a < b ? -1 : a > b ? 1 : 0);
    }),
  );
});
