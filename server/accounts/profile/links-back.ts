import { Parser } from 'htmlparser2';
import { htmlToText } from '../../text/index.ts';

/**
 * Returns the address in a profile field that contains nothing else: as typed (`local`), or as a single link in remote
 * HTML whose text is the whole address. Undefined for all other fields, and for addresses with a password.
 */
export function parseProfileLink(value: string, local: boolean): string | undefined {
  const text = (local ? value : htmlToText(value)).trim();
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return undefined;
  // The text of the link must be the address that is verified.
  if (
    !local &&
    (extractHrefs(value, () => true).length !== 1 || !isSameUrl(extractHrefs(value, () => true)[0] ?? '', text))
  ) {
    return undefined;
  }
  const { username, password, hostname } = new URL(text);
  return username === '' && password === '' && hostname.includes('.') ? text : undefined;
}

/** Returns whether a page links to one of these addresses by `<a rel="me">` or `<link rel="me">`, ignoring case. */
export function linksBack(html: string, pageUrl: string, urls: readonly string[]): boolean {
  const hrefs = extractHrefs(html, (rel) => rel.toLowerCase().split(/\s+/).includes('me'));
  return hrefs.some((href) => {
    const absolute = URL.canParse(href, pageUrl) ? new URL(href, pageUrl).href : href;
    return urls.some((address) => isSameUrl(absolute, address));
  });
}

function extractHrefs(html: string, isWanted: (rel: string) => boolean): string[] {
  const hrefs: string[] = [];
  const parser = new Parser({
    onopentag(name, { href, rel = '' }) {
      if ((name === 'a' || name === 'link') && href !== undefined && isWanted(rel)) hrefs.push(href.trim());
    },
  });
  parser.end(html);
  return hrefs;
}

const isSameUrl = (one: string, other: string): boolean => normalizeUrl(one) === normalizeUrl(other);
const normalizeUrl = (address: string): string =>
  (URL.canParse(address) ? new URL(address).href : address).toLowerCase().replace(/\/$/, '');
