import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance } from './edit-distance.ts';

test('letters added, left out, replaced or swapped count as one error each', () => {
  expect(editDistance('heron', 'heron')).toBe(0);
  expect(editDistance('heron', 'herons')).toBe(1);
  expect(editDistance('heron', 'hron')).toBe(1);
  expect(editDistance('heron', 'heroh')).toBe(1);
  expect(editDistance('heron', 'hreon')).toBe(1);
  expect(editDistance('kingfisher', 'knigfsher')).toBe(2);
  expect(editDistance('', 'abc')).toBe(3);
  expect(editDistance('🐦a', '🐧a')).toBe(1);
});

test('the distance is symmetric, zero only for equal words, and at most the longer length', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), maxLength: 8 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      const distance = editDistance(a, b);
      expect(distance).toBe(editDistance(b, a));
      expect(distance === 0).toBe(a === b);
      expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
      expect(distance).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
      for (const max of [0, 1, 2]) {
        const bounded = editDistance(a, b, max);
        expect(distance <= max ? bounded === distance : bounded > max).toBe(true);
      }
    }),
  );
});
