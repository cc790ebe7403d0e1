import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { request } from '../api/client.ts';
import type { Notification } from '../api/entities.ts';
import { storeAccount, storeStatus } from '../store/statuses.ts';
import { linkOf } from './describe.tsx';
import { toGroup } from './group-notifications.ts';

/** Opens what a notification is about, which was clicked outside of the client: `/notifications?open=ID`. */
export function useOpenedNotification(id: string | undefined): void {
  const { route } = useLocation();
  useEffect(() => {
    if (id === undefined) return;
    const open = async (): Promise<void> => {
      const notification = await request<Notification>('GET', `/api/v1/notifications/${encodeURIComponent(id)}`);
      storeAccount(notification.account);
      if (notification.status !== undefined) storeStatus(notification.status);
      route(linkOf(toGroup(notification), notification.account, notification.status), true);
    };
    // A deleted notification leaves the reader at the list.
    open().catch(() => route('/notifications', true));
  }, [id]);
}
