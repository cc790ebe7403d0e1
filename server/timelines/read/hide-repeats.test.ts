import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StatusId } from '../../platform/ids.ts';
import { hideRepeats, repeatDistance, type FeedEntry } from './hide-repeats.ts';

const post = (id: number): FeedEntry => ({ id: String(id) as StatusId, reblogOfId: undefined });
const reblog = (id: number, of: number): FeedEntry => ({
  id: String(id) as StatusId,
  reblogOfId: String(of) as StatusId,
});

test('a boost is hidden while the post is among the forty entries before it', () => {
  const between = (count: number) => Array.from({ length: count }, (_, index) => post(900 - index));
  expect(hideRepeats([reblog(1000, 5), ...between(39), post(5)], 1)).toEqual([]);
  expect(hideRepeats([reblog(1000, 5), ...between(40), post(5)], 1)).toEqual(['1000']);
});

test('the oldest of several boosts of a post is shown', () => {
  expect(hideRepeats([reblog(9, 1), reblog(8, 1), reblog(7, 2), reblog(6, 1)], 4)).toEqual(['7', '6']);
});

test('the entries shown do not depend on how a feed is split into pages', () => {
  const entries = fc
    .array(fc.record({ original: fc.integer({ min: 1, max: 12 }), plain: fc.boolean() }), { maxLength: 150 })
    .map((items) =>
      items.map(({ original, plain }, index) => (plain ? post(1000 - index) : reblog(1000 - index, original))),
    );
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 30 }), (all, size) => {
      const unsplit = hideRepeats(all, all.length);
      const pieces: StatusId[] = [];
      for (let start = 0; start < all.length; start += size) {
        pieces.push(...hideRepeats(all.slice(start, start + size + repeatDistance), size));
      }
      expect(pieces).toEqual(unsplit);
    }),
  );
});
