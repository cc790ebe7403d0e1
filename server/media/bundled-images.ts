import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { LoadingCache } from '../platform/caching/cache.ts';
import { HttpResponse } from '../platform/http/http-response.ts';
import { get, type Route } from '../platform/http/routes.ts';
import { safeHeaders } from './serve-file.ts';

const daySeconds = 86_400;

/** The files of server/assets, by name. They change only with a new version. */
export const bytesCache = new LoadingCache<string, Buffer>({
  name: 'media.bundled_images',
  maxSize: 20,
  ttlMs: daySeconds * 1000,
  load: (_app, file) => readFile(new URL(`../assets/${file}`, import.meta.url)),
});

/** Returns a file of server/assets. */
export const bundledImage = async (
  app: App,
  file: string,
  contentType: string,
  maxAgeSeconds = daySeconds,
): Promise<HttpResponse> =>
  new HttpResponse({
    text: await bytesCache.get(app, file),
    headers: {
      ...safeHeaders,
      'accept-ranges': 'none',
      'content-type': contentType,
      'cache-control': `public, max-age=${maxAgeSeconds}`,
    },
  });

const imageRoute = (path: string, file: string, contentType: string, maxAgeSeconds?: number): Route =>
  get(path, {
    summary: 'Get an image that comes with the server',
    hasEtag: true,
    access: 'page',
    rateLimit: 'none',
    undocumented: true,
    response: Type.Any(),
    handle: ({ app }) => bundledImage(app, file, contentType, maxAgeSeconds),
  });

/** Apps use the name `missing.png` (clients.md, row 26). */
export const bundledImageRoutes: readonly Route[] = [
  imageRoute('/avatars/original/missing.png', 'avatar.png', 'image/png', 7 * daySeconds),
  imageRoute('/headers/original/missing.png', 'header.png', 'image/png', 7 * daySeconds),
  imageRoute('/thumbnail.png', 'thumbnail.png', 'image/png'),
  imageRoute('/icon-192.png', 'icon-192.png', 'image/png'),
  imageRoute('/icon-512.png', 'icon-512.png', 'image/png'),
  imageRoute('/icon-maskable-512.png', 'icon-maskable-512.png', 'image/png'),
];
