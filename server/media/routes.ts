import { Type } from 'typebox';
import { Answer } from '../platform/http/answers.ts';
import { get, type Route } from '../platform/http/routes.ts';
import { notFound } from '../platform/http/problems.ts';
import { answerFile, forGood, privatelyForGood, safeHeaders } from './answer-file.ts';
import { ownPictures, readPicture } from './own-pictures.ts';
import { proxyRoutes } from './proxy/proxy-routes.ts';
import { accessTo } from './stored-file-access.ts';
import { uploadRoutes } from './upload-routes.ts';

const stored = get('/media/*', {
  summary: 'A stored file',
  access: 'page',
  rateLimit: 'none',
  undocumented: true,
  params: Type.Object({ '*': Type.String() }),
  response: Type.Any(),
  handle: async ({ app, params: { '*': key }, request }) => {
    const access = await accessTo(app, key);
    if (access === 'nobody') throw notFound();
    return answerFile(app.storage, key, request, access === 'everybody' ? forGood : privatelyForGood);
  },
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
