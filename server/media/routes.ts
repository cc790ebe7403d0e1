import { Type } from 'typebox';
import { Answer } from '../platform/http/answers.ts';
import { get, type Route } from '../platform/http/routes.ts';
import { safeHeaders } from './answer-file.ts';
import { ownPictures, readPicture } from './own-pictures.ts';
import { proxyRoutes } from './proxy/proxy-routes.ts';
import { uploadRoutes } from './upload-routes.ts';

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

export const routes: Route[] = [...own, ...uploadRoutes, ...proxyRoutes];
