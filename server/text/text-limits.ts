import { countGraphemes, shortenForCount } from './count-characters.ts';
import { limitClusters } from './limit-clusters.ts';
import { truncateHtml } from './truncate-html.ts';

/** Maximum bytes of one text, as plain text or as HTML: the content of a post, a bio. */
export const maxHtmlBytes = 65_536;

/**
 * Code points that a local text may have for each character of its limit, because a grapheme may have any number of
 * them. An emoji counts one.
 */
const codePointsPerCharacter = 4;

/** Code points of an emoji that counts one. The longest that people use, a kiss with skin tones, has ten. */
const maxEmojiCodePoints = 16;

/** Bytes of links and domains of mentions in one text that do not count. */
const maxHiddenBytes = 16_384;

const emojiPart = String.raw`(?:\p{RI}{2}|\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f}|\p{Emoji}\ufe0f?\p{EMod}?\u20e3?)`;
/** Matches an emoji of any number of code points: flags, keycaps, skin tones, and what joiners join. */
const emoji = new RegExp(String.raw`${emojiPart}(?:\u200d${emojiPart})*`, 'gu');

const countCodePoints = (text: string): number => Array.from(text).length;

/** How a limit counts. `links`: a link counts 23 characters, a remote mention only `@user`. */
interface CountOptions {
  readonly links?: boolean;
}

/** Returns whether a local text exceeds its limit in characters as users see them, or is too large (`isTooLarge`). */
export function exceedsLimit(text: string, limit: number, options: CountOptions = {}): boolean {
  if (isTooLarge(text, limit, options)) return true;
  return countGraphemes(options.links === true ? shortenForCount(text) : text) > limit;
}

/**
 * Returns whether a local text has too many code points for a limit in characters: more than four for each, where an
 * emoji counts one. With `links`, up to 16 KB of them do not count. Takes linear time, unlike finding graphemes.
 */
export function isTooLarge(text: string, limit: number, { links = false }: CountOptions = {}): boolean {
  // A code point has at most two units.
  const maxUnits = 2 * maxEmojiCodePoints * limit;
  if (text.length > maxUnits + (links ? maxHiddenBytes : 0) || Buffer.byteLength(text) > maxHtmlBytes) return true;
  const maxCodePoints = codePointsPerCharacter * limit;
  if (text.length <= maxCodePoints) return false;
  const counted = links ? shortenForCount(text) : text;
  if (Buffer.byteLength(text) - Buffer.byteLength(counted) > maxHiddenBytes) return true;
  return countCodePoints(counted.replaceAll(emoji, shortenEmoji)) > maxCodePoints;
}

const shortenEmoji = (found: string): string => (countCodePoints(found) > maxEmojiCodePoints ? found : 'x');

/** Truncates a remote text to `limit` code points, without splitting a surrogate pair, and bounds its clusters. */
export function truncateText(text: string, limit: number): string {
  const bounded = limitClusters(text.toWellFormed());
  if (bounded.length <= limit) return bounded;
  const units = bounded.slice(0, 2 * limit);
  let end = 0;
  let count = 0;
  for (const point of units) {
    if (count === limit) break;
    count += 1;
    end += point.length;
  }
  return units.slice(0, end);
}

/** Limits stored safe HTML for display, in case it was stored before texts were limited. */
export const limitHtml = (html: string, maxBytes = maxHtmlBytes): string => truncateHtml(limitClusters(html), maxBytes);
