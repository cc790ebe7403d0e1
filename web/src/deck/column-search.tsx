import type { Search, Status } from '../api/entities.ts';
import { withQuery } from '../api/client.ts';
import { t } from '../i18n/translate.tsx';
import { StatusCard } from '../status/index.ts';
import { usePages } from '../store/pages.ts';
import { storeStatuses } from '../store/statuses.ts';
import { PagedList } from '../ui/paged-list.tsx';
import { EmptyState } from '../ui/states.tsx';

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
  const pages = usePages<Status>(withQuery('/api/v2/search', { q: query, type: 'statuses', limit: 20 }), statusesOf);
  const label = t('deck.postsOf', { title });
  return (
    // A region that scrolls can be scrolled by the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div class="column-body" tabIndex={0} role="group" aria-label={label}>
      <PagedList
        pages={pages}
        label={label}
        empty={<EmptyState title={t('deck.empty')} />}
        keyOf={({ id }) => id}
        render={({ id }) => <StatusCard id={id} context={undefined} />}
      />
    </div>
  );
}
