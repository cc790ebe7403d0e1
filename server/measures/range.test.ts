import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, countDays, firstIdOf, listDays, startOfDay, toDay } from './days.ts';
import { maxRangeDays } from './limits.ts';
import { parseRange, previousRange } from './range.ts';
import { formatBytes } from './read/format-bytes.ts';
import { listPeriods } from './read/load-retention.ts';

const time = fc.date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });

test('a range has the days of both times, at most two years, and the one before has as many and ends before it', () => {
  fc.assert(
    fc.property(time, time, (a, b) => {
      const [start, end] = a < b ? [a, b] : [b, a];
      const range = parseRange(start.toISOString(), end.toISOString());
      const days = listDays(range.from, range.to);
      expect(days.at(-1)).toBe(toDay(end));
      expect(days.length).toBeLessThanOrEqual(maxRangeDays);
      if (days.length < maxRangeDays) expect(days[0]).toBe(toDay(start));
      const before = previousRange(range);
      expect(countDays(before.from, before.to)).toBe(days.length);
      expect(addDays(before.to, 1)).toBe(range.from);
    }),
  );
});

test('months of a range are listed once each, and the first id of a day is the lowest one of its time', () => {
  fc.assert(
    fc.property(time, fc.nat(800), (start, length) => {
      const from = toDay(start);
      const to = addDays(from, length);
      const months = new Set(listDays(from, to).map((day) => `${day.slice(0, 7)}-01`));
      expect(listPeriods({ from, to }, 'month')).toEqual([...months]);
      expect(BigInt(firstIdOf(from))).toBe(BigInt(startOfDay(from).getTime()) << 16n);
    }),
  );
});

test.for([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1_023, '1,020 bytes'],
  [1_536, '1.5 kB'],
  [5 * 1_024 ** 2, '5 MB'],
  [1_024 ** 6, '1,020 PB'],
] as const)('%d bytes are shown as %s', ([bytes, text]) => {
  expect(formatBytes(bytes, 'en')).toBe(text);
});

test('bytes are shown in the language of the reader', () => {
  expect(formatBytes(1_536, 'de')).toBe('1,5 kB');
});
