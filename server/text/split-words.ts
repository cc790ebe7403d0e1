const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Longest indexed word, in UTF-16 units. */
const maxWordLength = 100;

/** A word of a text. */
export interface Word {
  /** The indexed form: NFKC, lower case, without the accents of European scripts. */
  readonly folded: string;
  /** The same word with its accents, which a stemmer needs. */
  readonly accented: string;
}

/** Returns the words of a text in order, with repeats. Japanese, Chinese and Thai are split by dictionary. */
export function splitWords(text: string): Word[] {
  const words: Word[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text.normalize('NFKC').toLowerCase())) {
    if (isWordLike !== true || segment.length > maxWordLength) continue;
    const folded = foldWord(segment);
    if (folded !== '') words.push({ folded, accented: segment });
  }
  return words;
}

/** Removes the accents of European scripts. */
export function foldWord(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC');
}
