import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskToken, unmaskToken } from './masked-token.ts';

test('a masked token has the bytes that it was made of, and is different each time', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const tokens = [maskToken(Buffer.from(bytes)), maskToken(Buffer.from(bytes))];
      expect(tokens.map((token) => [...unmaskToken(token)])).toEqual([[...bytes], [...bytes]]);
      expect(tokens[0]).not.toBe(tokens[1]);
    }),
  );
});

test('any text can be unmasked', () => {
  fc.assert(fc.property(fc.string(), (text) => unmaskToken(text).length <= text.length));
});
