import type { Column } from '../session/settings.ts';

/** Columns in the order in which they are shown: pinned ones first. */
export const inOrder = (columns: readonly Column[]): readonly Column[] => [
  ...columns.filter(({ isPinned }) => isPinned),
  ...columns.filter(({ isPinned }) => !isPinned),
];

/** Moves a column to the place of another one. A column stays among the pinned or the other ones. */
export function moveColumn(columns: readonly Column[], id: string, targetId: string): readonly Column[] {
  const ordered = inOrder(columns);
  const from = ordered.findIndex((column) => column.id === id);
  const to = ordered.findIndex((column) => column.id === targetId);
  const [moved, target] = [ordered[from], ordered[to]];
  if (moved === undefined || target === undefined || moved.isPinned !== target.isPinned) return ordered;
  const others = ordered.filter((column) => column !== moved);
  return [...others.slice(0, to), moved, ...others.slice(to)];
}

/** Returns the column before (-1) or after (1) a column that can change places with it. */
export function neighbourOf(columns: readonly Column[], id: string, step: -1 | 1): Column | undefined {
  const ordered = inOrder(columns);
  const at = ordered.findIndex((column) => column.id === id);
  const found = ordered[at + step];
  return found !== undefined && found.isPinned === ordered[at]?.isPinned ? found : undefined;
}

/** Changes a column. Pinning moves it behind the pinned ones. */
export const changeColumn = (
  columns: readonly Column[],
  id: string,
  changes: Partial<Omit<Column, 'id'>>,
): readonly Column[] => inOrder(columns.map((column) => (column.id === id ? { ...column, ...changes } : column)));

/** Adds a column at a place, from 0 in the shown order. No-op if it is there. */
export function insertColumn(columns: readonly Column[], added: Column, index: number): readonly Column[] {
  if (columns.some(({ id }) => id === added.id)) return columns;
  const ordered = inOrder(columns);
  return inOrder([...ordered.slice(0, index), added, ...ordered.slice(index)]);
}

const home: Column = { id: 'home', source: 'home', isPinned: false };

/** The columns of somebody who has not chosen any. */
export const firstColumns: readonly Column[] = [home, { id: 'local', source: 'public:local', isPinned: false }];

/**
 * The tabs of home: the columns in their order, without the composer, which phones have as a page. Home itself is among
 * them.
 */
export function tabsOf(columns: readonly Column[]): readonly Column[] {
  const tabs = inOrder(columns).filter(({ source }) => source !== 'composer');
  return tabs.some(({ source }) => source === 'home') ? tabs : [home, ...tabs];
}
