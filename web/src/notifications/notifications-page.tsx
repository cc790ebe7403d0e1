import gear from '@phosphor-icons/core/regular/sliders-horizontal.svg?raw';
import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { request } from '../api/client.ts';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { confirm } from '../ui/confirm.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { showError } from '../ui/toasts.tsx';
import { FilterBar, parseTypeFilter } from './filter-bar.tsx';
import { NotificationGroups } from './notification-groups.tsx';
import { NotificationList } from './notification-list.ts';
import { typeFilters } from './notification-types.ts';
import { useOpenedNotification } from './opened-notification.ts';
import { RequestsBars } from './requests-bars.tsx';
import { ReadMarker } from './read-marker.ts';

/** The notifications of the account: all, or one kind. `?tab=mentions` is an earlier address of the mentions. */
export function NotificationsPage() {
  const { query } = useLocation();
  useOpenedNotification(query['open']);
  const filter = parseTypeFilter(query['tab'] === 'mentions' ? 'mentions' : query['type']);
  const list = useMemo(
    () => new NotificationList(filter === undefined ? {} : { types: typeFilters[filter] }),
    [filter],
  );
  const marker = useMemo(() => new ReadMarker(), []);
  useEffect(() => void marker.load(), [marker]);
  return (
    <>
      <PageHeader title={t('nav.notifications')} actions={<PageMenu list={list} />} />
      <FilterBar current={filter} />
      <RequestsBars />
      <NotificationGroups list={list} marker={marker} />
    </>
  );
}

const isClearing = signal(false);

function PageMenu({ list }: { readonly list: NotificationList }) {
  const clear = async (): Promise<void> => {
    const isConfirmed = await confirm({
      title: t('notifications.clearTitle'),
      text: t('notifications.clearText'),
      action: t('notifications.clear'),
    });
    if (!isConfirmed || isClearing.value) return;
    isClearing.value = true;
    try {
      await request('POST', '/api/v2/notifications/clear');
      await list.load();
    } catch (error) {
      showError(error, () => void clear());
    } finally {
      isClearing.value = false;
    }
  };
  return (
    <Menu
      label={t('notifications.options')}
      button={<Icon svg={gear} />}
      items={[
        { label: t('notifications.requests'), href: '/notifications/requests' },
        { label: t('notifications.settings'), href: '/preferences/notifications' },
        'separator',
        { label: t('notifications.clear'), isDangerous: true, onSelect: () => void clear() },
      ]}
    />
  );
}
