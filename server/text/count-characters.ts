import { parseText, type TextToken } from './format/parse-text.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** What each link counts, whatever its length (limits.tsv: characters_reserved_per_url). */
const charactersPerUrl = 23;
const countedUrl = 'x'.repeat(charactersPerUrl);

/** Returns a text as it is counted: links are 23 characters each, and remote mentions are only `@user`. */
export const shortenForCount = (text: string): string => parseText(text).map(shortenToken).join('');

function shortenToken(token: TextToken): string {
  if (token.type === 'url') return countedUrl;
  return token.type === 'mention' && token.domain !== null ? `@${token.username}` : token.raw;
}

/** Returns the length of a text as its author sees it: graphemes; a link counts 23, a remote mention only `@user`. */
export const countCharacters = (text: string): number => countGraphemes(shortenForCount(text));

/** Returns the number of characters as users see them. */
export function countGraphemes(text: string): number {
  // Each of these is a grapheme of its own.
  if (/^[\n\x20-\x7e]*$/.test(text)) return text.length;
  let count = 0;
  for (const _ of segmenter.segment(text)) count += 1;
  return count;
}

/** Returns the start of a text, at most `limit` characters as users see them. */
export function truncateGraphemes(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let count = 0;
  for (const { index } of segmenter.segment(text)) {
    if (count === limit) return text.slice(0, index);
    count += 1;
  }
  return text;
}
