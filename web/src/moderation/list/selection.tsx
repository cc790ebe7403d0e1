import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { t } from '../../i18n/translate.tsx';
import type { Pages } from '../../store/pages.ts';
import { keyOf, type Listed } from './listed.ts';
import './selection.css';

type Key = string | number;

/** The items of a list that are selected for a change, and what is wrong with those that were not changed. */
export class Selection<Item extends Listed> {
  readonly list: Pages<Item>;
  readonly keys = signal<ReadonlySet<Key>>(new Set());
  readonly problems = signal<ReadonlyMap<Key, string>>(new Map());

  constructor(list: Pages<Item>) {
    this.list = list;
  }

  /** The selected items in the order of the list. */
  get items(): readonly Item[] {
    return this.list.items.value.filter((item) => this.keys.value.has(keyOf(item)));
  }

  has(item: Item): boolean {
    return this.keys.value.has(keyOf(item));
  }

  toggle(item: Item, isSelected: boolean): void {
    const others = [...this.keys.peek()].filter((key) => key !== keyOf(item));
    this.keys.value = new Set(isSelected ? [...others, keyOf(item)] : others);
  }

  toggleAll(isSelected: boolean): void {
    this.keys.value = new Set(isSelected ? this.list.items.peek().map(keyOf) : []);
    this.problems.value = new Map();
  }
}

/** Returns the selection in a list. It begins empty for another list. */
export const useSelection = <Item extends Listed>(list: Pages<Item>): Selection<Item> =>
  useMemo(() => new Selection(list), [list]);

interface BarProps<Item extends Listed> {
  readonly selection: Selection<Item>;
  /** What can be done with the selected items. */
  readonly children: ComponentChildren;
}

/** Selects all items that are shown, and shows what can be done with the selected ones. */
export function SelectionBar<Item extends Listed>({ selection, children }: BarProps<Item>) {
  const number = selection.items.length;
  const shown = selection.list.items.value.length;
  if (shown === 0) return null;
  return (
    <div
      class={number > 0 ? 'selection-bar active' : 'selection-bar'}
      role="group"
      aria-label={t('moderation.selection')}
    >
      <label class="check">
        <input
          type="checkbox"
          checked={number === shown}
          indeterminate={number > 0 && number < shown}
          onChange={(event) => selection.toggleAll(event.currentTarget.checked)}
        />
        {t('moderation.selectAll')}
      </label>
      {number > 0 && (
        <>
          <span class="soft" role="status">
            {t('moderation.selected', { number })}
          </span>
          <div class="selection-actions">{children}</div>
        </>
      )}
    </div>
  );
}

interface ItemProps<Item extends Listed> {
  readonly selection: Selection<Item>;
  readonly item: Item;
  readonly name: string;
}

/** The checkbox that selects an item. */
export function SelectItem<Item extends Listed>({ selection, item, name }: ItemProps<Item>) {
  return (
    <label class="check select-item">
      <input
        type="checkbox"
        aria-label={t('moderation.select', { name })}
        checked={selection.has(item)}
        onChange={(event) => selection.toggle(item, event.currentTarget.checked)}
      />
    </label>
  );
}
