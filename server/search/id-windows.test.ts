import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StatusId } from '../platform/ids.ts';
import { divideIds } from './id-windows.ts';
import { timeTerms } from './search-terms.ts';

const idAt = (ms: number, low: number): string => ((BigInt(ms) << 16n) | BigInt(low)).toString();
const id = fc
  .tuple(fc.integer({ min: 0, max: 2 ** 41 }), fc.integer({ min: 0, max: 0xffff }))
  .map(([ms, low]) => idAt(ms, low));

test('every id of a range is in exactly one window, and windows are in order', () => {
  fc.assert(
    fc.property(fc.array(id, { minLength: 3, maxLength: 30 }), fc.constantFrom('down', 'up'), (all, direction) => {
      const sorted = all.toSorted((a, b) => Number(BigInt(a) - BigInt(b)));
      const [above, ...inner] = sorted;
      const below = inner.pop();
      const windows = divideIds({ below: below ?? '', above: above ?? '' }, direction);
      const windowOf = (each: string): number[] =>
        windows.flatMap((terms, index) =>
          timeTerms(each as StatusId).some((term) => terms.includes(term)) ? [index] : [],
        );
      const places = inner.map(windowOf);
      for (const place of places) expect(place).toHaveLength(1);
      const order = places.flat();
      expect(order).toEqual(order.toSorted((a, b) => (direction === 'down' ? b - a : a - b)));
    }),
  );
});

test('a range of all times has few windows and terms', () => {
  const windows = divideIds({ below: idAt(1_795_000_000_000, 0), above: '0' }, 'down');
  expect(windows).toHaveLength(13);
  expect(windows.flat().length).toBeLessThan(200);
});
