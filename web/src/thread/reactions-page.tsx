import type { Account } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { AccountRow } from '../people/index.ts';
import { usePages } from '../store/pages.ts';
import { PagedList } from '../ui/paged-list.tsx';
import { EmptyState } from '../ui/states.tsx';

interface PageProps {
  readonly id?: string;
}

/** Who favourited a post: /@name/id/favourites. */
export const FavouritesOfPage = ({ id = '' }: PageProps) => (
  <Accounts
    title={t('reactionPages.favourites')}
    empty={t('reactionPages.favouritesEmpty')}
    path={`/api/v1/statuses/${id}/favourited_by`}
  />
);

/** Who boosted a post: /@name/id/reblogs. */
export const ReblogsOfPage = ({ id = '' }: PageProps) => (
  <Accounts
    title={t('reactionPages.boosts')}
    empty={t('reactionPages.boostsEmpty')}
    path={`/api/v1/statuses/${id}/reblogged_by`}
  />
);

interface AccountsProps {
  readonly title: string;
  readonly empty: string;
  readonly path: string;
}

const Accounts = ({ title, empty, path }: AccountsProps) => (
  <>
    <PageHeader title={title} hasBack />
    <PagedList
      hasLines
      pages={usePages<Account>(path)}
      label={title}
      empty={<EmptyState title={empty} />}
      keyOf={({ id }) => id}
      render={(account) => <AccountRow account={account} />}
    />
  </>
);
