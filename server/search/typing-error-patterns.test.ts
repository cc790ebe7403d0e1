import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance } from '../text/index.ts';
import { typingErrorPatterns } from './typing-error-patterns.ts';

/** Whether a LIKE pattern with wildcards, and without escaped characters, matches a text. */
function isLike(pattern: string, text: string): boolean {
  return new RegExp(`^${pattern.split('%').map(RegExp.escape).join('.*')}$`, 'u').test(text);
}

/** A word, and the same with one letter added, left out, replaced or swapped with the next one. */
const mistyped = fc
  .record({
    letters: fc.array(fc.constantFrom<string[]>('a', 'b', 'c', 'é', '日', '𠮷'), { minLength: 4, maxLength: 7 }),
    position: fc.nat({ max: 6 }),
    letter: fc.constantFrom('a', 'b', 'x'),
    error: fc.constantFrom('add', 'omit', 'replace', 'swap'),
  })
  .map(({ letters, position, letter, error }) => {
    const index = position % letters.length;
    const typed = letters.toSpliced(index, error === 'add' ? 0 : error === 'swap' ? 2 : 1);
    const added = { add: [letter], omit: [], replace: [letter], swap: letters.slice(index, index + 2).toReversed() };
    return { word: letters.join(''), name: typed.toSpliced(index, 0, ...(added[error] ?? [])).join('') };
  });

test('a name that differs by one typing error matches a pattern, as the first or a later word', () => {
  fc.assert(
    fc.property(mistyped, ({ word, name }) => {
      expect(editDistance(word, name)).toBeLessThanOrEqual(1);
      const patterns = typingErrorPatterns(word);
      for (const text of [name, `${name} Other Words`, `other ${name}`, `other ${name} words`])
        expect(patterns.some((pattern) => isLike(pattern, text))).toBe(true);
    }),
  );
});

test('wildcards in a word are escaped', () => {
  expect(typingErrorPatterns('a_%b')).toEqual([
    String.raw`a\_%`,
    String.raw`% a\_%`,
    String.raw`%\%b`,
    String.raw`%\%b %`,
    String.raw`%a\%\_b%`,
  ]);
});
