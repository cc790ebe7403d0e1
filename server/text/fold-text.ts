import { foldMarks } from './fold-marks.ts';

/**
 * Characters that are not displayed and would hide words: zero-width spaces and joiners, soft hyphens, variation
 * selectors. Not the tags that tell flags such as those of Scotland and Wales apart.
 */
const invisible = /(\u{1f3f4}[\u{e0020}-\u{e007f}]+)|\p{Default_Ignorable_Code_Point}/gu;

/**
 * Returns a text in the form in which texts are compared: Unicode NFKC, without differences of case, invisible characters
 * and marks that decorate (`foldMarks`), runs of white space as one space. Dotted and dotless i are the same.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase().replace(/\s+/g, ' ');
  const folded = text
    .replace(invisible, '$1')
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll('ς', 'σ')
    .replaceAll('i\u0307', 'i');
  return foldMarks(folded).replace(/\s+/g, ' ');
}

/**
 * Returns the part of `text` that `foldText` turned into its units `start` to `end`. If characters were joined across
 * the borders of the part, returns the folded part.
 */
export function sliceByFolded(text: string, start: number, end: number): string {
  const folded = foldText(text);
  const parts: string[] = [];
  let [position, joined] = [0, ''];
  for (const [cluster] of text.matchAll(clusters)) {
    const foldedCluster = foldText(cluster);
    if (position < end && position + foldedCluster.length > start) parts.push(cluster);
    joined += foldedCluster;
    position += foldedCluster.length;
  }
  return isAligned(joined, folded) ? parts.join('') : folded.slice(start, end);
}

/** White space, or a character with its marks. Half-width kana have marks of their own. */
const clusters = /\s+|\P{M}?[\p{M}\uff9e\uff9f]+|\P{M}/gu;

/** Whether two texts have the same letters in the same places. A letter alone may keep marks that its word loses. */
const isAligned = (one: string, other: string): boolean =>
  one === other || (one.length === other.length && withoutMarks(one) === withoutMarks(other));
const withoutMarks = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);
