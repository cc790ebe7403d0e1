import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { request } from '../api/client.ts';
import type { Search, Status } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { StatusCard } from '../status/index.ts';
import { storeStatuses } from '../store/statuses.ts';
import { EmptyState, ErrorState, LoadingPosts } from '../ui/states.tsx';

const pageSize = 20;

/** Loads the posts after the first `offset`; fewer than `pageSize` are the last ones. */
type LoadPosts = (offset: number) => Promise<readonly Status[]>;

/** Returns what loads the posts that a search finds. */
export const searchPosts =
  (query: string): LoadPosts =>
  async (offset) => {
    const found = await request<Search>('GET', '/api/v2/search', {
      query: { q: query, type: 'statuses', limit: pageSize, offset },
    });
    return found.statuses;
  };

interface ColumnListProps {
  readonly load: LoadPosts;
  readonly title: string;
}

/** Posts that are no timeline: they are loaded when the column is opened. */
export function ColumnList({ load, title }: ColumnListProps) {
  const state = useMemo(
    () => ({
      ids: signal<readonly string[]>([]),
      progress: signal<'loading' | 'more' | 'complete' | { readonly error: unknown }>('loading'),
    }),
    [],
  );
  const loadMore = async (): Promise<void> => {
    state.progress.value = 'loading';
    try {
      const posts = await load(state.ids.peek().length);
      storeStatuses(posts);
      state.ids.value = [...new Set([...state.ids.peek(), ...posts.map(({ id }) => id)])];
      state.progress.value = posts.length < pageSize ? 'complete' : 'more';
    } catch (error) {
      state.progress.value = { error };
    }
  };
  useEffect(() => void loadMore(), []);
  const progress = state.progress.value;
  const ids = state.ids.value;
  return (
    // A region that scrolls can be scrolled by the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div class="column-body" tabIndex={0} role="group" aria-label={t('deck.postsOf', { title })}>
      {ids.map((id) => (
        <StatusCard key={id} id={id} context={undefined} />
      ))}
      {typeof progress === 'object' && <ErrorState error={progress.error} onRetry={() => void loadMore()} />}
      {progress === 'loading' && ids.length === 0 && <LoadingPosts />}
      {progress === 'complete' && ids.length === 0 && <EmptyState title={t('deck.empty')} />}
      {progress === 'more' && (
        <p class="column-end">
          <button type="button" class="button quiet" onClick={() => void loadMore()}>
            {t('timeline.loadOlder')}
          </button>
        </p>
      )}
    </div>
  );
}
