import type { ComponentChildren } from 'preact';
import type { Pages } from '../store/pages.ts';
import { LoadMore } from './load-more.tsx';
import './rows.css';
import { ErrorState, LoadingPosts } from './states.tsx';

interface PagedListProps<Item> {
  readonly pages: Pages<Item>;
  /** The name of the list for screen readers. */
  readonly label: string;
  /** Shown if there is nothing. */
  readonly empty: ComponentChildren;
  readonly keyOf: (item: Item) => string;
  readonly render: (item: Item) => ComponentChildren;
  /** Whether an item is left out. */
  readonly isLeftOut?: (item: Item) => boolean;
  /** Whether a line is drawn below each item, for items that draw none. */
  readonly hasLines?: boolean;
}

/** The items of a list, which loads its next page when its end comes into view. */
export function PagedList<Item>({
  pages,
  label,
  empty,
  keyOf,
  render,
  isLeftOut,
  hasLines = false,
}: PagedListProps<Item>) {
  const items = pages.items.value.filter((item) => isLeftOut?.(item) !== true);
  const state = pages.state.value;
  const isComplete = pages.isComplete.value;
  if (items.length === 0 && (isComplete || state !== 'ready')) {
    if (state === 'failed') return <ErrorState error={pages.error} onRetry={() => void pages.load()} />;
    return state === 'ready' ? <>{empty}</> : <LoadingPosts count={4} />;
  }
  return (
    <>
      <ul class={hasLines ? 'rows' : 'paged-list'} aria-label={label} aria-busy={state === 'loading'}>
        {items.map((item) => (
          <li key={keyOf(item)}>{render(item)}</li>
        ))}
      </ul>
      {!isComplete && <LoadMore state={state} error={pages.error} onLoad={() => void pages.loadMore()} />}
    </>
  );
}
