import { parseText } from './format/parse-text.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** What each link counts, whatever its length (limits.tsv: characters_reserved_per_url). */
const charactersPerUrl = 23;

/** Returns the length of a text as its author sees it: graphemes; a link counts 23, a remote mention only `@user`. */
export function countCharacters(text: string): number {
  let count = 0;
  let plain = '';
  for (const token of parseText(text)) {
    if (token.type === 'url') {
      count += countGraphemes(plain) + charactersPerUrl;
      plain = '';
    } else {
      plain += token.type === 'mention' && token.domain !== null ? `@${token.username}` : token.raw;
    }
  }
  return count + countGraphemes(plain);
}

/** Returns the number of characters as users see them. */
export function countGraphemes(text: string): number {
  // Each of these is a grapheme of its own.
  if (/^[\n\x20-\x7e]*$/.test(text)) return text.length;
  let count = 0;
  for (const _ of segmenter.segment(text)) count += 1;
  return count;
}
