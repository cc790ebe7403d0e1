import { perApp, type App } from '../../platform/app.ts';
import { Cache } from '../../platform/cache.ts';
import { contentTypeOf } from '../../platform/storage-keys.ts';
import { Turns } from '../decoding/turns.ts';
import { DiskCache, type FetchedFile } from './disk-cache.ts';

/** Bytes; larger files are left to their server. */
const largest = 32 * 1024 * 1024;
/** Milliseconds for one file. */
const timeout = 20_000;

/** What is passed on, by what its bytes show, and how it is kept. Nothing that a browser would run is among it. */
const passed: Readonly<Record<string, string>> = {
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

const kept = perApp((app) => ({
  disk: new DiskCache(`${app.config.dataDir}/cache/media`, app.config.MEDIA_CACHE_SIZE * 1024 * 1024),
  /** What is being fetched now: who asks for the same waits for the same. */
  running: new Map<string, Promise<Found>>(),
  /** What could not be had is not asked for again for some minutes. */
  failures: new Cache<string, Exclude<Found, { key: string }>>({ size: 5_000, ttl: 300_000 }),
  turns: new Turns(4),
}));

/** A file of the cache; `refused`: it is nothing that is passed on; `elsewhere`: only its own server has it. */
export type Found = { readonly key: string } | 'refused' | 'elsewhere';

/** The file from another server, from the cache or, if it may be, fetched into it. */
export async function findRemote(app: App, url: string, mayFetch: boolean): Promise<Found> {
  const { disk, running, failures } = kept(app);
  const key = await disk.find(url, app.clock.now());
  if (key !== undefined) return { key };
  // A post may name this server's own addresses: it would ask itself without end.
  if (URL.canParse(url) && new URL(url).host === app.config.webDomain) return 'refused';
  if (!mayFetch || app.config.MEDIA_CACHE_SIZE === 0) return 'elsewhere';
  const failure = failures.get(url);
  if (failure !== undefined) return failure;
  let fetching = running.get(url);
  if (fetching === undefined) {
    fetching = fetchInto(app, url).finally(() => running.delete(url));
    running.set(url, fetching);
  }
  return fetching;
}

/** Where the keys of `findRemote` are read. */
export const cachedFiles = (app: App): DiskCache['files'] => kept(app).disk.files;

async function fetchInto(app: App, url: string): Promise<Found> {
  const { disk, failures, turns } = kept(app);
  const file = await turns.take(() => fetchRemote(app, url));
  const key = typeof file === 'string' ? undefined : await disk.put(url, file);
  if (key !== undefined) return { key };
  const failure = file === 'refused' ? file : 'elsewhere';
  failures.set(url, failure);
  return failure;
}

async function fetchRemote(app: App, url: string): Promise<FetchedFile | 'refused' | 'elsewhere'> {
  try {
    const { status, body } = await app.outgoing.request(url, {
      headers: { accept: 'image/*, video/*, audio/*' },
      maxBytes: largest,
      timeout,
    });
    if (status !== 200) return 'elsewhere';
    const { fileTypeFromBuffer } = await import('file-type');
    const contentType = ((await fileTypeFromBuffer(body))?.mime ?? '').split(';', 1)[0] ?? '';
    const extension = Object.hasOwn(passed, contentType) ? passed[contentType] : undefined;
    return extension === undefined ? 'refused' : { body, extension, contentType: contentTypeOf(`a.${extension}`) };
  } catch (error) {
    app.log.debug({ err: error, url }, 'a file of another server cannot be fetched');
    return 'elsewhere';
  }
}
