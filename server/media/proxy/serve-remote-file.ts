import type { App } from '../../platform/app.ts';
import { redirect, type HttpResponse } from '../../platform/http/http-response.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { RequestContext } from '../../platform/http/routes.ts';
import { serveFile } from '../serve-file.ts';
import { cachedFiles, fetchRemoteFile } from './fetch-remote-file.ts';

/** A remote file that the client may see. */
export interface RemoteFile {
  readonly url: string;
  /** Whether it is fetched if it is not in the cache. */
  readonly canFetch: boolean;
  /** Whether shared caches may store it. */
  readonly isPublic: boolean;
}

/** The file behind a URL may change. */
const maxAgeSeconds = 86_400;

/** Serves a file that is cached or may be fetched; otherwise redirects to its own server. */
export async function serveRemoteFile(
  app: App,
  { url, canFetch, isPublic }: RemoteFile,
  request: RequestContext,
): Promise<HttpResponse> {
  const found = await fetchRemoteFile(app, url, { canFetch, signal: request.signal });
  if (found === 'refused') throw notFound();
  if (found === 'elsewhere') return redirect(url);
  return serveFile(cachedFiles(app), found.key, request, {
    cacheControl: `${isPublic ? 'public' : 'private'}, max-age=${maxAgeSeconds}`,
    isImmutable: false,
  });
}
