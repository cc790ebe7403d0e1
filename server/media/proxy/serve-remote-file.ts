import type { App } from '../../platform/app.ts';
import { redirect, type HttpResponse } from '../../platform/http/http-response.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { RequestContext } from '../../platform/http/routes.ts';
import { serveFile } from '../serve-file.ts';
import { cachedFiles, fetchRemoteFile } from './fetch-remote-file.ts';

/** A remote file that the client may have. */
export interface RemoteFile {
  readonly url: string;
  /** Whether it is fetched if it is not in the cache. */
  readonly canFetch: boolean;
  /** Whether shared caches may keep it. */
  readonly isPublic: boolean;
}

/** Seconds; another file may take the place of the first at its address. */
const maxAgeSeconds = 86_400;

/** The file if it is in the cache or may be fetched; otherwise a redirect to its own server. */
export async function serveRemoteFile(
  app: App,
  { url, canFetch, isPublic }: RemoteFile,
  request: RequestContext,
): Promise<HttpResponse> {
  const found = await fetchRemoteFile(app, url, { canFetch, signal: request.signal });
  if (found === 'refused') throw notFound();
  if (found === 'elsewhere') return redirect(url);
  return serveFile(
    cachedFiles(app),
    found.key,
    request,
    `${isPublic ? 'public' : 'private'}, max-age=${maxAgeSeconds}`,
  );
}
