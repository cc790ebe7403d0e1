import { useSignal } from '@preact/signals';
import type { Search, Status } from '../api/entities.ts';
import { withQuery } from '../api/client.ts';
import { t } from '../i18n/translate.tsx';
import { StatusCard } from '../status/index.ts';
import { usePages } from '../store/pages.ts';
import { storeStatuses } from '../store/statuses.ts';
import { PagedList } from '../ui/paged-list.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { EmptyState } from '../ui/states.tsx';
import './column-search.css';

const statusesOf = ({ statuses }: Search): readonly Status[] => {
  storeStatuses(statuses);
  return statuses;
};

interface ColumnSearchProps {
  readonly query: string;
  readonly title: string;
}

/** The posts that a search finds when the column is opened. */
export function ColumnSearch({ query, title }: ColumnSearchProps) {
  return (
    // A region that scrolls can be scrolled by the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div class="column-body" tabIndex={0} role="group" aria-label={t('deck.postsOf', { title })}>
      <FoundPosts query={query} title={title} />
    </div>
  );
}

/** The posts that a search finds. They come when the reader asks: each search costs the server more than a timeline. */
export function FoundPosts({ query, title }: ColumnSearchProps) {
  const searchedAt = useSignal('');
  const pages = usePages<Status>(withQuery('/api/v2/search', { q: query, type: 'statuses', limit: 20 }), (found) => {
    searchedAt.value = new Date().toISOString();
    return statusesOf(found);
  });
  return (
    <>
      <p class="searched">
        <span role="status">
          {searchedAt.value !== '' && (
            <>
              {t('tabs.searched')} <RelativeTime time={searchedAt.value} />
            </>
          )}
        </span>
        <button type="button" class="link" onClick={() => void pages.load()}>
          {t('tabs.searchAgain')}
        </button>
      </p>
      <PagedList
        pages={pages}
        label={t('deck.postsOf', { title })}
        empty={<EmptyState title={t('tabs.empty')} />}
        keyOf={({ id }) => id}
        render={({ id }) => <StatusCard id={id} context={undefined} />}
      />
    </>
  );
}
