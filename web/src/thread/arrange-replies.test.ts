import { expect, test } from 'vitest';
import { arrangeReplies, rowsAbove, unfoldedRows } from './arrange-replies.ts';

const reply = (id: string, parent: string | null, author = id, count = 0) => ({
  id,
  in_reply_to_id: parent,
  replies_count: count,
  account: { id: author },
});
const shape = (...args: Parameters<typeof arrangeReplies>): string =>
  arrangeReplies(...args)
    .map(
      ({ id, depth, continues, missing }) =>
        '>'.repeat(depth) + (continues ? '|' : '') + id + (missing > 0 ? `+${missing}` : ''),
    )
    .join(' ');
const root = reply('1', null, 'alice');

test('replies stand below what they answer', () => {
  const replies = [reply('2', '1'), reply('3', '1'), reply('4', '2'), reply('5', '4')];
  expect(shape(root, replies)).toBe('2 >4 >>5 3');
});

test('what the author wrote next comes first, and goes on at the same depth', () => {
  const replies = [reply('2', '1', 'bob'), reply('3', '1', 'alice'), reply('4', '3', 'alice'), reply('5', '4', 'bob')];
  expect(shape(root, replies)).toBe('3 |4 >5 2');
});

test('replies that are not loaded are counted, and those without their parent come last', () => {
  expect(shape(root, [reply('2', '1', 'bob', 3), reply('9', '8')])).toBe('2+3 9');
  expect(shape(root, [])).toBe('');
});

test('a folded reply hides everything below it, and a row knows what it is below', () => {
  const rows = arrangeReplies(root, [
    reply('2', '1'),
    reply('3', '1'),
    reply('4', '2'),
    reply('5', '4'),
    reply('6', '3'),
  ]);
  expect(rows.map(({ id, below }) => [id, below])).toEqual([
    ['2', 2],
    ['4', 1],
    ['5', 0],
    ['3', 1],
    ['6', 0],
  ]);
  const shown = (...folded: string[]) => unfoldedRows(rows, new Set(folded)).map(({ id }) => id);
  expect(shown()).toEqual(['2', '4', '5', '3', '6']);
  expect(shown('4')).toEqual(['2', '4', '3', '6']);
  expect(shown('2', '4', '3')).toEqual(['2', '3']);
  expect(rowsAbove(rows, '5').map(({ id }) => id)).toEqual(['2', '4']);
  expect(rowsAbove(rows, '3')).toEqual([]);
  expect(rowsAbove(rows, '99')).toEqual([]);
});
