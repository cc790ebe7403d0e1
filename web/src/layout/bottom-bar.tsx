import bell from '@phosphor-icons/core/regular/bell.svg?raw';
import compass from '@phosphor-icons/core/regular/compass.svg?raw';
import feather from '@phosphor-icons/core/regular/feather.svg?raw';
import house from '@phosphor-icons/core/regular/house.svg?raw';
import menu from '@phosphor-icons/core/regular/list.svg?raw';
import { useLocation } from 'preact-iso';
import { t } from '../i18n/translate.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { UnreadBadge, waitingCount, WaitingBadge } from '../unread/index.ts';
import { accountItems } from './account-switcher.tsx';
import { currentOf, destinations, nameOfLink } from './destinations.ts';
import './bottom-bar.css';

/** The navigation of phones, at the bottom. */
export function BottomBar() {
  const { path } = useLocation();
  const waiting = waitingCount.value;
  const tabs = [
    { path: '/', icon: house, label: t('nav.home') },
    { path: '/explore', icon: compass, label: t('nav.explore') },
    { path: '/publish', icon: feather, label: t('nav.publish') },
    { path: '/notifications', icon: bell, label: t('nav.notifications') },
  ];
  return (
    <nav class="bottom-bar" aria-label={t('nav.main')}>
      {tabs.map(({ path: target, icon, label }) => (
        <a
          key={target}
          class={target === '/publish' ? 'bottom-tab write' : 'bottom-tab'}
          href={target}
          aria-label={nameOfLink(target, label)}
          {...currentOf(path, target)}
        >
          <Icon svg={icon} />
          <span class="bottom-label">{label}</span>
          {target === '/notifications' && <UnreadBadge />}
        </a>
      ))}
      <Menu
        label={waiting > 0 ? t('nav.moreWaiting', { count: waiting }) : t('nav.more')}
        buttonClass="bottom-tab"
        button={
          <>
            <Icon svg={menu} />
            <span class="bottom-label">{t('nav.more')}</span>
            <WaitingBadge />
          </>
        }
        items={[
          ...destinations()
            .filter((destination) => !tabs.some((tab) => tab.path === destination.path))
            .map(({ path: href, label, icon }) => ({
              label: nameOfLink(href, label),
              href,
              icon: <Icon svg={icon} />,
            })),
          'separator' as const,
          ...accountItems(),
        ]}
      />
    </nav>
  );
}
