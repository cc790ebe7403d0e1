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
  #running: AbortController | undefined;

  /** `itemsOf` returns the list from a response, which is the list itself if absent. */
  constructor(path: string, itemsOf: (result: never) => readonly Item[] = (result) => result) {
    this.#path = path;
    this.#itemsOf = itemsOf;
  }

  /** Loads the first page, in place of all items. */
  load(): Promise<void> {
    return this.#load(this.#path, []);
  }

  /** Loads the next page; no-op at the end, and while another one is loaded. */
  async loadMore(): Promise<void> {
    if (this.#running !== undefined) return;
    if (this.items.peek().length === 0 && !this.isComplete.peek()) await this.load();
    else if (this.#next !== undefined) await this.#load(this.#next, this.items.peek());
  }

  /** Cancels what is on its way. */
  cancel(): void {
    this.#running?.abort();
    this.#running = undefined;
  }

  /** Removes the items that match. */
  removeWhere(isRemoved: (item: Item) => boolean): void {
    this.items.value = this.items.peek().filter((item) => !isRemoved(item));
  }

  async #load(path: string, before: readonly Item[]): Promise<void> {
    this.cancel();
    const running = (this.#running = new AbortController());
    this.state.value = 'loading';
    try {
      const { result, next } = await requestLinked<never>(path, { signal: running.signal });
      if (running.signal.aborted) return;
      const loaded = this.#itemsOf(result);
      this.items.value = [...before, ...loaded];
      this.#next = loaded.length === 0 ? undefined : next;
      this.isComplete.value = this.#next === undefined;
      this.state.value = 'ready';
    } catch (error) {
      if (running.signal.aborted) return;
      this.error = error;
      this.state.value = 'failed';
    }
    this.#running = undefined;
  }
}

/** Returns the list at a path of the API. Its first page is loaded; another path is another list. */
export function usePages<Item>(path: string, itemsOf?: (result: never) => readonly Item[]): Pages<Item> {
  const pages = useMemo(() => new Pages<Item>(path, itemsOf), [path]);
  useEffect(() => {
    void pages.load();
    return () => pages.cancel();
  }, [pages]);
  return pages;
}
