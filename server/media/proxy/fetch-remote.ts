import { perApp, type App } from '../../platform/app.ts';
import { Cache } from '../../platform/cache.ts';
import { OutgoingError } from '../../platform/outgoing.ts';
import { contentTypeOf } from '../../platform/storage-keys.ts';
import { temporaryFailure } from '../../platform/temporary-failures.ts';
import { DiskCache } from './disk-cache.ts';
import { FetchAborted, FetchSlots, type Slot } from './fetch-slots.ts';
import { PartialFile } from './partial-file.ts';

/** Bytes; larger files are left to their server. */
const maxBytes = 32 * 1024 * 1024;
/** For one file, including the time that it waits for a slot. */
const timeoutMs = 20_000;
const limits = {
  // One less than the connections kept per host (platform/outgoing-sockets.ts): deliveries and lookups find one free.
  perHost: 3,
  // Each holds a socket, a client's socket and perhaps a file.
  total: 1_000,
  bytes: 512 * 1024 * 1024,
};
/** How long a file that is no image, video or audio is not asked for again. */
const refusedMs = 300_000;
/** How long a file that could not be fetched is not asked for again. */
const failedMs = 60_000;

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
export type Found = { readonly key: string } | 'refused' | 'elsewhere';

interface Running {
  readonly found: Promise<Found>;
  readonly abort: AbortController;
  /** Requests that wait for the file. */
  waiting: number;
}

const state = perApp((app) => ({
  disk: new DiskCache(`${app.config.dataDir}/cache/media`, app.config.MEDIA_CACHE_SIZE * 1024 * 1024),
  /** Running fetches by address. */
  running: new Map<string, Running>(),
  refused: new Cache<string, true>({ size: 5_000, ttl: refusedMs }),
  failed: new Cache<string, true>({ size: 5_000, ttl: failedMs }),
  slots: new FetchSlots(limits),
}));

/**
 * Finds a remote file in the cache, or fetches it into the cache if `mayFetch` is set. Requests for the same address
 * share one fetch, which is aborted when the `signal` of each of them has aborted. Rejects when `signal` aborts, and
 * throws what `temporaryFailure` knows if the disk is full or no descriptor is free.
 */
export async function findRemote(
  app: App,
  url: string,
  { mayFetch, signal }: { mayFetch: boolean; signal: AbortSignal },
): Promise<Found> {
  const { disk, refused, failed } = state(app);
  const key = await disk.find(url, app.clock.now());
  if (key !== undefined) return { key };
  // A post may name an address of this instance, which would then request itself without end.
  if (URL.canParse(url) && new URL(url).host === app.config.webDomain) return 'refused';
  if (!mayFetch || app.config.MEDIA_CACHE_SIZE === 0) return 'elsewhere';
  if (refused.get(url) === true) return 'refused';
  return failed.get(url) === true ? 'elsewhere' : share(app, url, signal);
}

/** Storage of the keys that `findRemote` returns. */
export const cachedFiles = (app: App): DiskCache['files'] => state(app).disk.files;

async function share(app: App, url: string, signal: AbortSignal): Promise<Found> {
  const { running } = state(app);
  const fetch = running.get(url) ?? start(app, url);
  fetch.waiting += 1;
  try {
    return await unlessAborted(fetch.found, signal);
  } finally {
    fetch.waiting -= 1;
    if (fetch.waiting === 0) {
      if (running.get(url) === fetch) running.delete(url);
      fetch.abort.abort(new FetchAborted('no request waits for the file'));
    }
  }
}

function start(app: App, url: string): Running {
  const { running } = state(app);
  const abort = new AbortController();
  const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(timeoutMs)]);
  const found = fetchInto(app, url, signal).finally(() => {
    if (running.get(url) === fetch) running.delete(url);
  });
  // Each request that waits handles a failure; there may be none left.
  found.catch(() => undefined);
  const fetch: Running = { found, abort, waiting: 0 };
  running.set(url, fetch);
  return fetch;
}

function unlessAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

async function fetchInto(app: App, url: string, signal: AbortSignal): Promise<Found> {
  const { disk, refused, slots } = state(app);
  if (!URL.canParse(url)) return 'elsewhere';
  const partial = new PartialFile(app);
  try {
    const extension = await slots.run(new URL(url).host, signal, (slot) => download(app, url, { partial, slot }));
    if (extension === undefined) {
      refused.set(url, true);
      return 'refused';
    }
    const { path, size } = partial;
    const file = { path, size, extension, contentType: contentTypeOf(`a.${extension}`) };
    const key = await disk.put(url, file, app.clock.now());
    return key === undefined ? 'elsewhere' : { key };
  } catch (error) {
    return failureOf(app, url, error);
  } finally {
    await partial.discard();
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
      throw new NotServed();
    }
  };
  try {
    const { status } = await app.outgoing.request(url, {
      headers: { accept: 'image/*, video/*, audio/*', 'accept-encoding': 'identity' },
      maxBytes,
      timeout: timeoutMs,
      receive,
      signal: slot.signal,
    });
    if (status !== 200) throw new OutgoingError('unreachable', `${url} answers ${status}`);
    return await extensionOf(partial.head);
  } catch (error) {
    if (causeOf(error) instanceof NotServed) return undefined;
    throw error;
  }
}

class NotServed extends Error {
  override name = 'NotServed';
}

async function extensionOf(head: Buffer): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  const contentType = ((await fileTypeFromBuffer(head))?.mime ?? '').split(';', 1)[0] ?? '';
  return Object.hasOwn(extensions, contentType) ? extensions[contentType] : undefined;
}

/** The failure of a request may wrap what `receive` threw. */
const causeOf = (error: unknown): unknown => (error instanceof OutgoingError ? (error.cause ?? error) : error);

function failureOf(app: App, url: string, error: unknown): Found {
  const cause = causeOf(error);
  // A full disk or no free descriptor is not the fault of the other host: the client may come back.
  if (temporaryFailure(cause) !== undefined) throw cause;
  if (cause instanceof FetchAborted) return 'elsewhere';
  const isLate = (cause as Error).name === 'TimeoutError';
  if (!(error instanceof OutgoingError) && !isLate) throw error;
  app.log.debug({ err: error, url }, 'a remote file could not be fetched');
  state(app).failed.set(url, true);
  return 'elsewhere';
}
