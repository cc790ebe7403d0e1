/**
 * Marks for letters of any script: accents, overlays and enclosing marks. The keycap is left out, as digits with it are
 * emojis. Marks of one script, such as vowels of Arabic, Hebrew, Hindi and Thai, carry meaning and are not in the list.
 */
const commonMarks = String.raw`\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20e2\u20e4-\u20ff\ufe20-\ufe2f`;
const allCommonMarks = new RegExp(`[${commonMarks}]`, 'gu');
const hasMark = /\p{M}/u;
const words = /[\p{L}\p{N}\p{M}]+/gu;

/** Strokes through and shapes around a letter, which no language writes. */
const overlay = new RegExp(
  String.raw`[\u0334-\u0338\u0488\u0489\u20d2\u20d3\u20d8-\u20da\u20dd-\u20e2\u20e4-\u20eb]`,
  'u',
);
/** Vietnamese and Yoruba have letters with two marks. */
const pile = new RegExp(`[${commonMarks}]{3}`, 'u');
/** A dot on an i is no mark. */
const everyLetter = new RegExp(`^(?:[\\p{L}\\p{N}][${commonMarks}]+|i){3,}$`, 'u');
const isDecorated = (word: string): boolean => overlay.test(word) || pile.test(word) || everyLetter.test(word);

/** A mark that has no place in a letter: any on a Latin, Greek or Cyrillic one, and common marks on others. */
const leftOver = new RegExp(`([\\p{sc=Latin}\\p{sc=Greek}\\p{sc=Cyrillic}])\\p{M}+|[${commonMarks}]+`, 'gu');

/**
 * Removes the marks that decorate a normalised text (NFKC) rather than belong to its letters. A letter that Unicode has as
 * one character keeps its marks (`ü` is not `u`), and other marks count for nothing. In a word with an overlay, with a
 * pile of marks or with marks on each of its letters, no mark counts.
 */
export function foldMarks(text: string): string {
  const decomposed = text.normalize('NFD');
  if (!hasMark.test(decomposed)) return text;
  return decomposed
    .replace(words, (word) => (isDecorated(word) ? word.replace(allCommonMarks, '') : word))
    .normalize('NFC')
    .replace(leftOver, '$1');
}
