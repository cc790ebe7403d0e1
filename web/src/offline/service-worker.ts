/// <reference lib="webworker" />
import { listenForPush } from './push-events.ts';
import {
  deleteAccountCaches,
  deleteOldBuilds,
  deleteShells,
  findShell,
  loadAsset,
  loadImage,
  loadResponse,
  storeBuild,
  storeShells,
  storeSnapshot,
  withSnapshot,
} from './caches.ts';
import { isClientPage } from './client-pages.ts';
import { listQueue } from './queue.ts';
import { outboxLock, sendQueue } from './send-queue.ts';
import { deleteOldShares, storeShare } from './shares.ts';

export declare const self: ServiceWorkerGlobalScope;

self.addEventListener('install', (event) => {
  event.waitUntil(storeBuild().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(deleteOldBuilds().then(() => Promise.all([self.clients.claim(), storeShells(), storeStart()])));
});

/** What home requested before the worker could store it. */
async function storeStart(): Promise<void> {
  const paths = ['/api/web/session', '/api/v2/instance', '/api/v1/timelines/home?limit=20'];
  await Promise.allSettled(paths.map((path) => loadResponse(new Request(path))));
}

/** Responses of the API with which the client starts and shows the last timelines. Further pages are not kept. */
const keptPath =
  /^\/api\/(?:web\/session|v2\/instance|v1\/(?:timelines\/.+|accounts\/.+|statuses\/\d+(?:\/context)?|lists|markers|bookmarks|favourites|custom_emojis))$|^\/api\/v[12]\/notifications$/;

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin) return;
  if (request.method === 'POST' && request.mode === 'navigate' && url.pathname === '/publish')
    return event.respondWith(receiveShare(request));
  if (request.method !== 'GET') return sendChange(event, url);
  if (request.mode === 'navigate') {
    if (isClientPage(url)) event.respondWith(openPage(event, url));
  } else if (url.pathname.startsWith('/web/assets/')) event.respondWith(loadAsset(request));
  else if (keptPath.test(url.pathname)) event.respondWith(loadResponse(request));
  else if (request.destination === 'image') event.respondWith(loadImage(request));
});

/** Another app shares something: share_target of the web app manifest. */
const receiveShare = async (request: Request): Promise<Response> => Response.redirect(await storeShare(request), 303);

/**
 * Sends a change. What it makes outdated is deleted before and after it, because another window may store it meanwhile:
 * everything of an account that signs in or out, the shell after a change of settings.
 */
function sendChange(event: FetchEvent, { pathname }: URL): void {
  if (/^\/(?:auth\/|setup|api\/web\/session\/)/.test(pathname)) sendBetween(event, deleteAccountCaches);
  else if (pathname === '/api/web/settings') sendBetween(event, deleteShells);
}

function sendBetween(event: FetchEvent, deleteOld: () => Promise<void>): void {
  const send = async (): Promise<Response> => {
    await deleteOld();
    try {
      return await fetch(event.request);
    } finally {
      await deleteOld();
    }
  };
  event.respondWith(send());
}

/** Opens the client at once if somebody is signed in, and renews its document for the next time. */
async function openPage(event: FetchEvent, url: URL): Promise<Response> {
  event.waitUntil(deleteOldShares());
  const shell = await findShell(url);
  if (shell === undefined) return fetch(event.request);
  const storedAt = Date.parse(shell.headers.get('date') ?? '');
  if (!(Date.now() - storedAt < renewAfterMs)) event.waitUntil(storeShells().catch(() => undefined));
  // A reload keeps the place, which may be further down.
  const isHome = url.pathname === '/' || url.pathname === '/home';
  return isHome && !isReload(event.request) ? withSnapshot(shell) : shell;
}

const isReload = ({ cache }: Request): boolean => cache === 'no-cache' || cache === 'reload';

/** What home of an account looks like, sent by a window. */
interface SnapshotMessage {
  readonly kind: 'snapshot';
  readonly html: string;
  readonly accountId: string;
}

self.addEventListener('message', (event) => {
  const { kind, html, accountId } = event.data as SnapshotMessage;
  if (kind === 'snapshot') event.waitUntil(storeSnapshot(html, accountId));
});

const renewAfterMs = 600_000;

/** The connection returned while no window is open. Open ones send the queue themselves. */
self.addEventListener('sync', (event) => {
  const sync = event as ExtendableEvent & { readonly tag: string };
  if (sync.tag === outboxLock) sync.waitUntil(sendWithoutWindow());
});

async function sendWithoutWindow(): Promise<void> {
  if ((await self.clients.matchAll({ type: 'window' })).length > 0) return;
  const accountIds = new Set((await listQueue()).map(({ accountId }) => accountId));
  await self.navigator.locks.request(outboxLock, async () => {
    for (const accountId of accountIds) await sendQueue(accountId, () => undefined);
  });
}

listenForPush(self);
