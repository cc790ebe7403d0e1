import { hash } from 'node:crypto';
import { matchesEtag } from '../platform/http/etag.ts';
import { HttpResponse } from '../platform/http/http-response.ts';
import { notFound, HttpError } from '../platform/http/http-errors.ts';
import { message } from '../platform/i18n/message.ts';
import type { RequestContext } from '../platform/http/routes.ts';
import { contentTypeOf } from '../platform/storage/storage-keys.ts';
import type { Storage } from '../platform/storage/storage.ts';
import { parseRange } from './byte-range.ts';

/** How clients may cache a file. */
interface FileCaching {
  readonly cacheControl: string;
  /** The file of a key never changes, so the key identifies its version. */
  readonly isImmutable: boolean;
}

/** Caching of stored files. */
export const immutableCaching: FileCaching = { cacheControl: 'public, max-age=31536000, immutable', isImmutable: true };
/** As `immutableCaching`, for files that shared caches must not keep. */
export const privateImmutableCaching: FileCaching = {
  cacheControl: 'private, max-age=31536000, immutable',
  isImmutable: true,
};
/** Maximum bytes of one response to a range request; players request the next ones. */
const maxRangeBytes = 4 * 1024 * 1024;

/** An uploaded file must never run as a page of this origin, whatever it contains. */
export const safeHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'accept-ranges': 'bytes',
};

/** The methods of a storage that serving files needs. */
type FileSource = Pick<Storage, 'get' | 'openStream'>;

/** Serves an image, video or audio file of a storage, whole or the requested range. Throws 404 for other files. */
export async function serveFile(
  source: FileSource,
  key: string,
  request: RequestContext,
  { cacheControl, isImmutable }: FileCaching,
): Promise<HttpResponse> {
  const contentType = contentTypeOf(key);
  // Archives and lists in the storage belong to one user each; they are not served here.
  if (!/^(?:image|video|audio)\//.test(contentType)) throw notFound();
  const etag = isImmutable ? `"${hash('sha256', key, 'base64url').slice(0, 22)}"` : undefined;
  const headers = {
    ...safeHeaders,
    'content-type': contentType,
    'cache-control': cacheControl,
    ...(etag !== undefined && { etag }),
  };
  if (etag !== undefined && matchesEtag(request.headers, etag)) {
    await requireSize(source, key);
    return new HttpResponse({ status: 304, headers });
  }
  const { range, 'if-range': ifRange = etag } = request.headers;
  // Part of another version would not fit what the client has.
  if (typeof range === 'string' && ifRange === etag) {
    const part = await serveRange(source, key, { range, headers });
    if (part !== undefined) return part;
  }
  const file = await source.openStream(key);
  if (file === undefined) throw notFound();
  return new HttpResponse({ text: file.stream, headers: { ...headers, 'content-length': String(file.size) } });
}

/** Returns the size of a file. Throws 404 if it does not exist. */
async function requireSize(source: FileSource, key: string): Promise<number> {
  const size = (await source.get(key, { start: 0, end: -1 }))?.size;
  if (size === undefined) throw notFound();
  return size;
}

/** Returns the requested part of a file; undefined if the whole file is to be sent. */
async function serveRange(
  source: FileSource,
  key: string,
  { range, headers }: { range: string; headers: Record<string, string> },
): Promise<HttpResponse | undefined> {
  const size = await requireSize(source, key);
  const requestedRange = parseRange(range, size);
  if (requestedRange === 'whole') return undefined;
  if (requestedRange === 'none')
    throw new HttpError(416, message('media.rangeNotSatisfiable'), undefined, { 'content-range': `bytes */${size}` });
  const end = Math.min(requestedRange.end, requestedRange.start + maxRangeBytes - 1);
  const file = await source.get(key, { start: requestedRange.start, end });
  if (file === undefined) throw notFound();
  return new HttpResponse({
    status: 206,
    text: file.body,
    headers: {
      ...headers,
      'content-range': `bytes ${requestedRange.start}-${requestedRange.start + file.body.length - 1}/${size}`,
    },
  });
}
