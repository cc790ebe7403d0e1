import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { requestLinked } from '../api/client.ts';

/** A list of the API that is loaded page by page. */
export class Pages<Item> {
  readonly items = signal<readonly Item[]>([]);
  readonly state = signal<'loading' | 'ready' | 'failed'>('loading');
  readonly isComplete = signal(false);
  error: unknown;
  readonly #path: string;
  readonly #itemsOf: (result: never) => readonly Item[];
  #next: string | undefined;
  #isLoading = false;

  /** `itemsOf` returns the list from a response, which is the list itself if absent. */
  constructor(path: string, itemsOf: (result: never) => readonly Item[] = (result) => result) {
    this.#path = path;
    this.#itemsOf = itemsOf;
  }

  /** Loads the first page. */
  load(): Promise<void> {
    return this.#load(this.#path, []);
  }

  /** Loads the next page; no-op at the end. */
  loadMore(): Promise<void> {
    if (this.items.peek().length === 0 && !this.isComplete.peek()) return this.load();
    return this.#next === undefined ? Promise.resolve() : this.#load(this.#next, this.items.peek());
  }

  /** Removes the items that match. */
  removeWhere(isRemoved: (item: Item) => boolean): void {
    this.items.value = this.items.peek().filter((item) => !isRemoved(item));
  }

  async #load(path: string, before: readonly Item[]): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    this.state.value = 'loading';
    try {
      const { result, next } = await requestLinked<never>(path);
      const loaded = this.#itemsOf(result);
      this.items.value = [...before, ...loaded];
      this.#next = loaded.length === 0 ? undefined : next;
      this.isComplete.value = this.#next === undefined;
      this.state.value = 'ready';
    } catch (error) {
      this.error = error;
      this.state.value = 'failed';
    } finally {
      this.#isLoading = false;
    }
  }
}

/** Returns the list at a path of the API. Its first page is loaded; another path is another list. */
export function usePages<Item>(path: string, itemsOf?: (result: never) => readonly Item[]): Pages<Item> {
  const pages = useMemo(() => new Pages<Item>(path, itemsOf), [path]);
  useEffect(() => void pages.load(), [pages]);
  return pages;
}
