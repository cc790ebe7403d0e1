import { limitClusters } from './limit-clusters.ts';
import { truncateHtml } from './truncate-html.ts';

/** Bytes of HTML that one text may have: the content of a post, a bio. */
export const maxHtmlBytes = 65_536;

/** Code points that a local text may have for each character of its limit: one grapheme may have any number of them. */
const codePointsPerCharacter = 4;

/** Number of code points: what a limit counts unless it counts graphemes. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * Returns whether a local text exceeds its limit: in characters, as `count` counts them, or in code points, of which it may
 * have four for each character (and so at most 16 bytes).
 */
export function exceedsLimit(text: string, limit: number, count: (text: string) => number = countCodePoints): boolean {
  const maxCodePoints = codePointsPerCharacter * limit;
  // A code point has at most two units. What is far too long is not worth counting: graphemes are slow to find.
  return text.length > 2 * maxCodePoints || countCodePoints(text) > maxCodePoints || count(text) > limit;
}

/** Cuts a remote text to `limit` code points, none of them half a surrogate pair, and bounds its clusters. */
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

/** Safe HTML as it is shown, whatever was stored before texts were bounded. */
export const limitHtml = (html: string): string => truncateHtml(limitClusters(html), maxHtmlBytes);
