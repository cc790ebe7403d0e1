import { Type } from 'typebox';
import { notFound } from '../../platform/http/http-errors.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { verifySignedUrl } from './signed-urls.ts';
import { serveRemoteFile } from './serve-remote-file.ts';

const image = get('/media_proxy/url/:shown/:encoded', {
  summary: 'Get a remote avatar, header, emoji or card image',
  access: 'page',
  rateLimit: 'none',
  undocumented: true,
  params: Type.Object({ shown: Type.String(), encoded: Type.String() }),
  input: Type.Object({ fetch: Type.Optional(Type.String()) }),
  response: Type.Any(),
  handle: async ({ app, params, input: { fetch }, request }) => {
    const address = await verifySignedUrl(app, { ...params, fetched: fetch });
    if (address === undefined) throw notFound();
    return serveRemoteFile(app, { ...address, isPublic: true }, request);
  },
});

export const proxyRoutes: Route[] = [image];
