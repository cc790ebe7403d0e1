import { extname } from 'node:path';
import Negotiator from 'negotiator';
import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { HttpResponse, redirect } from '../../platform/http/http-response.ts';
import { get, type RequestContext, type Route } from '../../platform/http/routes.ts';
import { readClientFile } from './client-files.ts';
import { clientPathOf } from './earlier-addresses.ts';

/** A browser asks for many files at once, so they are not rate limited. */
const options = { access: 'page', undocumented: true, rateLimit: 'none', response: Type.Any() } as const;

/** The files of the web client. */
export const clientFileRoutes: readonly Route[] = [
  get('/web/*', {
    summary: 'Get a file of the web client',
    ...options,
    params: Type.Object({ '*': Type.String() }),
    async handle({ app, params, request }) {
      const name = params['*'];
      // Only these have a hash of their content in the name. Mastodon had its client at this path.
      if (!name.startsWith('assets/')) return redirect(clientPathOf(name));
      return fileResponse(app, request, name, { 'cache-control': 'public, max-age=31536000, immutable' });
    },
  }),

  get('/sw.js', {
    summary: 'Get the service worker of the web client',
    ...options,
    handle: ({ app, request }) =>
      fileResponse(app, request, 'sw.js', {
        'cache-control': 'no-cache',
        'service-worker-allowed': '/',
        'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'",
      }),
  }),
];

async function fileResponse(
  app: App,
  request: RequestContext,
  name: string,
  headers: Record<string, string>,
): Promise<HttpResponse> {
  const contentType = contentTypes[extname(name)];
  const file =
    contentType === undefined
      ? undefined
      : await readClientFile(app, name, new Negotiator(request).encodings(['br', 'gzip']));
  if (contentType === undefined || file === undefined) throw notFound('http.notFound');
  return new HttpResponse({
    text: file.bytes,
    headers: {
      'content-type': contentType,
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
      ...(file.encoding !== undefined && { 'content-encoding': file.encoding }),
      ...headers,
    },
  });
}

/** By the ending of a file. Others are not served, such as compressed copies by their own name. */
const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
