import userMinus from '@phosphor-icons/core/regular/user-minus.svg?raw';
import type { Account } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { AccountRow, FollowButton, removeFollower } from '../people/index.ts';
import { type Pages, usePages } from '../store/pages.ts';
import { nameOf } from '../ui/display-name.tsx';
import { PagedList } from '../ui/paged-list.tsx';
import { me } from '../session/session.ts';
import { Icon } from '../ui/icon.tsx';
import { EmptyState } from '../ui/states.tsx';
import { OriginalPageHint } from './original-page-hint.tsx';

interface NetworkListProps {
  readonly account: Account;
  readonly kind: 'followers' | 'following';
}

/** The followers of an account, or the accounts that it follows. */
export function NetworkList({ account, kind }: NetworkListProps) {
  const list = usePages<Account>(`/api/v1/accounts/${account.id}/${kind}`);
  const isMine = account.id === me.value.id;
  const name = nameOf(account);
  if (account.hide_collections === true && !isMine) return <EmptyState title={t('profile.hiddenNetwork', { name })} />;
  return (
    <>
      <h3 class="profile-section">{kind === 'followers' ? t('profile.followers') : t('profile.followingTitle')}</h3>
      <PagedList
        hasLines
        pages={list}
        label={kind === 'followers' ? t('profile.followers') : t('profile.followingTitle')}
        empty={<EmptyState title={emptyText(account, kind, isMine)} />}
        keyOf={({ id }) => id}
        render={(one) =>
          isMine && kind === 'followers' ? (
            <AccountRow account={one} actions={<FollowerActions account={one} list={list} />} />
          ) : (
            <AccountRow account={one} />
          )
        }
      />
      <OriginalPageHint account={account} text={t('profile.networkElsewhere')} />
    </>
  );
}

function emptyText(account: Account, kind: 'followers' | 'following', isMine: boolean): string {
  const name = nameOf(account);
  if (kind === 'followers') return isMine ? t('profile.noOwnFollowers') : t('profile.noFollowers', { name });
  return isMine ? t('profile.noOwnFollowing') : t('profile.noFollowing', { name });
}

interface FollowerActionsProps {
  readonly account: Account;
  readonly list: Pages<Account>;
}

function FollowerActions({ account, list }: FollowerActionsProps) {
  const name = nameOf(account);
  const remove = async (): Promise<void> => {
    if (await removeFollower(account)) list.removeWhere(({ id }) => id === account.id);
  };
  return (
    <>
      <FollowButton account={account} />
      <button
        type="button"
        class="icon-button"
        aria-label={t('people.removeFollowerName', { name })}
        title={t('people.removeFollower')}
        onClick={() => void remove()}
      >
        <Icon svg={userMinus} />
      </button>
    </>
  );
}
