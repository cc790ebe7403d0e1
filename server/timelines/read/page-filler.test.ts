import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Page } from '../../platform/http/pages.ts';
import type { StatusId } from '../../platform/ids.ts';
import { PageFiller, type FilledPage } from './page-filler.ts';

const page = (given: Partial<Page>): Page => ({
  limit: 3,
  maxId: undefined,
  sinceId: undefined,
  minId: undefined,
  ...given,
});

/** Returns a function that loads pages of the ids 1 to `size` in batches, without the ids that `isVisible` rejects. */
const listing =
  (size: number, isVisible: (id: number) => boolean, batchSize: number) =>
  (requested: Page): FilledPage<StatusId> => {
    const filler = new PageFiller<StatusId>(requested);
    while (filler.needsMore) {
      const { direction, bound } = filler.cursor;
      const start = Math.min(Number(bound), size + 1);
      const ids = Array.from(
        { length: batchSize },
        (_, index) => start + (direction === 'asc' ? 1 + index : -1 - index),
      )
        .filter((id) => id > 0 && id <= size)
        .map((id) => String(id) as StatusId);
      const visible = filler.withinPage(ids).filter((id) => isVisible(Number(id)));
      filler.add(visible, ids.length === batchSize ? ids.at(-1) : undefined);
    }
    return filler.result();
  };

test('a page is filled although some of its candidates are hidden', () => {
  const load = listing(20, (id) => id % 3 === 0, 3);
  expect(load(page({}))).toEqual({ ids: ['18', '15', '12'], first: '18', last: '12' });
  expect(load(page({ minId: '4' })).ids).toEqual(['12', '9', '6']);
  expect(load(page({ sinceId: '13' })).ids).toEqual(['18', '15']);
  expect(load(page({ minId: '4', maxId: '9' })).ids).toEqual(['6']);
});

test('a page that stays empty because nearly everything is hidden still links to the next one', () => {
  const first = listing(1_000, (id) => id < 10, 3)(page({}));
  expect(first.ids).toEqual([]);
  expect(first.last).toBe('977');
});

test('following the links of a listing visits every visible item once, in both directions', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 90 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 90 })),
      fc.integer({ min: 1, max: 7 }),
      (size, hidden, limit) => {
        const isVisible = (id: number) => !hidden.includes(id);
        const load = listing(size, isVisible, 5);
        const expected = Array.from({ length: size }, (_, index) => size - index)
          .filter(isVisible)
          .map(String);
        const down: string[] = [];
        for (let maxId: string | undefined; ;) {
          const { ids, last } = load(page({ limit, maxId }));
          down.push(...ids);
          if (last === undefined) break;
          maxId = last;
        }
        expect(down).toEqual(expected);
        const up: string[] = [];
        for (let minId = '0'; ;) {
          const { ids, first } = load(page({ limit, minId }));
          up.unshift(...ids);
          if (first === undefined) break;
          minId = first;
        }
        expect(up).toEqual(expected);
      },
    ),
  );
});
