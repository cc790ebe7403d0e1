import { openDocument } from '../navigate.ts';

/** Starts the service worker, which opens the client and the last timelines without a connection. */
export function registerServiceWorker(): void {
  // Absent in private windows of some browsers. The client then needs a connection.
  void navigator.serviceWorker?.register('/sw.js').catch(() => undefined);
}

/** Deletes what is kept for an account that is no longer signed in, and opens the form to sign in. */
export async function leaveClient(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith('account-')) await caches.delete(name);
  openDocument('/auth/sign_in');
}
