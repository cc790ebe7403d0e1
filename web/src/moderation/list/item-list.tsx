import type { ComponentChildren } from 'preact';
import { t } from '../../i18n/translate.tsx';
import { EmptyState, ErrorState, LoadingPosts } from '../../ui/states.tsx';
import type { Pages } from '../../store/pages.ts';
import { keyOf, type Listed } from './listed.ts';

interface ItemListProps<Item extends Listed> {
  readonly list: Pages<Item>;
  readonly label: string;
  /** Shown if there are no items: what would be here. */
  readonly empty: string;
  readonly renderItem: (item: Item) => ComponentChildren;
}

/** Shows a list of the API with its states, and a button for the next page. */
export function ItemList<Item extends Listed>(props: ItemListProps<Item>) {
  const { list, label, empty, renderItem } = props;
  const items = list.items.value;
  const state = list.state.value;
  if (items.length === 0) {
    if (state === 'loading') return <LoadingPosts count={4} />;
    if (state === 'failed') return <ErrorState error={list.error} onRetry={() => void list.load()} />;
    return <EmptyState title={empty} />;
  }
  return (
    <>
      <ul class="items" aria-label={label}>
        {items.map((item) => (
          <li key={keyOf(item)}>{renderItem(item)}</li>
        ))}
      </ul>
      {state === 'failed' && <ErrorState error={list.error} onRetry={() => void list.loadMore()} />}
      {!list.isComplete.value && state !== 'failed' && (
        <p class="more-items">
          <button
            type="button"
            class="button quiet"
            disabled={state === 'loading'}
            onClick={() => void list.loadMore()}
          >
            {t('moderation.loadMore')}
          </button>
        </p>
      )}
    </>
  );
}
