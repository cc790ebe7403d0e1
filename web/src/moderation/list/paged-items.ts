import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { requestPage, type Query } from '../../api/client.ts';

/** What a list of the API contains. Servers are known by their domain. */
export type Listed = { readonly id: string | number } | { readonly domain: string };

/** Returns what distinguishes an item from the others of its list. */
export const keyOf = (item: Listed): string | number => ('id' in item ? item.id : item.domain);

/** A list of the API that is loaded page by page. */
export class PagedItems<Item extends Listed> {
  readonly items = signal<readonly Item[]>([]);
  readonly state = signal<'loading' | 'ready' | 'failed'>('loading');
  readonly hasMore = signal(false);
  error: unknown;
  readonly #path: string;
  readonly #query: Query;
  #next: string | undefined;

  constructor(path: string, query: Query = {}) {
    this.#path = path;
    this.#query = query;
  }

  /** Loads the first page in place of all items. */
  async load(): Promise<void> {
    this.#next = undefined;
    await this.#append([]);
  }

  /** Adds the next page. No-op while another one is loaded, or at the end. */
  async loadMore(): Promise<void> {
    if (this.#next === undefined || this.state.peek() === 'loading') return;
    await this.#append(this.items.peek());
  }

  /** Replaces an item by its new version, or adds it as the first or last. */
  put(item: Item, newPlace: 'first' | 'last' = 'first'): void {
    const items = this.items.peek();
    const isSame = (one: Item): boolean => keyOf(one) === keyOf(item);
    if (items.some(isSame)) this.items.value = items.map((one) => (isSame(one) ? item : one));
    else this.items.value = newPlace === 'first' ? [item, ...items] : [...items, item];
  }

  /** Removes an item. Returns a function that puts it back at its place. */
  remove(key: string | number): () => void {
    const before = this.items.peek();
    this.items.value = before.filter((item) => keyOf(item) !== key);
    return () => (this.items.value = before);
  }

  async #append(items: readonly Item[]): Promise<void> {
    this.state.value = 'loading';
    try {
      const page = await requestPage<Item>(
        this.#next ?? this.#path,
        this.#next === undefined ? { query: this.#query } : {},
      );
      this.#next = page.next;
      this.hasMore.value = page.next !== undefined && page.items.length > 0;
      this.items.value = [...items, ...page.items];
      this.state.value = 'ready';
    } catch (error) {
      this.error = error;
      this.state.value = 'failed';
    }
  }
}

/** Returns the list of a path and its filters, and loads it. */
export function usePagedItems<Item extends Listed>(path: string, query: Query = {}): PagedItems<Item> {
  const list = useMemo(() => new PagedItems<Item>(path, query), [path, JSON.stringify(query)]);
  useEffect(() => void list.load(), [list]);
  return list;
}
