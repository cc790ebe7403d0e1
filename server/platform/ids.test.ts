import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareIds, dateFromId, idFromDate, isId, newId } from './ids.ts';

test('ids of one process only grow, and carry their moment', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  const ids = Array.from({ length: 1_000 }, () => newId(now));
  expect(ids.toSorted(compareIds)).toEqual(ids);
  expect(new Set(ids).size).toBe(1_000);
  expect(dateFromId(ids[0] as string)).toEqual(now);
  expect(dateFromId(idFromDate(new Date('2001-01-01T00:00:00Z')))).toEqual(new Date('2001-01-01T00:00:00Z'));
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
