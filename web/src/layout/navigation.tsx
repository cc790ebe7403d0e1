import pencil from '@phosphor-icons/core/regular/feather.svg?raw';
import { useLocation } from 'preact-iso';
import { openComposerInstead } from '../composer/index.ts';
import { t } from '../i18n/translate.tsx';
import { instance } from '../session/session.ts';
import { Icon } from '../ui/icon.tsx';
import { UnreadBadge, WaitingBadge } from '../unread/index.ts';
import { AccountSwitcher } from './account-switcher.tsx';
import { currentOf, destinations, nameOfLink } from './destinations.ts';
import './navigation.css';

/** The navigation beside the page. */
export function Navigation() {
  const { path } = useLocation();
  return (
    <nav class="navigation" aria-label={t('nav.main')}>
      <a class="wordmark" href="/" title={instance.value?.title ?? 'Fieldfare'}>
        <img src="/icon-192.png" alt="" width="32" height="32" />
        <span>{instance.value?.title ?? 'Fieldfare'}</span>
      </a>
      {destinations().map(({ path: target, icon, label }) => (
        <a
          key={target}
          class="nav-link"
          href={target}
          title={label}
          aria-label={nameOfLink(target, label)}
          {...currentOf(path, target)}
        >
          <Icon svg={icon} />
          <span>{label}</span>
          {target === '/notifications' && <UnreadBadge />}
          {target === '/moderation' && <WaitingBadge />}
        </a>
      ))}
      <a
        class="button publish"
        href="/publish"
        title={t('nav.publish')}
        onClick={(event) => openComposerInstead(event, {}, t('nav.publish'))}
      >
        <Icon svg={pencil} />
        <span>{t('nav.publish')}</span>
      </a>
      <AccountSwitcher />
    </nav>
  );
}
