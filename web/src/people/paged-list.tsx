import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { requestPage, withQuery, type Query } from '../api/client.ts';
import { t } from '../i18n/translate.tsx';
import { ErrorState, LoadingPosts } from '../ui/states.tsx';
import './paged-list.css';

/** A list of the API that is loaded page by page. */
export class PagedList<Item> {
  readonly items = signal<readonly Item[]>([]);
  readonly state = signal<'loading' | 'ready' | 'failed'>('loading');
  readonly hasMore = signal(false);
  error: unknown;
  #next: string | undefined;
  #isLoading = false;
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    this.#next = path;
  }

  /** Loads the first page again. */
  reload(): Promise<void> {
    this.#next = this.#path;
    return this.#load([]);
  }

  /** Loads the next page, if there is one. */
  loadMore(): Promise<void> {
    return this.#load(this.items.peek());
  }

  /** Removes the items that match. */
  removeWhere(isRemoved: (item: Item) => boolean): void {
    this.items.value = this.items.peek().filter((item) => !isRemoved(item));
  }

  async #load(before: readonly Item[]): Promise<void> {
    const path = this.#next;
    if (path === undefined || this.#isLoading) return;
    this.#isLoading = true;
    this.state.value = 'loading';
    try {
      const { items, next } = await requestPage<Item>(path);
      this.#next = items.length === 0 ? undefined : next;
      this.hasMore.value = this.#next !== undefined;
      this.items.value = [...before, ...items];
      this.state.value = 'ready';
    } catch (error) {
      this.error = error;
      this.state.value = 'failed';
    } finally {
      this.#isLoading = false;
    }
  }
}

/** Returns the list at a path of the API. Its first page is loaded. */
export function usePagedList<Item>(path: string, query?: Query): PagedList<Item> {
  const full = withQuery(path, query);
  const list = useMemo(() => new PagedList<Item>(full), [full]);
  useEffect(() => void list.reload(), [list]);
  return list;
}

interface PagedItemsProps<Item> {
  readonly list: PagedList<Item>;
  /** The name of the list for screen readers. */
  readonly label: string;
  readonly empty: ComponentChildren;
  readonly keyOf: (item: Item) => string;
  readonly render: (item: Item) => ComponentChildren;
}

/** The items of a list. The next page is loaded when its end comes into view. */
export function PagedItems<Item>({ list, label, empty, keyOf, render }: PagedItemsProps<Item>) {
  const items = list.items.value;
  const state = list.state.value;
  if (items.length === 0 && !(state === 'ready' && list.hasMore.value)) {
    if (state === 'failed') return <ErrorState error={list.error} onRetry={() => void list.loadMore()} />;
    return state === 'ready' ? <>{empty}</> : <LoadingPosts count={4} />;
  }
  return (
    <>
      <ul class="rows" aria-label={label} aria-busy={state === 'loading'}>
        {items.map((item) => (
          <li key={keyOf(item)}>{render(item)}</li>
        ))}
      </ul>
      {state === 'failed' ? (
        <ErrorState error={list.error} onRetry={() => void list.loadMore()} />
      ) : (
        list.hasMore.value && <MoreItems load={() => void list.loadMore()} />
      )}
    </>
  );
}

function MoreItems({ load }: { readonly load: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting === true) load();
    });
    if (button.current !== null) observer.observe(button.current);
    return () => observer.disconnect();
  });
  return (
    <p class="more-items">
      <button ref={button} type="button" class="button quiet" onClick={load}>
        {t('people.showMore')}
      </button>
    </p>
  );
}
