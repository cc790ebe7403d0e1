import { Answer } from '../platform/http/answers.ts';
import { notFound, Problem } from '../platform/http/problems.ts';
import type { RequestFacts } from '../platform/http/routes.ts';
import { contentTypeOf } from '../platform/storage-keys.ts';
import type { Storage } from '../platform/storage.ts';
import { readRange } from './byte-range.ts';

/** Cache-Control of stored files: what was stored under a key never changes. */
export const forGood = 'public, max-age=31536000, immutable';
/** As `forGood`, for files that shared caches must not keep. */
export const privatelyForGood = 'private, max-age=31536000, immutable';
/** Bytes that one answer to a range request carries at most; players ask for the next ones. */
const largestPart = 4 * 1024 * 1024;

/** A file that somebody sent must never run as a page or speak as this server, whatever it holds. */
export const safeHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'accept-ranges': 'bytes',
};

/** What of a storage is needed to answer with its files. */
type Source = Pick<Storage, 'get' | 'read'>;

/** A picture, film or sound of a storage, whole or the part that is asked for; 404 for anything else. */
export async function answerFile(
  source: Source,
  key: string,
  request: RequestFacts,
  cacheControl: string,
): Promise<Answer> {
  const contentType = contentTypeOf(key);
  // Archives and lists of the storage belong to one person each; they are not handed out here.
  if (!/^(?:image|video|audio)\//.test(contentType)) throw notFound();
  const headers = { ...safeHeaders, 'content-type': contentType, 'cache-control': cacheControl };
  const range = request.headers['range'];
  if (typeof range === 'string') {
    const part = await answerPart(source, key, { range, headers });
    if (part !== undefined) return part;
  }
  const file = await source.read(key);
  if (file === undefined) throw notFound();
  return new Answer({ text: file.stream, headers: { ...headers, 'content-length': String(file.size) } });
}

/** The asked part of a file; undefined when all of it is to be sent. */
async function answerPart(
  source: Source,
  key: string,
  { range, headers }: { range: string; headers: Record<string, string> },
): Promise<Answer | undefined> {
  const size = (await source.get(key, { start: 0, end: -1 }))?.size;
  if (size === undefined) throw notFound();
  const asked = readRange(range, size);
  if (asked === 'whole') return undefined;
  if (asked === 'none')
    throw new Problem(416, 'The range is not satisfiable', undefined, { 'content-range': `bytes */${size}` });
  const end = Math.min(asked.end, asked.start + largestPart - 1);
  const file = await source.get(key, { start: asked.start, end });
  if (file === undefined) throw notFound();
  return new Answer({
    status: 206,
    text: file.body,
    headers: { ...headers, 'content-range': `bytes ${asked.start}-${asked.start + file.body.length - 1}/${size}` },
  });
}
