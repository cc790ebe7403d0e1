import type { Config } from '../config.ts';
import { OutgoingError } from './outgoing-error.ts';

/** Whether requests to an address are possible, as far as its text shows: protocol, port, name of the host. */
export function isAllowedUrl({ ALLOW_PRIVATE_ADDRESSES: allowAnyPort }: Config, text: string): boolean {
  try {
    parseAllowedUrl(text, allowAnyPort);
    return true;
  } catch {
    return false;
  }
}

/** Parses an address and refuses forbidden ones before anything is resolved. */
export function parseAllowedUrl(text: string, allowAnyPort: boolean): URL {
  const url = URL.parse(text);
  if (url === null) throw new OutgoingError('refused', 'not a URL');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowAnyPort)) {
    throw new OutgoingError('refused', `the protocol ${url.protocol} is not allowed`);
  }
  if (url.username !== '' || url.password !== '') throw new OutgoingError('refused', 'the URL contains credentials');
  if (!allowAnyPort && !['', '80', '443'].includes(url.port)) {
    throw new OutgoingError('refused', `port ${url.port} is not allowed`);
  }
  if (!allowAnyPort && !isPublicName(url.hostname)) {
    throw new OutgoingError('refused', `${url.hostname} is not a public internet name`);
  }
  // Setting it builds the text of the URL again.
  if (url.hash !== '') url.hash = '';
  return url;
}

/** Other names need the system's resolver, which blocks one of the few threads of the process. */
const isPublicName = (hostname: string): boolean =>
  hostname.startsWith('[') || (/\../.test(hostname) && !/\.localhost\.?$/.test(hostname));
