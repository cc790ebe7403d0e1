import type { Pages } from '../../store/pages.ts';

/** What a list of the API contains. Servers are known by their domain. */
export type Listed = { readonly id: string | number } | { readonly domain: string };

/** Returns what distinguishes an item from the others of its list. */
export const keyOf = (item: Listed): string | number => ('id' in item ? item.id : item.domain);

/** Replaces an item of a list by its new version, or adds it as the first or last. */
export function putItem<Item extends Listed>(
  list: Pages<Item>,
  item: Item,
  newPlace: 'first' | 'last' = 'first',
): void {
  const isSame = (one: Item): boolean => keyOf(one) === keyOf(item);
  list.change((items) => {
    if (items.some(isSame)) return items.map((one) => (isSame(one) ? item : one));
    return newPlace === 'first' ? [item, ...items] : [...items, item];
  });
}
