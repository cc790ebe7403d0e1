import { expect, test } from 'vitest';
import type { Column } from '../session/settings.ts';
import { changeColumn, inOrder, insertColumn, moveColumn, neighbourOf, tabsOf } from './columns.ts';

const column = (id: string, isPinned = false): Column => ({ id, source: 'home', isPinned });
const columns = [column('a', true), column('b'), column('c'), column('d')];
const idsOf = (list: readonly Column[]): string => list.map(({ id }) => id).join('');

test('a column moves to the place of another one, in both directions', () => {
  expect(idsOf(moveColumn(columns, 'b', 'd'))).toBe('acdb');
  expect(idsOf(moveColumn(columns, 'd', 'b'))).toBe('adbc');
});

test('pinned columns come first, and others do not move before them', () => {
  expect(idsOf(moveColumn(columns, 'c', 'a'))).toBe('abcd');
  expect(idsOf(changeColumn(columns, 'd', { isPinned: true }))).toBe('adbc');
  expect(idsOf(inOrder([column('x'), column('y', true)]))).toBe('yx');
  expect(neighbourOf(columns, 'b', -1)).toBeUndefined();
  expect(neighbourOf(columns, 'b', 1)?.id).toBe('c');
  expect(neighbourOf(columns, 'd', 1)).toBeUndefined();
});

test('a column that does not exist changes nothing', () => {
  expect(idsOf(moveColumn(columns, 'z', 'b'))).toBe('abcd');
});

test('a removed column returns to its place, and once only', () => {
  const removed = column('c');
  const rest = columns.filter(({ id }) => id !== 'c');
  expect(idsOf(insertColumn(rest, removed, 2))).toBe('abcd');
  expect(idsOf(insertColumn(columns, removed, 0))).toBe('abcd');
});

test('home is among the tabs, and the composer is not', () => {
  const tag = { ...column('t'), source: 'tag:a' };
  const composer = { ...column('w'), source: 'composer' };
  expect(tabsOf([composer, tag]).map(({ source }) => source)).toEqual(['home', 'tag:a']);
  expect(idsOf(tabsOf([tag, column('h'), composer]))).toBe('th');
  expect(tabsOf([])).toHaveLength(1);
});
