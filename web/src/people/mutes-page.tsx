import type { MutedAccount } from '../api/entities.ts';
import { t, tx } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { nameOf } from '../ui/display-name.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { hide, isRemoved } from '../ui/remove-later.ts';
import { EmptyState } from '../ui/states.tsx';
import { AccountRow } from './account-row.tsx';
import { openMute } from './dialogs/open-dialogs.tsx';
import { usePages } from '../store/pages.ts';
import { PagedList } from '../ui/paged-list.tsx';
import { unmuteAccount } from './relationship-actions.ts';

const pathOf = ({ id }: MutedAccount): string => `/api/v1/mutes/${id}`;

/** The accounts that the reader mutes, and until when. */
export function MutesPage() {
  const list = usePages<MutedAccount>('/api/v1/mutes');
  const unmute = async (account: MutedAccount): Promise<void> => {
    const show = hide(pathOf(account));
    if (await unmuteAccount(account)) list.removeWhere(({ id }) => id === account.id);
    show();
  };
  return (
    <>
      <PageHeader title={t('people.mutes')} hasBack />
      <p class="page-intro soft">
        {t('people.mutesHint')} <a href="/preferences/data">{t('people.exportImport')}</a>
      </p>
      <PagedList
        hasLines
        pages={list}
        label={t('people.mutes')}
        empty={<EmptyState title={t('people.noMutes')} />}
        isLeftOut={(account) => isRemoved(pathOf(account))}
        keyOf={({ id }) => id}
        render={(account) => (
          <AccountRow
            account={account}
            note={
              account.mute_expires_at === null
                ? t('people.untilUnmuted')
                : tx('people.muteEnds', { time: <RelativeTime time={account.mute_expires_at} /> })
            }
            actions={
              <>
                <button
                  type="button"
                  class="button quiet"
                  aria-label={t('people.changeMuteOf', { name: nameOf(account) })}
                  onClick={() => openMute(account)}
                >
                  {t('people.change')}
                </button>
                <button
                  type="button"
                  class="button quiet"
                  aria-label={t('people.unmuteName', { name: nameOf(account) })}
                  onClick={() => void unmute(account)}
                >
                  {t('people.unmute')}
                </button>
              </>
            }
          />
        )}
      />
    </>
  );
}
