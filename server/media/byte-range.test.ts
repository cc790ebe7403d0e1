import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRange } from './byte-range.ts';

test('ranges are parsed as players send them', () => {
  const cases = {
    'bytes=0-': { start: 0, end: 99 },
    'bytes=0-0': { start: 0, end: 0 },
    'bytes=10-19': { start: 10, end: 19 },
    'bytes=90-1000': { start: 90, end: 99 },
    'bytes=-10': { start: 90, end: 99 },
    'bytes=-1000': { start: 0, end: 99 },
    'bytes=100-': 'none',
    'bytes=-0': 'none',
    'bytes=20-10': 'whole',
    'bytes=0-1,5-6': 'whole',
    'bytes=-': 'whole',
    'items=0-1': 'whole',
    'bytes=a-b': 'whole',
    '': 'whole',
  };
  for (const [header, expected] of Object.entries(cases)) expect(parseRange(header, 100), header).toEqual(expected);
  expect(parseRange(undefined, 100)).toBe('whole');
  expect(parseRange('bytes=0-', 0)).toBe('none');
  expect(parseRange('bytes=-5', 0)).toBe('none');
});

test('a range lies within the file, whatever is requested', () => {
  const part = fc.oneof(fc.constant(''), fc.nat({ max: 200 }).map(String), fc.nat().map(String));
  fc.assert(
    fc.property(part, part, fc.nat({ max: 150 }), (first, last, size) => {
      const range = parseRange(`bytes=${first}-${last}`, size);
      if (typeof range === 'string') return true;
      expect(range.start).toBeGreaterThanOrEqual(0);
      expect(range.end).toBeGreaterThanOrEqual(range.start);
      expect(range.end).toBeLessThan(size);
      return true;
    }),
  );
});
