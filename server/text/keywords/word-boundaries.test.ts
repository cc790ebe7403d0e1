import { expect, test } from 'vitest';
import { isWordBoundary } from './word-boundaries.ts';

/** Returns the text with a bar at each boundary. */
const mark = (text: string): string =>
  [...text, ''].reduce(
    ({ marked, position }, point) => ({
      marked: `${marked}${isWordBoundary(text, position) ? '|' : ''}${point}`,
      position: position + point.length,
    }),
    { marked: '', position: 0 },
  ).marked;

test.each([
  ['cats', '|cats|'],
  ['a cat', '|a| |cat|'],
  ['#cat!', '|#|cat|!|'],
  ['snake_case', '|snake_case|'],
  ['élan', '|élan|'],
  ['Ünïcödé', '|Ünïcödé|'],
  ['кот', '|кот|'],
  ['x̃y', '|x̃y|'],
  ['猫好き', '|猫|好|き|'],
  ['黒cat猫', '|黒|cat|猫|'],
  ['แมวดำ', '|แ|ม|ว|ด|ำ|'],
  ['ラーメン', '|ラ|ー|メ|ン|'],
  ['한국어', '|한|국|어|'],
  ['𝒳𝒳', '|𝒳𝒳|'],
  ['a𠮷b', '|a|𠮷|b|'],
  ['🐦a', '|🐦|a|'],
])('FL2-01: words of %s', (text, marked) => {
  expect(mark(text)).toBe(marked);
});
