import type { Account } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { nameOf } from '../ui/display-name.tsx';
import { hide, isRemoved } from '../ui/remove-later.ts';
import { EmptyState } from '../ui/states.tsx';
import { AccountRow } from './account-row.tsx';
import { usePages } from '../store/pages.ts';
import { PagedList } from '../ui/paged-list.tsx';
import { unblockAccount } from './relationship-actions.ts';

const pathOf = ({ id }: Account): string => `/api/v1/blocks/${id}`;

/** The accounts that the reader blocks. */
export function BlocksPage() {
  const list = usePages<Account>('/api/v1/blocks');
  const unblock = async (account: Account): Promise<void> => {
    const show = hide(pathOf(account));
    if (await unblockAccount(account)) list.removeWhere(({ id }) => id === account.id);
    show();
  };
  return (
    <>
      <PageHeader title={t('people.blocks')} hasBack />
      <p class="page-intro soft">
        {t('people.blocksHint')} <a href="/preferences/data">{t('people.exportImport')}</a>
      </p>
      <PagedList
        hasLines
        pages={list}
        label={t('people.blocks')}
        empty={<EmptyState title={t('people.noBlocks')} />}
        isLeftOut={(account) => isRemoved(pathOf(account))}
        keyOf={({ id }) => id}
        render={(account) => (
          <AccountRow
            account={account}
            actions={
              <button
                type="button"
                class="button quiet"
                aria-label={t('people.unblockName', { name: nameOf(account) })}
                onClick={() => void unblock(account)}
              >
                {t('people.unblock')}
              </button>
            }
          />
        )}
      />
    </>
  );
}
