/** Marks that may occur inside a hashtag, but not at its end: middle dots and the zero-width non-joiner. */
export const innerMarks = '\u00b7\u30fb\u200c';
const wordCharacters = String.raw`\p{L}\p{M}\p{N}\p{Pc}`;
const namePattern = new RegExp(`^[${wordCharacters}](?:[${wordCharacters}${innerMarks}]*[${wordCharacters}])?$`, 'u');
const letter = /[\p{L}\p{M}]/u;
const innerSeparator = new RegExp(`^.+[_${innerMarks}].+$`, 'u');
/** Longest name in UTF-16 units; keeps a name well below the maximum size of an index entry. */
const maxNameLength = 255;

/** Returns the form in which equal hashtags are equal: without `#`, NFKC, lower case. */
export function normalizeTag(name: string): string {
  return name
    .replace(/^[#＃]/u, '')
    .normalize('NFKC')
    .toLowerCase();
}

/**
 * Returns whether `name` (without `#`) is a valid hashtag: letters, marks, numbers, underscores and inner middle dots,
 * with at least one letter or inner separator, so that #1 and #2026 are invalid.
 */
export function isTagName(name: string): boolean {
  if (name.length > maxNameLength || !namePattern.test(name)) return false;
  return letter.test(name) || innerSeparator.test(name);
}
