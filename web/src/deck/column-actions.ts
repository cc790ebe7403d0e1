import { t } from '../i18n/translate.tsx';
import { settings, type Column } from '../session/settings.ts';
import { offerUndo } from '../ui/undo.ts';
import { changeColumns, shownColumns } from './change-columns.ts';
import { changeColumn, insertColumn, moveColumn, neighbourOf } from './columns.ts';

/** What the reader chooses for a new column. */
export type NewColumn = Pick<Column, 'source' | 'label'>;

/** Moves a column by a place, if it can. `findHandle` returns what keeps the focus. */
export function stepColumn(id: string, step: -1 | 1, findHandle: () => HTMLElement | null | undefined): void {
  const target = neighbourOf(shownColumns(settings.peek().columns), id, step);
  if (target === undefined) return;
  placeColumn(id, target.id);
  requestAnimationFrame(() => findHandle()?.focus());
}

/** Moves a column to the place of another one. */
export const placeColumn = (id: string, targetId: string): void =>
  void changeColumns((columns) => moveColumn(columns, id, targetId));

export const alterColumn = (id: string, changes: Partial<Omit<Column, 'id'>>): void =>
  void changeColumns((columns) => changeColumn(columns, id, changes));

/** Removes a column, with a way to undo it. */
export function removeColumn(column: Column): void {
  const index = shownColumns(settings.peek().columns).findIndex(({ id }) => id === column.id);
  void changeColumns((columns) => columns.filter(({ id }) => id !== column.id));
  offerUndo(t('deck.removed'), () => changeColumns((columns) => insertColumn(columns, column, index)));
}

/** Adds a column at the end. Resolves when the server has it. */
export function addColumn(added: NewColumn): Promise<void> {
  const column: Column = { ...added, id: crypto.randomUUID(), isPinned: false };
  return changeColumns((columns) => insertColumn(columns, column, columns.length));
}
