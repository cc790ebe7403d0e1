import { perApp, type App } from '../../platform/app.ts';
import { Cache } from '../../platform/caching/cache.ts';
import { OutgoingError } from '../../platform/outgoing/outgoing.ts';
import { contentTypeOf } from '../../platform/storage/storage-keys.ts';
import { domainPolicy } from '../../site/domains/index.ts';
import { describeTemporaryFailure } from '../../platform/temporary-failures.ts';
import { cacheFolder } from './cached-files.ts';
import { DiskCache } from './disk-cache.ts';
import { FetchAborted, FetchSlots, type Slot } from './fetch-slots.ts';
import { PartialFile } from './partial-file.ts';
import { toError } from '../../platform/errors.ts';

/** Bytes; larger files are left to their server. */
const maxBytes = 32 * 1024 * 1024;
/** For one file, including the time that it waits for a slot. */
const timeoutMs = 20_000;
const fetchLimits = {
  // One less than the connections kept per host (platform/outgoing/outgoing-sockets.ts): deliveries and lookups find
  // one free.
  perHost: 3,
  // Each holds a socket, a client's socket and perhaps a file.
  total: 1_000,
  bytes: 512 * 1024 * 1024,
};

/** Extensions of the files that are served, by the type that their bytes show. None of them runs in a browser. */
const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/apng': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'video/mp4': 'mp4',
  'video/x-m4v': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'video/ogg': 'ogv',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/x-m4a': 'm4a',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'audio/wav': 'wav',
};

/** A key of the cache; `refused`: not an image, video or audio; `elsewhere`: only its own server has it. */
export type RemoteFileResult = { readonly key: string } | 'refused' | 'elsewhere';

interface RunningFetch {
  readonly found: Promise<RemoteFileResult>;
  readonly abort: AbortController;
  /** Requests that wait for the file. */
  waiters: number;
}

/** Addresses of files that are no image, video or audio: they are not requested again until they expire. */
export const refusedCache = new Cache<string, true>({ name: 'media.refused_files', maxSize: 5_000, ttlMs: 300_000 });
/** Addresses of files that could not be fetched. */
export const failedCache = new Cache<string, true>({ name: 'media.failed_files', maxSize: 5_000, ttlMs: 60_000 });

const proxyState = perApp((app) => ({
  disk: new DiskCache(cacheFolder(app), app.config.MEDIA_CACHE_SIZE * 1024 * 1024),
  /** Running fetches by address. */
  running: new Map<string, RunningFetch>(),
  slots: new FetchSlots(fetchLimits),
}));

/**
 * Finds a remote file in the cache, or fetches it into the cache if `canFetch` is set. Requests for the same address
 * share one fetch, which is aborted when the `signal` of each of them has aborted. Rejects when `signal` aborts, and
 * throws what `temporaryFailure` knows if the disk is full or no descriptor is free. Files on domains whose media are
 * rejected are refused, also those in the cache.
 */
export async function fetchRemoteFile(
  app: App,
  url: string,
  { canFetch, signal }: { canFetch: boolean; signal: AbortSignal },
): Promise<RemoteFileResult> {
  const { disk } = proxyState(app);
  if (URL.canParse(url) && (await domainPolicy(app)).blockFor(new URL(url).host).rejectMedia) return 'refused';
  const key = await disk.find(url, app.clock.now());
  if (key !== undefined) return { key };
  // A post may name an address of this instance, which would then request itself without end.
  if (URL.canParse(url) && new URL(url).host === app.config.webDomain) return 'refused';
  if (!canFetch || app.config.MEDIA_CACHE_SIZE === 0) return 'elsewhere';
  if (refusedCache.peek(app, url) === true) return 'refused';
  return failedCache.peek(app, url) === true ? 'elsewhere' : joinFetch(app, url, signal);
}

/**
 * Downloads an image, video or audio file with the limits of the proxy, past its cache. The caller deletes the file. Returns
 * undefined if it is refused, unreachable or too large, or `signal` aborts. Throws what `temporaryFailure` knows if the disk
 * is full or no descriptor is free.
 */
export async function downloadRemoteFile(app: App, url: string, signal: AbortSignal): Promise<PartialFile | undefined> {
  const host = URL.parse(url)?.host;
  if (host === undefined || host === app.config.webDomain || signal.aborted) return undefined;
  if ((await domainPolicy(app)).blockFor(host).rejectMedia) return undefined;
  const partial = new PartialFile(app);
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const { slots } = proxyState(app);
    const extension = await slots.run(host, limited, (slot) => download(app, url, { partial, slot }));
    if (extension !== undefined) return partial;
  } catch (error) {
    await partial.delete();
    if (!signal.aborted) toFailureResult(app, url, error);
    return undefined;
  }
  await partial.delete();
  return undefined;
}

