import { expect, test } from 'vitest';
import { centered, dragCrop, visiblePart } from './crop.ts';

test('as much of the image as fits is visible, in its middle', () => {
  expect(visiblePart({ width: 400, height: 200 }, 1, centered)).toEqual({ x: 100, y: 0, width: 200, height: 200 });
  expect(visiblePart({ width: 300, height: 300 }, 3, centered)).toEqual({ x: 0, y: 100, width: 300, height: 100 });
});

test('zoom makes the part smaller, and positions reach the edges', () => {
  const image = { width: 400, height: 200 };
  expect(visiblePart(image, 1, { zoom: 2, x: 0, y: 1 })).toEqual({ x: 0, y: 100, width: 100, height: 100 });
  expect(visiblePart(image, 1, { zoom: 2, x: 1, y: 0 })).toEqual({ x: 300, y: 0, width: 100, height: 100 });
});

test('dragging moves the part the other way and stops at the edges', () => {
  const image = { width: 400, height: 200 };
  expect(dragCrop(image, 1, centered, { x: 0.5, y: 0.5 })).toEqual({ zoom: 1, x: 0, y: 0.5 });
  expect(dragCrop(image, 1, centered, { x: -9, y: 0 })).toEqual({ zoom: 1, x: 1, y: 0.5 });
});
