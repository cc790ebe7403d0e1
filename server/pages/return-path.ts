import { withParameters } from '../oauth/index.ts';
import type { App } from '../platform/app.ts';

/**
 * A path of this server to go on to, or undefined: nothing that a browser could read as another host or as a script
 * passes, whatever its spelling.
 */
export function safeReturnPath(app: Pick<App, 'config'>, value: string | undefined): string | undefined {
  if (value === undefined || !/^\/(?![/\\])/.test(value) || !/^[\x21-\x7e]+$/.test(value)) return undefined;
  const base = new URL(app.config.baseUrl);
  if (!URL.canParse(value, base.href)) return undefined;
  const url = new URL(value, base);
  if (url.origin !== base.origin || url.pathname.startsWith('//')) return undefined;
  return url.pathname + url.search;
}

/** A path with where to go on to afterwards. */
export function withReturnPath(path: string, returnTo: string | undefined): string {
  return returnTo === undefined ? path : withParameters(path, { return_to: returnTo });
}
