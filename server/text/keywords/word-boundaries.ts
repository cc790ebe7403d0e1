/**
 * Characters of words that are separated by spaces: letters, marks, digits and connectors. Scripts that write words
 * without spaces between them, or attach particles to them, have no boundaries to look for: Chinese, Japanese, Korean,
 * Thai and the like.
 */
const wordCharacter =
  /[[\p{L}--[\p{scx=Bopomofo}\p{scx=Han}\p{scx=Hangul}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Khmer}\p{scx=Lao}\p{scx=Myanmar}\p{scx=Thai}\p{scx=Tibetan}]][\p{M}--[\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}\p{sc=Thai}\p{sc=Tibetan}]]\p{Nd}\p{Pc}]/v;

/** Returns whether a word may begin or end at a position of a text: not between two characters of the same word. */
export function isWordBoundary(text: string, position: number): boolean {
  if (position === 0 || position === text.length) return true;
  return !isWordCharacter(text.codePointAt(position) as number) || !isWordCharacter(codePointBefore(text, position));
}

function codePointBefore(text: string, position: number): number {
  const unit = text.charCodeAt(position - 1);
  const isLowSurrogate = unit >= 0xdc00 && unit <= 0xdfff;
  return isLowSurrogate && position > 1 ? (text.codePointAt(position - 2) as number) : unit;
}

/** For each code point of the basic plane: 0 unknown, 1 no word character, 2 a word character. */
const knownPoints = new Uint8Array(0x10000);

function isWordCharacter(point: number): boolean {
  if (point >= knownPoints.length) return wordCharacter.test(String.fromCodePoint(point));
  const known = knownPoints[point] as number;
  if (known !== 0) return known === 2;
  const isWord = wordCharacter.test(String.fromCodePoint(point));
  knownPoints[point] = isWord ? 2 : 1;
  return isWord;
}
