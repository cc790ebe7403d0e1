import { LinkifyIt } from 'linkify-it';
import { innerMarks, isTagName, normalizeTag } from '../tag-names.ts';

/** A part of a plain text. The `raw` of all pieces, joined, is the text. */
export type TextToken =
  | { readonly type: 'text'; readonly raw: string }
  | { readonly type: 'url'; readonly raw: string; readonly href: string }
  | {
      readonly type: 'mention';
      readonly raw: string;
      /** As typed. */
      readonly username: string;
      /** Lower case, punycode; null for `@user`. */
      readonly domain: string | null;
    }
  | { readonly type: 'hashtag'; readonly raw: string; /** As typed, without `#`. */ readonly name: string };

const linkify = new LinkifyIt({ fuzzyLink: false, fuzzyEmail: false });
const wordCharacters = String.raw`\p{L}\p{M}\p{N}\p{Pc}`;

/** Schemes of links with a host. They are those that `sanitizeHtml` keeps, as are `magnet:` and `xmpp:`. */
const schemes = ['http', 'https', 'dat', 'dweb', 'ipfs', 'ipns', 'ssb', 'gopher', 'gemini'];
/** Returns the source of a pattern that matches a word in any case: other parts of the pattern know case. */
const anyCase = (word: string): string => word.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);

/**
 * Matches the start of a piece. Each alternative either ends at its first character or is consumed as a whole, so that
 * parsing takes linear time.
 */
const tokenStarts = new RegExp(
  [
    // In Japanese or Chinese text no space precedes a URL, but after a latin letter it is part of a word.
    String.raw`(?<![A-Za-z0-9@$#\uff03\uff20_])(?<scheme>(?:${schemes.map(anyCase).join('|')}):)(?=\/\/)`,
    String.raw`(?<![A-Za-z0-9@$#\uff03\uff20_])(?<magnet>${anyCase('magnet')}:)(?=\?xt)`,
    String.raw`(?<![A-Za-z0-9@$#\uff03\uff20_])(?<xmpp>${anyCase('xmpp')}:[^\s\/?#@]{1,100}@)`,
    String.raw`(?<![${wordCharacters}=\/@])@(?<user>[A-Za-z0-9_]+(?:[.-]+[A-Za-z0-9_]+)*)(?:@(?<domain>[${wordCharacters}]+(?:[.-]+[${wordCharacters}]+)*))?(?<port>:[0-9]{2,5})?`,
    String.raw`(?<![${wordCharacters}&\/])[#\uff03](?<tag>[${wordCharacters}][${wordCharacters}${innerMarks}]*)`,
  ].join('|'),
  'gu',
);
/** Characters of a link; a longer one ends there. */
const maxUrlLength = 40_000;
const trailingMarks = new RegExp(`[${innerMarks}]$`, 'u');
/** Hosts that may have a port: test servers on the user's own machine. */
const hostWithPort = /^(?:localhost|(?:[0-9]{1,3}\.){3}[0-9]{1,3})$/;

/** Parses plain text into pieces. Links need a scheme; a bare domain stays text. */
export function parseText(text: string): TextToken[] {
  const tokens: TextToken[] = [];
  let end = 0;
  tokenStarts.lastIndex = 0;
  for (let match = tokenStarts.exec(text); match !== null; match = tokenStarts.exec(text)) {
    const token = parseToken(text, match);
    if (token === undefined) continue;
    if (match.index > end) tokens.push({ type: 'text', raw: text.slice(end, match.index) });
    tokens.push(token);
    end = match.index + token.raw.length;
    tokenStarts.lastIndex = end;
  }
  if (end < text.length) tokens.push({ type: 'text', raw: text.slice(end) });
  return tokens;
}

function parseToken(text: string, { index, groups = {} }: RegExpExecArray): TextToken | undefined {
  const { scheme, magnet, xmpp, user, domain, port, tag } = groups;
  if (scheme !== undefined) return parseUrl(text, index, scheme);
  if (magnet !== undefined) return parseHostless(text, index, { scheme: magnet, mark: '//x.example/' });
  if (xmpp !== undefined) return parseHostless(text, index, { scheme: xmpp, mark: '//' });
  if (user !== undefined) return parseMention(text, index, user, { domain, port });
  if (tag !== undefined) return parseHashtag(text.charAt(index), tag);
  return undefined;
}

function parseUrl(text: string, index: number, scheme: string): TextToken | undefined {
  const start = index + scheme.length;
  const length = measureUrl(text.slice(start, start + maxUrlLength));
  if (length === 0) return undefined;
  const end = start + length;
  // A URL with credentials must not be clickable.
  if (/^(?::[^\s@/]{0,100})?@/.test(text.slice(end, end + 102))) return undefined;
  return toUrlToken(text.slice(index, end));
}

/** Parses a link without `//`, which is measured with a mark in front that makes it one with a host. */
function parseHostless(
  text: string,
  index: number,
  { scheme, mark }: { readonly scheme: string; readonly mark: string },
): TextToken | undefined {
  const start = index + scheme.length;
  const length = measureUrl(mark + text.slice(start, start + maxUrlLength)) - mark.length;
  return length <= 0 ? undefined : toUrlToken(text.slice(index, start + length));
}

const toUrlToken = (raw: string): TextToken | undefined =>
  URL.canParse(raw) ? { type: 'url', raw, href: raw } : undefined;

/** Returns the length of the host and the rest of a URL at the start of a text that begins with `//`; 0 if there is none. */
function measureUrl(text: string): number {
  // The parser knows no underscores in hosts, which browsers open. One at the end of a host is emphasis.
  const plain = text.replace(/^\/\/[^\s/?#@_]{0,253}_[^\s/?#@]{0,253}/, (host) =>
    host.replaceAll(/_(?=.*\.[\p{L}\p{N}])/gu, 'x'),
  );
  return linkify.testSchemaAt(plain, 'https:', 0);
}

function parseMention(
  text: string,
  index: number,
  username: string,
  { domain, port }: { domain: string | undefined; port: string | undefined },
): TextToken | undefined {
  const named = domain === undefined ? `@${username}` : `@${username}@${domain}`;
  const withPort = domain !== undefined && port !== undefined && hostWithPort.test(domain.toLowerCase());
  const raw = withPort ? `${named}${port}` : named;
  const after = text.slice(index + raw.length, index + raw.length + 3);
  if (after.startsWith('@') || after.startsWith('://')) return undefined;
  if (domain === undefined) return { type: 'mention', raw, username, domain: null };
  const ascii = toPunycode(domain.toLowerCase());
  return ascii === '' ? undefined : { type: 'mention', raw, username, domain: withPort ? `${ascii}${port}` : ascii };
}

function parseHashtag(mark: string, found: string): TextToken | undefined {
  let name = found;
  while (trailingMarks.test(name)) name = name.slice(0, -1);
  if (!isTagName(name) || !isTagName(normalizeTag(name))) return undefined;
  return { type: 'hashtag', raw: `${mark}${name}`, name };
}

/** Returns a host name in its ASCII form; empty if it is invalid. */
function toPunycode(domain: string): string {
  const address = `ws://${domain}`;
  return URL.canParse(address) ? new URL(address).hostname : '';
}
