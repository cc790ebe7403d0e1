import { build } from './build.ts';

const assetPrefix = 'assets-';
const assetCache = assetPrefix + build.version;
const imageCache = 'images';
const accountPrefix = 'account-';
/** Responses of the API. They belong to the signed-in account. */
const accountCache = accountPrefix + build.version;
/** The documents that start the client, and what home looked like. They belong to the signed-in account, too. */
const shellCache = `${accountPrefix}shells-${build.version}`;

const maxImages = 400;
const maxResponses = 150;

/** Counts how often the account or its settings changed. Responses that were requested before are not stored. */
let generation = 0;

/** Stores the files of this build. Rejects if one is missing. */
export async function storeBuild(): Promise<void> {
  const cache = await caches.open(assetCache);
  await cache.addAll(build.files);
}

/** Deletes what older builds stored. The files of the last one stay, because an open window may still load them. */
export async function deleteOldBuilds(): Promise<void> {
  const names = await caches.keys();
  const oldAssets = names.filter((name) => name.startsWith(assetPrefix) && name !== assetCache).slice(0, -1);
  const others = names.filter((name) => name.startsWith(accountPrefix) && name !== accountCache && name !== shellCache);
  await Promise.all([...oldAssets, ...others].map((name) => caches.delete(name)));
}

/** Deletes everything that belongs to an account: when it signs in or out, and when another one becomes active. */
export async function deleteAccountCaches(): Promise<void> {
  generation += 1;
  await Promise.all([accountCache, shellCache, imageCache].map((name) => caches.delete(name)));
}

/** Returns a file of this build or an older one, from the cache or the network. It is kept for later. */
export async function loadAsset(request: Request): Promise<Response> {
  const stored = await caches.match(request);
  if (stored !== undefined) return stored;
  const response = await fetch(request);
  if (response.ok) await (await caches.open(assetCache)).put(request, response.clone());
  return response;
}

/** Returns an image from the cache or the network. It is kept for later. */
export async function loadImage(request: Request): Promise<Response> {
  const cache = await caches.open(imageCache);
  const stored = await cache.match(request.url);
  if (stored !== undefined) return stored;
  const started = generation;
  const response = await fetch(request);
  if (response.status === 200) void store(cache, request.url, response.clone(), { max: maxImages, started });
  return response;
}

const patienceMs = 4_000;

/** Returns a response of the API from the network; the last one if the server cannot be reached or is very slow. */
export async function loadResponse(request: Request): Promise<Response> {
  const cache = await caches.open(accountCache);
  const started = generation;
  const loading = fetch(request).then((response) => {
    if (response.ok) void store(cache, request.url, response.clone(), { max: maxResponses, started });
    return response;
  });
  const slow = new Promise<undefined>((resolve) => void setTimeout(resolve, patienceMs));
  const first = await Promise.race([loading, slow]).catch(() => undefined);
  return first ?? (await cache.match(request.url)) ?? loading;
}

/** The two shells: that of home also preloads its posts. */
const shellPaths = ['/home', '/notifications'] as const;
const snapshotPath = '/home?snapshot';

/** Returns the stored document that starts the client; undefined if nobody is signed in. */
export async function findShell({ pathname }: URL): Promise<Response | undefined> {
  const cache = await caches.open(shellCache);
  return cache.match(pathname === '/' || pathname === '/home' ? shellPaths[0] : shellPaths[1]);
}

const assetLink = /href="(\/web\/assets\/[^"]+)"/g;

/** Loads the documents that start the client. Deletes the stored ones if the server answers with anything else. */
export async function storeShells(): Promise<void> {
  const cache = await caches.open(shellCache);
  const started = generation;
  for (const path of shellPaths) {
    const response = await fetch(path, { credentials: 'same-origin', redirect: 'manual' });
    const text = response.ok ? await response.clone().text() : '';
    if (text.includes(`src="${build.script}"`) && started === generation) {
      await cache.put(path, response);
      // The texts in the language of the account.
      await Promise.all(Array.from(text.matchAll(assetLink), ([, asset = '']) => loadAsset(new Request(asset))));
    } else await cache.delete(path);
  }
}

/** Deletes the documents, so that the next ones show changed settings. */
export async function deleteShells(): Promise<void> {
  generation += 1;
  await caches.delete(shellCache);
}

/** Stores what home looks like: HTML of the client. No-op unless the account is the active one: another window may show another. */
export async function storeSnapshot(html: string, accountId: string): Promise<void> {
  const started = generation;
  const session = await (await caches.open(accountCache)).match('/api/web/session');
  const { account } = ((await session?.json()) ?? {}) as { readonly account?: { readonly id: string } };
  const cache = await caches.open(shellCache);
  if (account?.id === accountId && started === generation) await cache.put(snapshotPath, new Response(html));
}

/** Returns the shell of home with what home looked like, which is inert until the client runs. */
export async function withSnapshot(shell: Response): Promise<Response> {
  const snapshot = await (await caches.open(shellCache)).match(snapshotPath);
  if (snapshot === undefined) return shell;
  const [text, html] = await Promise.all([shell.text(), snapshot.text()]);
  const page = text.replace(/<div id="app">.*?<\/div>/s, () => `<div id="app" inert>${html}</div>`);
  return new Response(page, { headers: shell.headers });
}

interface StoreOptions {
  readonly max: number;
  readonly started: number;
}

/** Stores a response, and deletes the oldest ones beyond `max`. */
async function store(cache: Cache, url: string, response: Response, { max, started }: StoreOptions): Promise<void> {
  if (started !== generation) return;
  // The order of the keys is that in which they were added.
  await cache.delete(url);
  await cache.put(url, response);
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - max)).map((key) => cache.delete(key)));
}
