import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { requestLinked } from '../api/client.ts';

/** Returns the items of a list as they are after a change. Leaves a list as it is that has the change already. */
type ItemsChange<Item> = (items: readonly Item[]) => readonly Item[];

/** A list of the API that is loaded page by page. */
export class Pages<Item> {
  readonly items: ReadonlySignal<readonly Item[]>;
  readonly state = signal<'loading' | 'ready' | 'failed'>('loading');
  readonly isComplete = signal(false);
  error: unknown;
  readonly #path: string;
  readonly #itemsOf: (result: never) => readonly Item[];
  readonly #items = signal<readonly Item[]>([]);
  /** Made while a page is loaded. */
  #changes: ItemsChange<Item>[] = [];
  #next: string | undefined;
  #running: AbortController | undefined;

  /** `itemsOf` returns the list from a response, which is the list itself if absent. */
  constructor(path: string, itemsOf: (result: never) => readonly Item[] = (result) => result) {
    this.#path = path;
    this.#itemsOf = itemsOf;
    this.items = this.#items;
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

  /** Changes the items. The response that is on its way may be older than the change, so it is applied to that as well. */
  change(change: ItemsChange<Item>): void {
    this.#items.value = change(this.#items.peek());
    if (this.#running !== undefined) this.#changes.push(change);
  }

  /** Removes the items that match. Returns a function that puts them back at their places. */
  removeWhere(isRemoved: (item: Item) => boolean): () => void {
    const removed = [...this.#items.peek().entries()].filter(([, item]) => isRemoved(item));
    this.change((items) => items.filter((item) => !isRemoved(item)));
    return () =>
      this.change((items) =>
        items.some(isRemoved) ? items : removed.reduce((all, [index, item]) => all.toSpliced(index, 0, item), items),
      );
  }

  async #load(path: string, before: readonly Item[]): Promise<void> {
    this.cancel();
    const running = (this.#running = new AbortController());
    this.#changes = [];
    this.state.value = 'loading';
    try {
      const { result, next } = await requestLinked<never>(path, { signal: running.signal });
      if (running.signal.aborted) return;
      const loaded = this.#itemsOf(result);
      this.#items.value = this.#changes.reduce<readonly Item[]>(
        (items, change) => change(items),
        [...before, ...loaded],
      );
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
