import { expect, test } from 'vitest';
import { findTrend, toPoints } from './chart-points.ts';

test('a line reaches from the left to the right, and its highest value to the top', () => {
  expect(toPoints([0, 5, 10], { width: 100, height: 24 })).toBe('0,22 50,12 100,2');
  expect(toPoints([0, 0], { width: 100, height: 24 })).toBe('0,22 100,22');
  expect(toPoints([], { width: 100, height: 24 })).toBe('');
});

test('a trend is the change in per cent', () => {
  expect(findTrend(15, 10)).toBe(50);
  expect(findTrend(5, 10)).toBe(-50);
  expect(findTrend(5, 0)).toBeUndefined();
  expect(findTrend(5, 5)).toBeUndefined();
});
