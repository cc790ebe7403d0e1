import { expect, test } from 'vitest';
import { isTall, maxWidthOf, positionOf, previewUrlOf, ratioOf, rowsOf } from './layout.ts';

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

test.each([
  [600, 7000, true],
  [400, 1000, true],
  [1080, 2400, false],
  [600, 600, false],
  [0, 0, false],
])('an image of %d × %d is tall: %s', (width, height, expected) => {
  expect(isTall({ width, height })).toBe(expected);
});

test('a tall image is shown from its top in the file that can be read, unless its author chose a focal point', () => {
  const original = { width: 600, height: 7000 };
  const files = { url: 'original.png', preview_url: 'small.webp' };
  expect(positionOf({ meta: { original } })).toBe('50% 0%');
  expect(positionOf({ meta: { original, focus: { x: 0, y: 0 } } })).toBe('50% 0%');
  expect(positionOf({ meta: { original, focus: { x: 0, y: -1 } } })).toBe('50% 100%');
  expect(previewUrlOf({ ...files, meta: { original } })).toBe('original.png');
  expect(previewUrlOf({ ...files, url: null, meta: { original } })).toBe('small.webp');
  expect(previewUrlOf({ ...files, meta: { original: { width: 600, height: 400 } } })).toBe('small.webp');
  expect(previewUrlOf({ ...files, preview_url: null, meta: null })).toBe('original.png');
});

test('the focal point stays visible', () => {
  expect(positionOf({ meta: { focus: { x: -1, y: 1 } } })).toBe('0% 0%');
  expect(positionOf({ meta: { focus: { x: 0, y: -0.5 } } })).toBe('50% 75%');
  expect(positionOf({ meta: null })).toBe('50% 50%');
});

test.each<[string, readonly (readonly [number, number])[], readonly (readonly [number, number])[]]>([
  ['one', [[800, 600]], [[1, 4 / 3]]],
  [
    'two portraits',
    [
      [600, 750],
      [600, 900],
    ],
    [[2, 1.6]],
  ],
  [
    'two that are wide',
    [
      [1600, 900],
      [1600, 900],
    ],
    [
      [1, 16 / 9],
      [1, 16 / 9],
    ],
  ],
  [
    'three squares',
    [
      [500, 500],
      [500, 500],
      [500, 500],
    ],
    [[3, 3]],
  ],
  [
    'three, the first one wide',
    [
      [1600, 800],
      [500, 500],
      [500, 500],
    ],
    [
      [1, 2],
      [2, 2],
    ],
  ],
  [
    'four',
    [
      [500, 500],
      [500, 500],
      [500, 500],
      [500, 500],
    ],
    [
      [2, 2],
      [2, 2],
    ],
  ],
  [
    'four panoramas',
    [
      [3000, 300],
      [3000, 300],
      [3000, 300],
      [3000, 300],
    ],
    [
      [2, 4],
      [2, 4],
    ],
  ],
  [
    'six, of which four are shown',
    Array.from({ length: 6 }, () => [500, 500] as const),
    [
      [2, 2],
      [2, 2],
    ],
  ],
  ['none', [], []],
])('images are in rows by their shapes: %s', (_name, sizes, rows) => {
  const pictures = sizes.map(([width, height]) => ({ meta: { original: { width, height } } }));
  const found = rowsOf(pictures).map(({ items, ratio }) => [items.length, Math.round(ratio * 100) / 100]);
  expect(found).toEqual(rows.map(([count, ratio]) => [count, Math.round(ratio * 100) / 100]));
});

test('a small image is shown in its size, others as wide as the post', () => {
  const meta = (width: number) => ({ meta: { original: { width, height: 100 } } });
  expect(maxWidthOf({ type: 'image', ...meta(200) })).toBe(200);
  expect(maxWidthOf({ type: 'image', ...meta(16) })).toBe(72);
  expect(maxWidthOf({ type: 'image', ...meta(640) })).toBeUndefined();
  expect(maxWidthOf({ type: 'video', ...meta(200) })).toBeUndefined();
  expect(maxWidthOf({ type: 'image', meta: null })).toBeUndefined();
});
