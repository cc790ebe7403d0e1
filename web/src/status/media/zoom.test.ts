import { expect, test } from 'vitest';
import { keepInside, maxScale, startView, zoomAt } from './zoom.ts';

test('the point under the pointer stays where it is', () => {
  const zoomed = zoomAt(startView, 2, { x: 100, y: -50 });
  expect(zoomed).toEqual({ scale: 2, x: -100, y: 50 });
  expect(zoomAt(zoomed, 1, { x: 100, y: -50 })).toEqual(startView);
});

test('the scale stays within its bounds', () => {
  expect(zoomAt(startView, 0.2, { x: 0, y: 0 }).scale).toBe(1);
  expect(zoomAt(startView, 50, { x: 0, y: 0 }).scale).toBe(maxScale);
});

test('a magnified image cannot be moved out of sight, and one of normal size not at all', () => {
  const size = { width: 200, height: 100 };
  expect(keepInside({ scale: 2, x: 500, y: -500 }, size)).toEqual({ scale: 2, x: 100, y: -50 });
  expect(keepInside({ scale: 1, x: 30, y: 30 }, size)).toEqual(startView);
});
