import { expect, test } from 'vitest';
import { positionOf, ratioOf } from './layout.ts';

test.each([
  [800, 600, 4 / 3],
  [100, 1000, 0.8],
  [3000, 300, 2.5],
  [0, 0, 16 / 9],
])('an image of %d × %d is shown with the ratio %d', (width, height, ratio) => {
  expect(ratioOf({ meta: { original: { width, height } } })).toBeCloseTo(ratio);
});

test('an attachment of unknown size has the shape of a video', () => {
  expect(ratioOf({ meta: null })).toBeCloseTo(16 / 9);
});

test('the focal point stays visible', () => {
  expect(positionOf({ meta: { focus: { x: -1, y: 1 } } })).toBe('0% 0%');
  expect(positionOf({ meta: { focus: { x: 0, y: -0.5 } } })).toBe('50% 75%');
  expect(positionOf({ meta: null })).toBe('50% 50%');
});
