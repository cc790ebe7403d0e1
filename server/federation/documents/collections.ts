import type { Json } from './values.ts';

/** Returns a paged collection. `first` is left out if the collection hides its items. */
export function pagedCollection(id: string, totalItems: number, pages: { first?: string; last?: string } = {}): Json {
  return { id, type: 'OrderedCollection', totalItems, ...pages };
}

/** Returns a collection with all of its items. */
export function inlineCollection(id: string, items: readonly unknown[], ordered = true): Json {
  return {
    id,
    type: ordered ? 'OrderedCollection' : 'Collection',
    totalItems: items.length,
    [ordered ? 'orderedItems' : 'items']: items,
  };
}

export interface CollectionPage {
  readonly id: string;
  readonly partOf: string;
  readonly items: readonly unknown[];
  readonly totalItems?: number;
  readonly next?: string | undefined;
  readonly prev?: string | undefined;
}

export function collectionPage({ id, partOf, items, totalItems, next, prev }: CollectionPage, ordered = true): Json {
  return {
    id,
    type: ordered ? 'OrderedCollectionPage' : 'CollectionPage',
    ...(totalItems !== undefined && { totalItems }),
    ...(next !== undefined && { next }),
    ...(prev !== undefined && { prev }),
    partOf,
    [ordered ? 'orderedItems' : 'items']: items,
  };
}
