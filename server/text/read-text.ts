import { domainToASCII } from 'node:url';
import { LinkifyIt } from 'linkify-it';
import { innerMarks, isTagName, normalizeTag } from './tag-names.ts';

/** A stretch of what somebody typed. The `raw` of all pieces, joined, is the text. */
export type TextPiece =
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
const word = String.raw`\p{L}\p{M}\p{N}\p{Pc}`;

/**
 * Where something may begin. Each alternative either ends at its first character or is taken as a whole, so that reading
 * stays linear in the length of the text.
 */
const starts = new RegExp(
  [
    // A URL in running Japanese or Chinese has no space before it, but a latin letter before it makes it a word.
    String.raw`(?<![A-Za-z0-9@$#＃＠_])(?<scheme>[Hh][Tt][Tt][Pp][Ss]?:)(?=\/\/)`,
    String.raw`(?<![${word}=\/@])@(?<user>[A-Za-z0-9_]+(?:[.-]+[A-Za-z0-9_]+)*)(?:@(?<domain>[${word}]+(?:[.-]+[${word}]+)*))?(?<port>:[0-9]{2,5})?`,
    String.raw`(?<![${word}&\/])[#＃](?<tag>[${word}][${word}${innerMarks}]*)`,
  ].join('|'),
  'gu',
);
const trailingMarks = new RegExp(`[${innerMarks}]$`, 'u');
/** Hosts that are named with a port: servers that people try out on their own machine. */
const hostWithPort = /^(?:localhost|(?:[0-9]{1,3}\.){3}[0-9]{1,3})$/;

/** Reads plain text into pieces. Links need `http://` or `https://`; what only looks like a domain stays text. */
export function readText(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let done = 0;
  starts.lastIndex = 0;
  for (let match = starts.exec(text); match !== null; match = starts.exec(text)) {
    const piece = readPiece(text, match);
    if (piece === undefined) continue;
    if (match.index > done) pieces.push({ type: 'text', raw: text.slice(done, match.index) });
    pieces.push(piece);
    done = match.index + piece.raw.length;
    starts.lastIndex = done;
  }
  if (done < text.length) pieces.push({ type: 'text', raw: text.slice(done) });
  return pieces;
}

function readPiece(text: string, { index, groups = {} }: RegExpExecArray): TextPiece | undefined {
  const { scheme, user, domain, port, tag } = groups;
  if (scheme !== undefined) return readUrl(text, index, scheme);
  if (user !== undefined) return readMention(text, index, user, { domain, port });
  if (tag !== undefined) return readHashtag(text.charAt(index), tag);
  return undefined;
}

function readUrl(text: string, index: number, scheme: string): TextPiece | undefined {
  const length = linkify.testSchemaAt(text, scheme.toLowerCase(), index + scheme.length);
  if (length === 0) return undefined;
  const end = index + scheme.length + length;
  const raw = text.slice(index, end);
  // A name and password before the host: nothing to be made clickable.
  if (/^(?::[^\s@/]{0,100})?@/.test(text.slice(end, end + 102))) return undefined;
  return URL.canParse(raw) ? { type: 'url', raw, href: raw } : undefined;
}

function readMention(
  text: string,
  index: number,
  username: string,
  { domain, port }: { domain: string | undefined; port: string | undefined },
): TextPiece | undefined {
  const named = domain === undefined ? `@${username}` : `@${username}@${domain}`;
  const withPort = domain !== undefined && port !== undefined && hostWithPort.test(domain.toLowerCase());
  const raw = withPort ? `${named}${port}` : named;
  const after = text.slice(index + raw.length, index + raw.length + 3);
  if (after.startsWith('@') || after.startsWith('://')) return undefined;
  if (domain === undefined) return { type: 'mention', raw, username, domain: null };
  const ascii = domainToASCII(domain.toLowerCase());
  return ascii === '' ? undefined : { type: 'mention', raw, username, domain: withPort ? `${ascii}${port}` : ascii };
}

function readHashtag(mark: string, found: string): TextPiece | undefined {
  let name = found;
  while (trailingMarks.test(name)) name = name.slice(0, -1);
  if (!isTagName(name) || !isTagName(normalizeTag(name))) return undefined;
  return { type: 'hashtag', raw: `${mark}${name}`, name };
}
