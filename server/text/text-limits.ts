import { limitClusters } from './limit-clusters.ts';
import { truncateHtml } from './truncate-html.ts';

/** Maximum bytes of HTML of one text: the content of a post, a bio. */
export const maxHtmlBytes = 65_536;

/**
 * Code points that a local text may have for each character of its limit, because a grapheme may have any number of
 * them.
 */
const codePointsPerCharacter = 4;

/** Counts code points, for limits that do not count graphemes. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * Returns whether a local text exceeds its limit: in characters, as `count` counts them, or in code points, of which it
 * may have four for each character (and so at most 16 bytes).
 */
export function exceedsLimit(text: string, limit: number, count: (text: string) => number = countCodePoints): boolean {
  const maxCodePoints = codePointsPerCharacter * limit;
  // A code point has at most two units. Graphemes of far too long texts are not counted, because that is slow.
  return text.length > 2 * maxCodePoints || countCodePoints(text) > maxCodePoints || count(text) > limit;
}

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
export const limitHtml = (html: string): string => truncateHtml(limitClusters(html), maxHtmlBytes);
