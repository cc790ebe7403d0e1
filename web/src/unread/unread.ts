import { effect, signal } from '@preact/signals';
import { request } from '../api/client.ts';
import { subscribe } from '../api/stream.ts';
import { onSharedChange } from '../store/other-windows.ts';
import { titleCount } from '../ui/window-title.ts';

/** How many groups of notifications are newer than the marker of the account; at most `maxShownUnread`. */
export const unreadCount = signal(0);

/** From this count on the badge says "99+". */
export const maxShownUnread = 100;

let running: Promise<void> | undefined;
let isStale = false;

/** Loads the count of unread notifications. Calls during a load share the next one. */
export function refreshUnread(): Promise<void> {
  isStale = true;
  running ??= load().finally(() => (running = undefined));
  return running;
}

async function load(): Promise<void> {
  while (isStale) {
    isStale = false;
    try {
      const query = { limit: maxShownUnread };
      const { count } = await request<{ count: number }>('GET', '/api/v2/notifications/unread_count', { query });
      unreadCount.value = count;
    } catch {
      // The next notification or return to the window loads it again.
    }
  }
}

/** Keeps the count, the title of the window and the badge of the icon up to date while the client runs. */
export function followUnread(): void {
  void refreshUnread();
  subscribe(
    { stream: 'user' },
    {
      onEvent: ({ event }) => {
        if (event === 'notification' || event === 'notifications_merged') void refreshUnread();
      },
      onOpen: () => void refreshUnread(),
    },
  );
  onSharedChange('notificationsRead', () => void refreshUnread());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void refreshUnread();
  });
  effect(() => {
    titleCount.value = unreadCount.value;
    void showBadge(unreadCount.value);
  });
}

let hasBadge = false;

/** Shows the count on the icon of an installed client and a dot on the icon of the window. */
async function showBadge(count: number): Promise<void> {
  if (count === 0 && !hasBadge) return;
  hasBadge = true;
  const { drawIconBadge, setAppBadge } = await import('./icon-badge.ts');
  await Promise.all([setAppBadge(count), drawIconBadge(count > 0)]);
}
