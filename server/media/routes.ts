import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { Answer } from '../platform/http/answers.ts';
import { notFound, Problem } from '../platform/http/problems.ts';
import { get, type RequestFacts, type Route } from '../platform/http/routes.ts';
import { contentTypeOf } from '../platform/storage-keys.ts';
import { ownPictures, readPicture } from './own-pictures.ts';
import { uploadRoutes } from './upload-routes.ts';
import { readRange } from './byte-range.ts';

/** What was stored under a key never changes, so it may be kept for good. */
const forGood = 'public, max-age=31536000, immutable';
/** Bytes that one answer to a range request carries at most; players ask for the next ones. */
const largestPart = 4 * 1024 * 1024;

/** A file that somebody sent must never run as a page or speak as this server, whatever it holds. */
const safeHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'accept-ranges': 'bytes',
};

const stored = get('/media/*', {
  summary: 'A stored file',
  access: 'page',
  rateLimit: 'none',
  undocumented: true,
  params: Type.Object({ '*': Type.String() }),
  response: Type.Any(),
  handle: ({ app, params, request }) => answerStored(app, params['*'], request),
});

const own = ownPictures.map(({ path, contentType, maxAge }) =>
  get(path, {
    summary: 'A picture that the server comes with',
    access: 'page',
    rateLimit: 'none',
    undocumented: true,
    response: Type.Any(),
    handle: async () =>
      new Answer({
        text: await readPicture(path),
        headers: {
          ...safeHeaders,
          'accept-ranges': 'none',
          'content-type': contentType,
          'cache-control': `public, max-age=${maxAge}`,
        },
      }),
  }),
);

export const routes: Route[] = [stored, ...own, ...uploadRoutes];

async function answerStored(app: App, key: string, request: RequestFacts): Promise<Answer> {
  const contentType = contentTypeOf(key);
  // Archives and lists of the storage belong to one person each; they are not handed out here.
  if (!/^(?:image|video|audio)\//.test(contentType)) throw notFound();
  const headers = { ...safeHeaders, 'content-type': contentType, 'cache-control': forGood };
  const range = request.headers['range'];
  if (typeof range === 'string') {
    const part = await answerPart(app, key, { range, headers });
    if (part !== undefined) return part;
  }
  const file = await app.storage.get(key);
  if (file === undefined) throw notFound();
  return new Answer({ text: file.body, headers });
}

/** The asked part of a file; undefined when all of it is to be sent. */
async function answerPart(
  app: App,
  key: string,
  { range, headers }: { range: string; headers: Record<string, string> },
): Promise<Answer | undefined> {
  const size = (await app.storage.get(key, { start: 0, end: -1 }))?.size;
  if (size === undefined) throw notFound();
  const asked = readRange(range, size);
  if (asked === 'whole') return undefined;
  if (asked === 'none')
    throw new Problem(416, 'The range is not satisfiable', undefined, { 'content-range': `bytes */${size}` });
  const end = Math.min(asked.end, asked.start + largestPart - 1);
  const file = await app.storage.get(key, { start: asked.start, end });
  if (file === undefined) throw notFound();
  return new Answer({
    status: 206,
    text: file.body,
    headers: { ...headers, 'content-range': `bytes ${asked.start}-${asked.start + file.body.length - 1}/${size}` },
  });
}
