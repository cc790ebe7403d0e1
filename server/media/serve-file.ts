import { HttpResponse } from '../platform/http/http-response.ts';
import { notFound, HttpError } from '../platform/http/http-errors.ts';
import { message } from '../platform/i18n/message.ts';
import type { RequestContext } from '../platform/http/routes.ts';
import { contentTypeOf } from '../platform/storage/storage-keys.ts';
import type { Storage } from '../platform/storage/storage.ts';
import { parseRange } from './byte-range.ts';

/** Cache-Control of stored files: the file of a key never changes. */
export const immutableCacheControl = 'public, max-age=31536000, immutable';
/** As `forGood`, for files that shared caches must not keep. */
export const privateImmutableCacheControl = 'private, max-age=31536000, immutable';
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
  cacheControl: string,
): Promise<HttpResponse> {
  const contentType = contentTypeOf(key);
  // Archives and lists in the storage belong to one user each; they are not served here.
  if (!/^(?:image|video|audio)\//.test(contentType)) throw notFound();
  const headers = { ...safeHeaders, 'content-type': contentType, 'cache-control': cacheControl };
  const range = request.headers['range'];
  if (typeof range === 'string') {
    const part = await serveRange(source, key, { range, headers });
    if (part !== undefined) return part;
  }
  const file = await source.openStream(key);
  if (file === undefined) throw notFound();
  return new HttpResponse({ text: file.stream, headers: { ...headers, 'content-length': String(file.size) } });
}

/** Returns the requested part of a file; undefined if the whole file is to be sent. */
async function serveRange(
  source: FileSource,
  key: string,
  { range, headers }: { range: string; headers: Record<string, string> },
): Promise<HttpResponse | undefined> {
  const size = (await source.get(key, { start: 0, end: -1 }))?.size;
  if (size === undefined) throw notFound();
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
