import { expect, test } from 'vitest';
import { unknownIn, withVisit } from './visits.ts';

const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

test('what was not there at the last visit is new, also if it is older than the newest reply', () => {
  const [visit] = withVisit([], { root: '1', pages: ['1'], ids: ['5', '3', '12'] });
  expect(visit?.ids).toEqual(['3', '5', '12']);
  expect(unknownIn(visit, '1', ['3', '4', '12', '13'])).toEqual(['4', '13']);
  expect(unknownIn(undefined, '1', ['3'])).toEqual([]);
  const [empty] = withVisit([], { root: '1', pages: ['1'], ids: [] });
  expect(unknownIn(empty, '1', ['3'])).toEqual(['3']);
});

test('the page of a reply shows a part of the thread: its replies are known on the page of the first post too', () => {
  const part = withVisit([], { root: '1', pages: ['3'], ids: ['5'] });
  expect(unknownIn(part[0], '1', ['3', '5', '8'])).toEqual([]);
  const [both] = withVisit(part, { root: '1', pages: ['1'], ids: ['3', '8'] });
  expect(unknownIn(both, '1', ['3', '5', '8', '9'])).toEqual(['9']);
  expect(unknownIn(both, '3', ['5', '6'])).toEqual(['6']);
});

test('of a long thread the newest replies are kept, and older ones are known', () => {
  const [visit] = withVisit([], { root: '1', pages: ['1'], ids: numbers(1, 250) });
  expect(visit?.ids).toHaveLength(100);
  expect(unknownIn(visit, '1', numbers(1, 252))).toEqual(['251', '252']);
});

test('the threads that were visited last are kept, each once', () => {
  const visited = (root: string) => ({ root, pages: [root], ids: [] });
  const all = numbers(1, 300).reduce((visits, root) => withVisit(visits, visited(root)), withVisit([], visited('0')));
  expect(all).toHaveLength(200);
  const again = withVisit(all, visited('150'));
  expect(again.map(({ root }) => root).slice(0, 2)).toEqual(['150', '300']);
  expect(again).toHaveLength(200);
});
