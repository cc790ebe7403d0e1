import { signal } from '@preact/signals';
import { ApiError, request } from '../api/client.ts';
import type { WebPushSubscription } from '../api/entities.ts';
import { instance } from '../session/session.ts';

export type PushAlerts = WebPushSubscription['alerts'];
export type PushPolicy = WebPushSubscription['policy'];

/** The push subscription of this browser. `blocked`: the user refused notifications of this site. */
export type PushState =
  | { readonly kind: 'loading' | 'unsupported' | 'blocked' | 'off' }
  | { readonly kind: 'on'; readonly subscription: WebPushSubscription };

export const pushState = signal<PushState>({ kind: 'loading' });

const isPushSupported = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** Loads whether this browser is subscribed, as it and the server know it. Throws ApiError or OfflineError. */
export async function loadPushState(): Promise<void> {
  if (!isPushSupported()) {
    pushState.value = { kind: 'unsupported' };
    return;
  }
  if (Notification.permission === 'denied') {
    pushState.value = { kind: 'blocked' };
    return;
  }
  const registration = await navigator.serviceWorker.getRegistration();
  const local = await registration?.pushManager.getSubscription();
  const stored = local == null ? undefined : await findStored();
  pushState.value = stored === undefined ? { kind: 'off' } : { kind: 'on', subscription: stored };
}

async function findStored(): Promise<WebPushSubscription | undefined> {
  try {
    return await request<WebPushSubscription>('GET', '/api/v1/push/subscription');
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** Asks for the permission, and subscribes this browser. */
export async function turnOnPush(alerts: PushAlerts, policy: PushPolicy): Promise<void> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') {
    pushState.value = { kind: permission === 'denied' ? 'blocked' : 'off' };
    return;
  }
  const registration = await navigator.serviceWorker.register('/sw.js');
  await waitUntilActive(registration);
  const local = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: instance.value?.configuration.vapid.public_key ?? null,
  });
  const { endpoint, keys } = local.toJSON();
  const body = { subscription: { endpoint, keys, standard: true }, data: { alerts, policy } };
  const subscription = await request<WebPushSubscription>('POST', '/api/web/push_subscriptions', { body });
  pushState.value = { kind: 'on', subscription };
}

/** Waits until the worker of a registration runs. Throws if it cannot be installed, for which `ready` would wait for ever. */
function waitUntilActive({ active, waiting, installing }: ServiceWorkerRegistration): Promise<void> {
  const worker = active ?? waiting ?? installing;
  return new Promise((resolve, reject) => {
    const check = (): void => {
      if (worker?.state === 'activated') resolve();
      else if (worker == null || worker.state === 'redundant')
        reject(new Error('the service worker was not installed'));
    };
    worker?.addEventListener('statechange', check);
    check();
  });
}

/** Changes which notifications are pushed. It shows at once, and is undone if the server refuses. */
export async function changePush(alerts: PushAlerts, policy: PushPolicy): Promise<void> {
  const before = pushState.peek();
  if (before.kind !== 'on') return;
  pushState.value = { kind: 'on', subscription: { ...before.subscription, alerts, policy } };
  try {
    await request('PUT', '/api/v1/push/subscription', { body: { data: { alerts, policy } } });
  } catch (error) {
    pushState.value = before;
    throw error;
  }
}

/** Ends the subscription of this browser, here and on the server. */
export async function turnOffPush(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  const local = await registration?.pushManager.getSubscription();
  await request('DELETE', '/api/v1/push/subscription');
  await local?.unsubscribe();
  pushState.value = { kind: 'off' };
}
