/** The redirect address of apps that cannot be redirected to: the code is shown, to be copied. */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

/** Most characters in all redirect addresses of an app. */
export const longestRedirectUris = 2000;

/** Addresses that would run or show something of the app's making in the visitor's browser. */
const forbiddenSchemes = new Set(['javascript:', 'data:', 'vbscript:']);

/** The redirect addresses of an app: a list, or a text that separates them by line breaks. */
export function readRedirectUris(value: string | readonly string[]): string[] {
  const texts = typeof value === 'string' ? [value] : value;
  return [...new Set(texts.flatMap((text) => text.split(/\s+/)).filter((uri) => uri !== ''))];
}

/** What is wrong with a redirect address, as the end of a sentence; undefined when nothing is. */
export function wrongRedirectUri(uri: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(uri) || !URL.canParse(uri)) return 'must be an absolute URI';
  if (forbiddenSchemes.has(new URL(uri).protocol)) return 'is forbidden by the server';
  if (uri.includes('#')) return 'cannot contain a fragment';
  return undefined;
}

/** `uri` with `parameters` added to its query; whatever stands in it already is kept as it is. */
export function withParameters(uri: string, parameters: Record<string, string | undefined>): string {
  const query = Object.entries(parameters)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  if (uri.endsWith('?') || uri.endsWith('&')) return uri + query;
  return `${uri}${uri.includes('?') ? '&' : '?'}${query}`;
}
