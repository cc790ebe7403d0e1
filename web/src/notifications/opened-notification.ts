import { useEffect } from 'preact/hooks';
import { request } from '../api/client.ts';
import type { Notification } from '../api/entities.ts';
import { openPath } from '../navigate.ts';
import { storeAccount, storeStatus } from '../store/statuses.ts';
import { linkOf } from './describe.tsx';
import { toGroup } from './group-notifications.ts';

/** Opens what a notification is about, which was clicked outside of the client: `/notifications?open=ID`. */
export function useOpenedNotification(id: string | undefined): void {
  useEffect(() => {
    if (id === undefined) return;
    const open = async (): Promise<void> => {
      const notification = await request<Notification>('GET', `/api/v1/notifications/${encodeURIComponent(id)}`);
      storeAccount(notification.account);
      if (notification.status !== undefined) storeStatus(notification.status);
      openPath(linkOf(toGroup(notification), notification.account, notification.status), true);
    };
    // A deleted notification leaves the reader at the list.
    open().catch(() => openPath('/notifications', true));
  }, [id]);
}
