const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Longest word that an index keeps, in UTF-16 units. */
const longestWord = 100;

/**
 * The words of a text for a full-text index, in order and with repeats: NFKC, lower case, without the accents of
 * European scripts. Japanese,
 * Chinese and Thai are cut by dictionary, since they have no spaces.
 */
export function cutWords(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase();
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(folded)) {
    if (isWordLike === true && segment.length <= longestWord) words.push(segment);
  }
  return words;
}
