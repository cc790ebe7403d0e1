/// <reference lib="webworker" />
import { clickedPath, toShownPush } from './push-messages.ts';

/** Shows push messages as notifications, and opens what they are about when they are clicked. */
export function listenForPush(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('push', (event) => {
    const { title, options } = toShownPush(event.data?.text() ?? '', worker.location.hostname);
    event.waitUntil(worker.registration.showNotification(title, options));
  });
  worker.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(openPath(worker, clickedPath(event.notification.data)));
  });
}

/** Opens a path in a window of the client that is open, else in a new one. */
async function openPath(worker: ServiceWorkerGlobalScope, path: string): Promise<void> {
  const [open] = await worker.clients.matchAll({ type: 'window' });
  if (open === undefined) {
    await worker.clients.openWindow(path);
    return;
  }
  const focused = await open.focus();
  await focused.navigate(path);
}
