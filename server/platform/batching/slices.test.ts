import { expect, test } from 'vitest';
import { forEachInSlices, inParts } from './slices.ts';

/** Creates a clock that advances by a millisecond for each item. */
function createClock() {
  let ms = 0;
  return { now: () => ms, pass: () => (ms += 1) };
}

test('long lists give other work a turn after a few milliseconds', async () => {
  const clock = createClock();
  const seen: (number | 'other work')[] = [];
  let isDone = false;
  const other = (): void => {
    seen.push('other work');
    if (!isDone) setImmediate(other);
  };
  setImmediate(other);
  const items = Array.from({ length: 200 }, (_, index) => index);
  await forEachInSlices(
    items,
    (item) => {
      clock.pass();
      seen.push(item);
    },
    clock.now,
  );
  isDone = true;
  expect(seen.filter((item) => item !== 'other work')).toEqual(items);
  const slices = seen.map(String).join(' ').split('other work');
  const sizes = slices.map((slice) => slice.trim().split(' ').filter(Boolean).length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(32);
});

test('short lists are done in one turn', async () => {
  const seen: string[] = [];
  setImmediate(() => seen.push('other work'));
  await forEachInSlices(['a', 'b', 'c'], (item) => seen.push(item));
  expect(seen).toEqual(['a', 'b', 'c']);
});

test('parts have at most the given size, and other work gets a turn between them', async () => {
  const seen: unknown[] = [];
  setImmediate(() => seen.push('other work'));
  for await (const part of inParts(['a', 'b', 'c'], 2)) seen.push(part);
  expect(seen).toEqual([['a', 'b'], 'other work', ['c']]);
  for await (const part of inParts([])) expect.unreachable(`an empty list has the part ${String(part)}`);
});
