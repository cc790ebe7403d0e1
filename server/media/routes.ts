import { Type } from 'typebox';
import { Answer } from '../platform/http/answers.ts';
import { get, type Route } from '../platform/http/routes.ts';
import { answerFile, safeHeaders } from './answer-file.ts';
import { ownPictures, readPicture } from './own-pictures.ts';
import { proxyRoutes } from './proxy/proxy-routes.ts';
import { uploadRoutes } from './upload-routes.ts';

const stored = get('/media/*', {
  summary: 'A stored file',
  access: 'page',
  rateLimit: 'none',
  undocumented: true,
  params: Type.Object({ '*': Type.String() }),
  response: Type.Any(),
  handle: ({ app, params, request }) => answerFile(app.storage, params['*'], request),
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

export const routes: Route[] = [stored, ...own, ...uploadRoutes, ...proxyRoutes];
