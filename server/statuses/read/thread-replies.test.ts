import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StatusId } from '../../platform/ids.ts';
import { groupReplies, sortDepthFirst } from './thread-replies.ts';

const id = (number: number) => String(number) as StatusId;

function sortRows(root: StatusId, rows: Parameters<typeof groupReplies>[0]): StatusId[] {
  const replies = groupReplies(rows);
  return sortDepthFirst(root, (parent) => replies.get(parent) ?? []);
}

test('replies are ordered by time, each followed by its own replies', () => {
  const rows = [
    { id: id(5), parent: id(1) },
    { id: id(2), parent: id(1) },
    { id: id(10), parent: id(2) },
    { id: id(4), parent: id(2) },
    { id: id(6), parent: id(5) },
  ];
  expect(sortRows(id(1), rows)).toEqual(['2', '4', '10', '5', '6']);
});

test('a cycle of replies ends', () => {
  const rows = [
    { id: id(2), parent: id(1) },
    { id: id(1), parent: id(2) },
  ];
  expect(sortRows(id(1), rows)).toEqual(['2', '1']);
});

test('every reply occurs once, after its parent', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 40 }), (picks) => {
      const rows = picks.map((pick, index) => ({ id: id(index + 2), parent: id((pick % (index + 1)) + 1) }));
      const order = sortRows(id(1), fc.sample(fc.shuffledSubarray(rows, { minLength: rows.length }), 1)[0] ?? []);
      expect(order.toSorted()).toEqual(rows.map((row) => row.id).toSorted());
      for (const row of rows) {
        if (row.parent !== id(1)) expect(order.indexOf(row.parent)).toBeLessThan(order.indexOf(row.id));
      }
    }),
  );
});
