import bell from '@phosphor-icons/core/regular/bell.svg?raw';
import bellSlash from '@phosphor-icons/core/regular/bell-slash.svg?raw';
import caretDown from '@phosphor-icons/core/regular/caret-down.svg?raw';
import clock from '@phosphor-icons/core/regular/clock.svg?raw';
import repeat from '@phosphor-icons/core/regular/repeat.svg?raw';
import translate from '@phosphor-icons/core/regular/translate.svg?raw';
import userMinus from '@phosphor-icons/core/regular/user-minus.svg?raw';
import type { Account, Relationship } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { discard, type QueuedAction, queuedFollows } from '../offline/index.ts';
import { me } from '../session/session.ts';
import { relationshipOf } from '../store/relationships.ts';
import { nameOf } from '../ui/display-name.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { showError } from '../ui/toasts.tsx';
import { openFollowLanguages } from './follow-languages.tsx';
import { domainOf } from './domain-of.ts';
import { followAccount, unblockAccount, unblockDomain, unfollowAccount } from './relationship-actions.ts';
import './follow-button.css';

/** The button of how the reader relates to an account: follow, requested, following with its options, or blocked. */
export function FollowButton({ account }: { readonly account: Account }) {
  if (account.id === me.value.id) return null;
  const queued = queuedFollows.value.get(account.id);
  const relationship = relationshipOf(account.id).value;
  if (queued !== undefined) return <QueuedFollow account={account} action={queued} />;
  if (relationship === undefined) return <span class="follow-placeholder" aria-hidden="true" />;
  return <KnownButton account={account} relationship={relationship} />;
}

interface KnownButtonProps {
  readonly account: Account;
  readonly relationship: Relationship;
}

function KnownButton({ account, relationship }: KnownButtonProps) {
  const name = nameOf(account);
  if (relationship.blocking)
    return (
      <button type="button" class="button quiet follow" onClick={() => void unblockAccount(account)}>
        {t('people.unblock')}
      </button>
    );
  if (relationship.domain_blocking) return <UnblockServer account={account} />;
  if (relationship.following) return <Following account={account} relationship={relationship} />;
  if (relationship.requested)
    return (
      <button
        type="button"
        class="button quiet follow"
        aria-label={t('people.withdrawFrom', { name })}
        onClick={() => void unfollowAccount(account)}
      >
        {t('people.requested')}
      </button>
    );
  const isBack = relationship.followed_by;
  return (
    <button
      type="button"
      class="button follow"
      aria-label={isBack ? t('people.followBackName', { name }) : t('people.followName', { name })}
      disabled={account.suspended === true || account.moved !== undefined}
      onClick={() => void followAccount(account)}
    >
      {isBack ? t('people.followBack') : t('people.follow')}
    </button>
  );
}

function QueuedFollow({ account, action }: { readonly account: Account; readonly action: QueuedAction }) {
  const name = nameOf(account);
  const label = action.path.endsWith('/unfollow')
    ? t('people.unfollowWaits', { name })
    : t('people.followWaits', { name });
  return (
    <button
      type="button"
      class="button quiet follow"
      aria-label={label}
      title={label}
      onClick={() => void discard(action).catch(showError)}
    >
      <Icon svg={clock} />
      {t('people.waiting')}
    </button>
  );
}

function UnblockServer({ account }: { readonly account: Account }) {
  const domain = domainOf(account) ?? '';
  return (
    <button type="button" class="button quiet follow" onClick={() => void unblockDomain(domain, account)}>
      {t('people.unblockServer')}
    </button>
  );
}

function Following({ account, relationship }: KnownButtonProps) {
  const { notifying, showing_reblogs: isShowingBoosts, languages } = relationship;
  return (
    <Menu
      label={t('people.followingOptions', { name: nameOf(account) })}
      buttonClass="button quiet follow"
      button={
        <>
          {t('people.following')}
          <Icon svg={caretDown} />
        </>
      }
      items={[
        {
          label: notifying ? t('people.notifyOff') : t('people.notifyOn'),
          icon: <Icon svg={notifying ? bellSlash : bell} />,
          onSelect: () => void followAccount(account, { notify: !notifying }),
        },
        {
          label: isShowingBoosts ? t('people.hideBoosts') : t('people.showBoosts'),
          icon: <Icon svg={repeat} />,
          onSelect: () => void followAccount(account, { reblogs: !isShowingBoosts }),
        },
        {
          label: t('people.languages'),
          hint:
            languages === null || languages.length === 0
              ? t('people.allLanguages')
              : t('people.languageCount', { count: languages.length }),
          icon: <Icon svg={translate} />,
          onSelect: () => openFollowLanguages(account, languages ?? []),
        },
        'separator',
        {
          label: t('people.unfollow'),
          icon: <Icon svg={userMinus} />,
          isDangerous: true,
          onSelect: () => void unfollowAccount(account),
        },
      ]}
    />
  );
}