/** Storage of the keys that `findRemote` returns. */
export const cachedFiles = (app: App): DiskCache['files'] => proxyState(app).disk.files;

/** Deletes remote files from the cache of this machine. */
export const deleteCachedFiles = (app: App, urls: readonly string[]): Promise<void> =>
  proxyState(app).disk.delete(urls);

async function joinFetch(app: App, url: string, signal: AbortSignal): Promise<RemoteFileResult> {
  const { running } = proxyState(app);
  const fetch = running.get(url) ?? startFetch(app, url);
  fetch.waiters += 1;
  try {
    return await rejectWhenAborted(fetch.found, signal);
  } finally {
    fetch.waiters -= 1;
    if (fetch.waiters === 0) {
      if (running.get(url) === fetch) running.delete(url);
      fetch.abort.abort(new FetchAborted('no request waits for the file'));
    }
  }
}

function startFetch(app: App, url: string): RunningFetch {
  const { running } = proxyState(app);
  const abort = new AbortController();
  const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(timeoutMs)]);
  const found = fetchToCache(app, url, signal).finally(() => {
    if (running.get(url) === fetch) running.delete(url);
  });
  // Each request that waits handles a failure; there may be none left.
  found.catch(() => undefined);
  const fetch: RunningFetch = { found, abort, waiters: 0 };
  running.set(url, fetch);
  return fetch;
}

function rejectWhenAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(toError(signal.reason));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

async function fetchToCache(app: App, url: string, signal: AbortSignal): Promise<RemoteFileResult> {
  const { disk, slots } = proxyState(app);
  if (!URL.canParse(url)) return 'elsewhere';
  const partial = new PartialFile(app);
  try {
    const extension = await slots.run(new URL(url).host, signal, (slot) => download(app, url, { partial, slot }));
    if (extension === undefined) {
      refusedCache.set(app, url, true);
      return 'refused';
    }
    const { path, size } = partial;
    const file = { path, size, extension, contentType: contentTypeOf(`a.${extension}`) };
    const key = await disk.put(url, file, app.clock.now());
    return key === undefined ? 'elsewhere' : { key };
  } catch (error) {
    return toFailureResult(app, url, error);
  } finally {
    await partial.delete();
  }
}

/** Writes a file to `partial` and returns its extension; undefined if it is of no served type. */
async function download(
  app: App,
  url: string,
  { partial, slot }: { partial: PartialFile; slot: Slot },
): Promise<string | undefined> {
  const receive = async (chunk: Buffer): Promise<void> => {
    slot.received(chunk.length);
    const wasComplete = partial.isHeadComplete;
    await partial.append(chunk);
    if (!wasComplete && partial.isHeadComplete && (await extensionOf(partial.head)) === undefined) {
      throw new UnsupportedTypeError();
    }
  };
  try {
    const { status } = await app.outgoing.request(url, {
      headers: { accept: 'image/*, video/*, audio/*', 'accept-encoding': 'identity' },
      maxBytes,
      timeoutMs: timeoutMs,
      receive,
      signal: slot.signal,
    });
    if (status !== 200) throw new OutgoingError('unreachable', `${url} answers ${status}`);
    return await extensionOf(partial.head);
  } catch (error) {
    if (causeOf(error) instanceof UnsupportedTypeError) return undefined;
    throw error;
  }
}

class UnsupportedTypeError extends Error {
  override name = 'UnsupportedTypeError';
}

async function extensionOf(head: Buffer): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  const contentType = ((await fileTypeFromBuffer(head))?.mime ?? '').split(';', 1)[0] ?? '';
  return Object.hasOwn(extensions, contentType) ? extensions[contentType] : undefined;
}

/** The failure of a request may wrap what `receive` threw. */
const causeOf = (error: unknown): unknown => (error instanceof OutgoingError ? (error.cause ?? error) : error);

function toFailureResult(app: App, url: string, error: unknown): RemoteFileResult {
  const cause = causeOf(error);
  // A full disk or no free descriptor is not the fault of the other host: the client may come back.
  if (describeTemporaryFailure(cause) !== undefined) throw cause;
  if (cause instanceof FetchAborted) return 'elsewhere';
  const isLate = toError(cause).name === 'TimeoutError';
  if (!(error instanceof OutgoingError) && !isLate) throw error;
  app.log.debug({ err: error, url }, 'a remote file could not be fetched');
  failedCache.set(app, url, true);
  return 'elsewhere';
}
