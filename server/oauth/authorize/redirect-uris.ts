/** The redirect address of apps without one: the user copies the code from a page. */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

/** Maximum number of characters in all redirect addresses of an app. */
export const maxRedirectUrisLength = 2000;

/**
 * Schemes that a browser or an operating system handles itself. They could run scripts, show content of an attacker,
 * open local files or write messages.
 */
const forbiddenSchemes = new Set(
  (
    'about blob chrome cid content data edge feed file filesystem ftp intent jar javascript mailto mhtml mid ms-its ' +
    'ms-msdt res resource search-ms sms smb tel urn vbscript view-source ws wss'
  )
    .split(' ')
    .map((scheme) => `${scheme}:`),
);

/** Matches names, IPv4 and IPv6 addresses, with or without a port. URLs also allow `;`, `,`, `'` and others in a host. */
export const isPlainHost = (host: string): boolean => /^(?:[a-z0-9._-]+|\[[0-9a-f:]+\])(?::\d+)?$/.test(host);

/** Parses the redirect addresses of an app: a list, or a text with one address per line. */
export function parseRedirectUris(value: string | readonly string[]): string[] {
  const texts = typeof value === 'string' ? [value] : value;
  return [...new Set(texts.flatMap((text) => text.split(/\s+/)).filter((uri) => uri !== ''))];
}

type RedirectUriError = `oauth.redirectUri${'Relative' | 'Forbidden' | 'Invalid' | 'Fragment'}`;

/** Returns the key of the error in a redirect address; undefined if it is valid. */
export function redirectUriError(uri: string): RedirectUriError | undefined {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(uri) || !URL.canParse(uri)) return 'oauth.redirectUriRelative';
  const { protocol, host } = new URL(uri);
  if (uri !== outOfBand && forbiddenSchemes.has(protocol)) return 'oauth.redirectUriForbidden';
  if ((protocol === 'https:' || protocol === 'http:') && !isPlainHost(host)) return 'oauth.redirectUriInvalid';
  if (uri.includes('#')) return 'oauth.redirectUriFragment';
  return undefined;
}

/** Adds `parameters` to the query of `uri` and leaves the rest unchanged. */
export function withParameters(uri: string, parameters: Record<string, string | undefined>): string {
  const query = Object.entries(parameters)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  if (uri.endsWith('?') || uri.endsWith('&')) return uri + query;
  return `${uri}${uri.includes('?') ? '&' : '?'}${query}`;
}
