import { withParameters } from '../../oauth/authorize/index.ts';
import type { App } from '../../platform/app.ts';

/**
 * Returns the local path to continue at. Undefined for everything that a browser could take for another host or a script.
 */
export function safeReturnPath(app: Pick<App, 'config'>, value: string | undefined): string | undefined {
  if (value === undefined || !/^\/(?![/\\])/.test(value) || !/^[\x21-\x7e]+$/.test(value)) return undefined;
  const base = new URL(app.config.baseUrl);
  if (!URL.canParse(value, base.href)) return undefined;
  const url = new URL(value, base);
  if (url.origin !== base.origin || url.pathname.startsWith('//')) return undefined;
  return url.pathname + url.search;
}

/** What the forms of a sign-in pass on to each other. */
export interface SignInState {
  /** The local path to continue at afterwards. */
  readonly returnTo: string | undefined;
  /** The account is added to those in which the browser is signed in. */
  readonly isAdded: boolean;
}

/** Returns the path of a form of a sign-in, with its state. */
export const signInPath = (path: string, { returnTo, isAdded }: SignInState): string =>
  withReturnPath(isAdded ? withParameters(path, { add: 'true' }) : path, returnTo);

/** Adds the path to continue at afterwards. */
export function withReturnPath(path: string, returnTo: string | undefined): string {
  return returnTo === undefined ? path : withParameters(path, { return_to: returnTo });
}
