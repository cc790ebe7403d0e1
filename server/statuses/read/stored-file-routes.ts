import { Type } from 'typebox';
import { serveFile, immutableCaching, privateImmutableCaching } from '../../media/index.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { get, routeOptions, type Route } from '../../platform/http/routes.ts';
import { findFileAccess } from './stored-file-access.ts';

/** Stored files. The visibility of a status decides who may read its files. */
const storedFile = routeOptions({
  summary: 'Get a stored file',
  access: 'page',
  rateLimit: 'none',
  undocumented: true,
  params: Type.Object({ '*': Type.String() }),
  response: Type.Any(),
  handle: async ({ app, params: { '*': key }, request }) => {
    const access = await findFileAccess(app, key);
    if (access === 'none') throw notFound();
    return serveFile(app.storage, key, request, access === 'public' ? immutableCaching : privateImmutableCaching);
  },
});

export const storedFileRoutes: Route[] = [
  get('/media/*', storedFile),
  // Addresses that Mastodon gave to the same files, before the server moved.
  get('/system/*', storedFile),
  // The same of GoToSocial.
  get('/fileserver/*', storedFile),
];
