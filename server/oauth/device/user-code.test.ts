import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatUserCode, newUserCode, parseUserCode, userCodeAlphabet } from './user-code.ts';

test('OAU-01: a user code is recognised however it is typed', () => {
  const letter = fc.constantFrom(...userCodeAlphabet);
  fc.assert(
    fc.property(
      fc.array(letter, { minLength: 8, maxLength: 8 }),
      fc.constantFrom('', ' ', '-', '–'),
      (letters, gap) => {
        const code = letters.join('');
        const typed = ` ${letters.join(gap).toLowerCase()} `;
        expect(parseUserCode(typed)).toBe(code);
        expect(parseUserCode(formatUserCode(code))).toBe(code);
      },
    ),
  );
});

test('OAU-01: other texts are no user codes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const code = parseUserCode(text);
      return code === undefined || /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(code);
    }),
  );
  for (const text of ['', 'BCDF-GHJ', 'BCDF-GHJKL', 'ACDF-GHJK', 'BCDF_GHJK', '0CDF-GHJK']) {
    expect(parseUserCode(text), text).toBeUndefined();
  }
});

test('OAU-01: a new user code has eight letters that cannot be mistaken for others', () => {
  const codes = Array.from({ length: 200 }, newUserCode);
  for (const code of codes) expect(parseUserCode(code)).toBe(code);
  expect(new Set(codes).size).toBe(codes.length);
  expect(new Set(codes.join(''))).toEqual(new Set(userCodeAlphabet));
});
