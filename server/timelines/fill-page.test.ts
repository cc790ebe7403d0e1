import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Page } from '../platform/http/pages.ts';
import type { StatusId } from '../platform/ids.ts';
import { fillPage, type CandidateBatch } from './fill-page.ts';

const page = (given: Partial<Page>): Page => ({
  limit: 3,
  maxId: undefined,
  sinceId: undefined,
  minId: undefined,
  ...given,
});

/** A listing of the numbers 1 … size, of which a viewer sees those that `isShown` says. */
function listing(size: number, isShown: (id: number) => boolean, step: number) {
  const read = async (from: StatusId | undefined, ascending: boolean): Promise<CandidateBatch<StatusId>> => {
    const start = from === undefined ? (ascending ? 0 : size + 1) : Number(from);
    const numbers = Array.from({ length: step }, (_, index) => (ascending ? start + 1 + index : start - 1 - index));
    const ids = numbers.filter((id) => id > 0 && id <= size).map((id) => String(id) as StatusId);
    return { ids, next: ids.length === step ? ids.at(-1) : undefined };
  };
  const keep = async (ids: StatusId[]): Promise<StatusId[]> => ids.filter((id) => isShown(Number(id)));
  return { read, keep };
}

test('a page is filled although some of its entries are hidden', async () => {
  const { read, keep } = listing(20, (id) => id % 3 === 0, 3);
  expect(await fillPage(page({}), read, keep)).toEqual({ ids: ['18', '15', '12'], first: '18', last: '12' });
  expect((await fillPage(page({ minId: '4' }), read, keep)).ids).toEqual(['12', '9', '6']);
  expect((await fillPage(page({ sinceId: '13' }), read, keep)).ids).toEqual(['18', '15']);
  expect((await fillPage(page({ minId: '4', maxId: '9' }), read, keep)).ids).toEqual(['6']);
});

test('where very much is hidden, the link still leads on', async () => {
  const { read, keep } = listing(1_000, (id) => id < 10, 3);
  const first = await fillPage(page({}), read, keep);
  expect(first.ids).toEqual([]);
  expect(first.last).toBe('977');
});

test('walking a listing by its links visits every visible entry once, in both directions', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 90 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 90 })),
      fc.integer({ min: 1, max: 7 }),
      async (size, hidden, limit) => {
        const shown = (id: number) => !hidden.includes(id);
        const { read, keep } = listing(size, shown, 5);
        const expected = Array.from({ length: size }, (_, index) => size - index)
          .filter(shown)
          .map(String);
        const down: string[] = [];
        for (let maxId: string | undefined; ;) {
          const { ids, last } = await fillPage(page({ limit, maxId }), read, keep);
          down.push(...ids);
          if (last === undefined) break;
          maxId = last;
        }
        expect(down).toEqual(expected);
        const up: string[] = [];
        for (let minId = '0'; ;) {
          const { ids, first } = await fillPage(page({ limit, minId }), read, keep);
          up.unshift(...ids);
          if (first === undefined) break;
          minId = first;
        }
        expect(up).toEqual(expected);
      },
    ),
  );
});
