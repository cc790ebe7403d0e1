import { Type } from 'typebox';
import { HttpResponse } from '../platform/http/http-response.ts';
import { get, type Route } from '../platform/http/routes.ts';
import { safeHeaders } from './serve-file.ts';
import { bundledImages, loadBundledImage } from './bundled-images.ts';
import { proxyRoutes } from './proxy/proxy-routes.ts';
import { uploadRoutes } from './upload-routes.ts';

const bundledImageRoutes = bundledImages.map(({ path, contentType, maxAgeSeconds }) =>
  get(path, {
    summary: 'A picture that the server comes with',
    access: 'page',
    rateLimit: 'none',
    undocumented: true,
    response: Type.Any(),
    handle: async () =>
      new HttpResponse({
        text: await loadBundledImage(path),
        headers: {
          ...safeHeaders,
          'accept-ranges': 'none',
          'content-type': contentType,
          'cache-control': `public, max-age=${maxAgeSeconds}`,
        },
      }),
  }),
);

export const routes: Route[] = [...bundledImageRoutes, ...uploadRoutes, ...proxyRoutes];
