import type { Pages } from '../../store/pages.ts';

/** What a list of the API contains. Servers are known by their domain. */
export type Listed = { readonly id: string | number } | { readonly domain: string };

/** Returns what distinguishes an item from the others of its list. */
export const keyOf = (item: Listed): string | number => ('id' in item ? item.id : item.domain);

/** Replaces an item of a list by its new version, or adds it as the first or last. */
export function putItem<Item extends Listed>(
  { items }: Pages<Item>,
  item: Item,
  newPlace: 'first' | 'last' = 'first',
): void {
  const before = items.peek();
  const isSame = (one: Item): boolean => keyOf(one) === keyOf(item);
  if (before.some(isSame)) items.value = before.map((one) => (isSame(one) ? item : one));
  else items.value = newPlace === 'first' ? [item, ...before] : [...before, item];
}

/** Removes an item of a list. Returns a function that puts it back at its place. */
export function removeItem<Item extends Listed>({ items }: Pages<Item>, key: string | number): () => void {
  const before = items.peek();
  items.value = before.filter((item) => keyOf(item) !== key);
  return () => (items.value = before);
}
