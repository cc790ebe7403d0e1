/**
 * Returns a text in the form in which texts are compared: Unicode NFKC, without differences of case, runs of white space
 * as one space. Dotted and dotless i are the same.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase().replace(/\s+/g, ' ');
  return text
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll('ς', 'σ')
    .replaceAll('i\u0307', 'i')
    .replace(/\s+/g, ' ');
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
    const length = foldText(cluster).length;
    if (position < end && position + length > start) parts.push(cluster);
    joined += foldText(cluster);
    position += length;
  }
  return joined === folded ? parts.join('') : folded.slice(start, end);
}

/** White space, or a character with its marks. Half-width kana have marks of their own. */
const clusters = /\s+|\P{M}?[\p{M}\uff9e\uff9f]+|\P{M}/gu;

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);
