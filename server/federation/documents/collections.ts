import type { Json } from './values.ts';

/** A collection that is read page by page. `first` is left out when its members are not shown. */
export function pagedCollection(id: string, totalItems: number, pages: { first?: string; last?: string } = {}): Json {
  return { id, type: 'OrderedCollection', totalItems, ...pages };
}

/** A collection with all of its members at once. */
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
