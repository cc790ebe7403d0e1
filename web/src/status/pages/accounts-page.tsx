import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { requestPage } from '../../api/client.ts';
import type { Account } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { PageHeader } from '../../layout/page-header.tsx';
import { storeAccounts } from '../../store/statuses.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { DisplayName } from '../../ui/display-name.tsx';
import { EmptyState, ErrorState, LoadingPosts } from '../../ui/states.tsx';
import './accounts-page.css';

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

interface Loaded {
  readonly accounts: readonly Account[];
  readonly next: string | undefined;
}

function Accounts({ title, empty, path }: AccountsProps) {
  const loaded = useSignal<Loaded | undefined>(undefined);
  const failure = useSignal<{ readonly error: unknown } | undefined>(undefined);
  const load = async (from: string, known: readonly Account[]): Promise<void> => {
    failure.value = undefined;
    try {
      const { items, next } = await requestPage<Account>(from);
      storeAccounts(items);
      loaded.value = { accounts: [...known, ...items], next: items.length === 0 ? undefined : next };
    } catch (error) {
      failure.value = { error };
    }
  };
  useEffect(() => {
    loaded.value = undefined;
    void load(path, []);
  }, [path]);
  const { accounts, next } = loaded.value ?? { accounts: undefined, next: undefined };
  const retry = (): void => void load(next ?? path, accounts ?? []);
  return (
    <>
      <PageHeader title={title} hasBack />
      {accounts?.length === 0 && <EmptyState title={empty} />}
      <ul class="account-entries">
        {accounts?.map((account) => (
          <li key={account.id}>
            <a class="account-entry" href={`/@${account.acct}`}>
              <Avatar account={account} />
              <span>
                <strong>
                  <DisplayName account={account} />
                </strong>
                <span class="soft" dir="ltr">
                  @{account.acct}
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {failure.value !== undefined && <ErrorState error={failure.value.error} onRetry={retry} />}
      {accounts === undefined && failure.value === undefined && <LoadingPosts count={3} />}
      {next !== undefined && failure.value === undefined && (
        <p class="more">
          <button type="button" class="button quiet" onClick={retry}>
            {t('reactionPages.more')}
          </button>
        </p>
      )}
    </>
  );
}
