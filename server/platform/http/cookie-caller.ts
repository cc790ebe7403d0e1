import type { App } from '../app.ts';
import type { RequestContext } from './routes.ts';

/** The header with the id of the account for which the web client sends a request. Other sites cannot send it. */
export const accountHeader = 'fieldfare-account';

/** The parts of a request by which the cookie of a session counts or not. */
export interface CookieRequest {
  readonly method: string;
  readonly headers: RequestContext['headers'];
  readonly isUpgrade: boolean;
  /** At which the client reaches the server. */
  readonly origin: string;
}

/**
 * Returns whether one of our own pages sent a request to the API, so that the cookie of its session counts. Any site can
 * make a browser send a cookie, but not set the header of the client: CORS never allows credentials. A GET without the
 * header counts if the browser vouches for its origin, as for preloads and event sources. WebSockets cannot have headers,
 * but always an Origin.
 */
export function isOwnRequest(
  { config }: Pick<App, 'config'>,
  { method, headers, isUpgrade, origin: ownOrigin }: CookieRequest,
): boolean {
  const { origin } = headers;
  if (origin !== undefined && origin !== ownOrigin && origin !== new URL(config.baseUrl).origin) return false;
  if (isUpgrade) return origin !== undefined;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  if (headers[accountHeader] !== undefined) return true;
  return site === 'same-origin' && (method === 'GET' || method === 'HEAD');
}
