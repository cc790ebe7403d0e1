import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance } from '../text/index.ts';
import { typingErrorPatterns } from './typing-error-patterns.ts';

/** Whether a LIKE pattern with wildcards, and without escaped characters, matches a text. */
function isLike(pattern: string, text: string): boolean {
  return new RegExp(`^${pattern.split('%').map(RegExp.escape).join('.*')}$`, 'u').test(text);
}

const error = fc.record({
  position: fc.nat({ max: 12 }),
  letter: fc.constantFrom('a', 'b', 'x'),
  kind: fc.constantFrom('add', 'omit', 'replace', 'swap'),
});

/** A word, and the same with letters added, left out, replaced or swapped with the next one. */
const mistypedBy = (errors: number, { minLength, maxLength }: { minLength: number; maxLength: number }) =>
  fc
    .record({
      letters: fc.array(fc.constantFrom<string[]>('a', 'b', 'c', 'é', '日', '𠮷'), { minLength, maxLength }),
      errors: fc.array(error, { minLength: errors, maxLength: errors }),
    })
    .map(({ letters, errors }) => ({
      word: letters.join(''),
      name: errors.reduce<string[]>(mistype, letters).join(''),
    }));

function mistype(letters: string[], { position, letter, kind }: { position: number; letter: string; kind: string }) {
  const index = position % letters.length;
  const typed = letters.toSpliced(index, kind === 'add' ? 0 : kind === 'swap' ? 2 : 1);
  const added: Record<string, string[]> = {
    add: [letter],
    replace: [letter],
    swap: letters.slice(index, index + 2).toReversed(),
  };
  return typed.toSpliced(index, 0, ...(added[kind] ?? []));
}

test.each([
  [1, { minLength: 4, maxLength: 7 }],
  [2, { minLength: 8, maxLength: 12 }],
])('a name that differs by %i typing errors matches, as the first or a later word', (errors, lengths) => {
  fc.assert(
    fc.property(mistypedBy(errors, lengths), ({ word, name }) => {
      fc.pre(editDistance(word, name) <= errors);
      const patterns = typingErrorPatterns(word, errors);
      for (const text of [name, `${name} Other Words`, `other ${name}`, `other ${name} words`])
        expect(patterns.some((pattern) => isLike(pattern, text))).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test('wildcards in a word are escaped', () => {
  expect(typingErrorPatterns('a_%b', 1)).toEqual([
    String.raw`a\_%`,
    String.raw`% a\_%`,
    String.raw`%\%b`,
    String.raw`%\%b %`,
    String.raw`a\%\_b%`,
    String.raw`% a\%\_b%`,
  ]);
});
