import tray from '@phosphor-icons/core/regular/tray.svg?raw';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { request } from '../api/client.ts';
import type { NotificationPolicy } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { Icon } from '../ui/icon.tsx';
import './requests-bar.css';

/** Says how many people have filtered notifications, as a link to them. Nothing if there are none. */
export function RequestsBar() {
  const count = useSignal(0);
  useEffect(() => {
    const load = async (): Promise<void> => {
      const { summary } = await request<NotificationPolicy>('GET', '/api/v2/notifications/policy');
      count.value = summary.pending_requests_count;
    };
    // The page of requests tells why it cannot be loaded.
    load().catch(() => undefined);
  }, []);
  if (count.value === 0) return null;
  return (
    <a class="requests-bar" href="/notifications/requests">
      <Icon svg={tray} />
      <span>
        <strong>{t('notifications.filteredTitle')}</strong>
        <span class="soft small">{t('notifications.filteredFrom', { count: count.value })}</span>
      </span>
    </a>
  );
}
