import plus from '@phosphor-icons/core/regular/plus.svg?raw';
import signOutIcon from '@phosphor-icons/core/regular/sign-out.svg?raw';
import user from '@phosphor-icons/core/regular/user.svg?raw';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import { followUnreadCounts, unreadCounts } from '../session/unread-counts.ts';
import { me, session, signOut, switchAccount } from '../session/session.ts';
import { shareChange } from '../store/other-windows.ts';
import { Avatar } from '../ui/avatar.tsx';
import { DisplayName, nameOf } from '../ui/display-name.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { shortenName } from '../ui/shorten-name.ts';
import { showError } from '../ui/toasts.tsx';
import { undoOffers } from '../ui/undo.ts';

/** Returns the entries of a menu that leads to the profile, switches accounts, adds one and signs out. */
export function accountItems(): readonly (MenuItem | 'separator')[] {
  const { account, accounts } = session.value;
  const counts = unreadCounts.value;
  const others = accounts.filter(({ id }) => id !== account.id);
  return [
    { label: t('accounts.openProfile'), href: `/@${account.acct}`, icon: <Icon svg={user} /> },
    ...others.map((other) => {
      const count = counts.get(other.id) ?? 0;
      return {
        label: shortenName(nameOf(other)),
        hint: count > 0 ? t('accounts.unread', { name: other.acct, count }) : `@${other.acct}`,
        icon: <Avatar account={other} size={28} />,
        onSelect: () => void leave(() => switchAccount(other.id)),
      };
    }),
    { label: t('accounts.add'), href: '/auth/sign_in?add=true', icon: <Icon svg={plus} /> },
    {
      label: t('accounts.signOut', { name: shortenName(account.acct) }),
      icon: <Icon svg={signOutIcon} isDirectional />,
      onSelect: () =>
        void leave(async () => {
          await signOut(account.id);
          shareChange('session', 'ended');
        }),
    },
  ];
}

/** Leaves the account, after what could still be undone is sent for it. */
async function leave(open: () => Promise<void>): Promise<void> {
  await undoOffers.settle();
  await open().catch(showError);
}

/** The signed-in account in the navigation. It opens the menu of accounts. */
export function AccountSwitcher() {
  const account = me.value;
  const hasOthers = session.value.accounts.length > 1;
  useEffect(() => (hasOthers ? followUnreadCounts() : undefined), [hasOthers]);
  return (
    <Menu
      label={t('accounts.menu', { name: nameOf(account) })}
      buttonClass="nav-link me"
      button={
        <>
          <Avatar account={account} size={36} />
          <span class="one-line">
            <DisplayName account={account} />
          </span>
        </>
      }
      items={accountItems()}
    />
  );
}
