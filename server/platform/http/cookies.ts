import { parseCookie, stringifySetCookie } from 'cookie';
import type { App } from '../app.ts';

/** The cookie with the secret of a browser session. */
export const sessionCookie = 'session';

const isHttps = (app: Pick<App, 'config'>): boolean => app.config.baseUrl.startsWith('https:');

/** Returns the full name of a cookie. With TLS it has a prefix by which browsers reject it from a sibling domain. */
export const cookieName = (app: Pick<App, 'config'>, name: string): string => (isHttps(app) ? `__Host-${name}` : name);

/** Returns a Set-Cookie header for a cookie that scripts cannot read. Without `seconds` left, browsers delete it. */
export function formatCookie(
  app: Pick<App, 'config'>,
  name: string,
  { value, seconds }: { value: string; seconds: number },
): string {
  return stringifySetCookie({
    name: cookieName(app, name),
    value,
    path: '/',
    maxAge: seconds,
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttps(app),
  });
}

/** Returns the secret of the session in a Cookie header; undefined if there is none. */
export function findSessionSecret(app: Pick<App, 'config'>, header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const name = cookieName(app, sessionCookie);
  if (!header.includes(name)) return undefined;
  return parseCookie(header)[name] || undefined;
}
